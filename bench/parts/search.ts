import { startApi } from '../api-process.ts';
import { type Bench, type Figure, figure, type PartResult } from '../bench.ts';
import { compare, WARM } from '../load/compare.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { FAMILY_NAMES, makeFamily } from '../requests/families.ts';
import { searchesByApi, searchesByEngine } from '../requests/listing-requests.ts';
import { expectSame } from '../requests/responses.ts';

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
    const sides = {
      api: searchesByApi(requests, api),
      engine: searchesByEngine(requests, corpus),
      cold: searchesByApi(requests, coldApi),
    };
    await expectSame(title, sides.engine, sides.api, sides.cold);
    const count = requests.length;
    const alone = (await compare(bench, sides, { connections: 1, count, warmUp: at === 0 ? WARM : 0 })).sides;
    const crowd = await compare(bench, sides, { connections: 8, count });
    figures.push(
      figure(`${title}: p50 at 1 connection`, alone.api.p50, 'ms'),
      figure(`${title}: added to p50 at 1`, alone.api.p50 - alone.engine.p50, 'ms'),
      figure(`${title}: share of the engine's throughput at 8`, crowd.ratio('api', 'engine')),
    );
    if (limit > 0)
      figures.push(figure(`${title}: share of the engine's throughput at 8, cold`, crowd.ratio('cold', 'engine')));
    bar.update(at + 1, title);
  }
  bar.end();
  return { figures };
}
