import { startApi } from '../api-process.ts';
import { type Bench, type Figure, figure, type PartResult } from '../bench.ts';
import { compare, WARM } from '../load/compare.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { FAMILY_NAMES, makeFamily } from '../requests/families.ts';
import { expectSame } from '../requests/responses.ts';
import { searchesByApi, searchesByEngine } from '../requests/sides.ts';

/**
 * Targets by rows per page; 0 is a count. `warm` and `cold`: minimum share of the throughput of OpenSearch at 8
 * connections, with the listings in the memory of the API and without. `added`: maximum milliseconds added to p50 at 1
 * connection.
 */
const TARGETS: Readonly<Record<number, { warm: number; cold?: number; added: number }>> = {
  0: { warm: 0.35, added: 1.2 },
  25: { warm: 0.75, cold: 0.48, added: 0.5 },
  100: { warm: 1.3, cold: 0.55, added: 0 },
};

/** Compares the API with the same queries sent directly to OpenSearch. */
export async function search(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const cohorts = await readCohorts(corpus);
  await using api = await startApi(corpus);
  await using coldApi = await startApi(corpus, { changes: { LISTING_CACHE_BYTES: '1' }, key: api.key });
  const figures: Figure[] = [];
  const bar = bench.screen.progress('Search', FAMILY_NAMES.length);
  for (const [at, name] of FAMILY_NAMES.entries()) {
    const { title, limit, requests } = await makeFamily(name, bench.quick ? 16 : 96, corpus, cohorts);
    const target = TARGETS[limit] as (typeof TARGETS)[number];
    const sides = {
      api: searchesByApi(requests, api),
      engine: searchesByEngine(requests, corpus),
      cold: searchesByApi(requests, coldApi),
    };
    await expectSame(title, sides.engine, sides.api, sides.cold);
    const count = requests.length;
    const alone = (await compare(bench, sides, { connections: 1, count, warmUp: at === 0 ? WARM : 0 })).sides;
    const crowd = await compare(bench, sides, { connections: 8, count });
    const share = `${title}: share of the engine's throughput at 8`;
    figures.push(
      figure(`${title}: p50 at 1 connection`, alone.api.p50, 'ms'),
      figure(`${title}: added to p50 at 1`, alone.api.p50 - alone.engine.p50, 'ms', { atMost: target.added }),
      figure(share, crowd.ratio('api', 'engine'), '', { atLeast: target.warm }),
    );
    if (target.cold !== undefined)
      figures.push(figure(`${share}, cold`, crowd.ratio('cold', 'engine'), '', { atLeast: target.cold }));
    bar.update(at + 1, title);
  }
  bar.end();
  return {
    figures,
    notes: [
      `The API checks keys and charges; OpenSearch directly sends the whole _source of exactly the rows. Sides alternate in whole passes over the same requests, whose responses were compared first, after ${WARM.toLocaleString('en')} unmeasured requests.`,
      'Warm: listings are cached in the memory of the API. Cold: another process with a cache too small for any listing. Page, filter and request caches of OpenSearch are warm for both sides.',
    ],
  };
}
