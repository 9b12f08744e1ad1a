import { startApi } from '../api-process.ts';
import { type Bench, type Figure, figure, forEachStep, type PartResult, type Row, resultOf } from '../bench.ts';
import { compare, WARM, warmUp } from '../load/compare.ts';
import { timeHeads, timesOf } from '../load/statistics.ts';
import { residentMb } from '../machine.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { FAMILY_NAMES, type Family, makeFamily, uncachedCounts } from '../requests/families.ts';
import { expectSame, resultsOf } from '../requests/responses.ts';
import { clearRequestCache, searchesByApi, searchesByEngine } from '../requests/sides.ts';

/** Minimum throughput ratio by rows per page; 0 is a count. `cold` is the target from before listings were cached. */
const MIN_RATIO: Readonly<Record<number, { warm: number; cold?: number }>> = {
  0: { warm: 0.35 },
  25: { warm: 0.75, cold: 0.48 },
  100: { warm: 1.3, cold: 0.55 },
};
const MAX_ADDED: Readonly<Record<number, number>> = { 0: 1.2, 25: 0.5, 100: 0 };
/** A cache too small for any listing, so that every read is a cache miss, as in a newly started process. */
const COLD = { LISTING_CACHE_BYTES: '1' };

/** Compares the API with the same queries sent directly to OpenSearch. */
export async function search(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const cohorts = await readCohorts(corpus);
  const families: { family: Family; uncached: boolean }[] = [];
  for (const name of FAMILY_NAMES) families.push({ family: await makeFamily(name, corpus, cohorts), uncached: false });
  families.push({ family: uncachedCounts(cohorts), uncached: true });

  await using api = await startApi(corpus, { profileDir: bench.options.profileDir });
  await using coldApi = await startApi(corpus, { changes: COLD, running: api });
  const idle = await residentMb(api.pid);
  const rows: Row[] = [];
  const figures: Figure[] = [];
  await forEachStep(bench, 'Search', families, async ({ family, uncached }, at) => {
    const { requests, limit } = family;
    const sides = {
      api: searchesByApi(requests, api, corpus),
      engine: searchesByEngine(requests, corpus),
      cold: searchesByApi(requests, coldApi, corpus),
    };
    const names = limit > 0 ? (['api', 'engine', 'cold'] as const) : (['api', 'engine'] as const);
    const expected = await resultsOf(sides.engine);
    for (const name of names) if (name !== 'engine') expectSame(family.title, await resultsOf(sides[name]), expected);
    await bench.load.setSides(sides);
    if (at === 0) await warmUp(bench, names);
    for (const connections of [1, 8]) {
      const result = await compare(bench, names, {
        connections,
        count: requests.length,
        ...(uncached ? { before: () => clearRequestCache(corpus) } : { sliceMs: bench.sliceMs }),
      });
      const { engine } = result.sides;
      const title = family.name === 'count' && !uncached ? 'count, cached' : family.title;
      for (const [kind, side] of [
        ['warm', 'api'],
        ['cold', 'cold'],
      ] as const) {
        const summary = result.sides[side];
        if (!summary) continue;
        const ratio = result.ratio(side, 'engine');
        const added = summary.p50 - engine.p50;
        const name = limit > 0 ? `${title}, ${kind}` : title;
        rows.push([name, connections, ...timesOf(summary, engine), ratio, added]);
        const least = MIN_RATIO[limit]?.[kind];
        const most = MAX_ADDED[limit];
        if (connections === 8)
          figures.push(
            figure(`${name}: share of the engine's throughput at 8`, ratio, '', least ? { atLeast: least } : undefined),
          );
        else if (kind === 'warm')
          figures.push(
            figure(`${name}: added to p50 at 1 connection`, added, 'ms', most === undefined ? most : { atMost: most }),
          );
      }
    }
    return family.title;
  });
  return resultOf(
    'The API (with key check and charge) and OpenSearch directly (whole _source, exactly the rows), milliseconds and requests per second',
    ['Request', 'Conn.', ...timeHeads('API', 'OpenSearch'), 'ratio', 'added p50'],
    rows,
    figures,
    [
      `Sides alternate, ${bench.rounds} slices each of whole passes over the same ${families[0]?.family.requests.length} different requests; all responses were compared first. Both sides were warmed up with ${WARM.toLocaleString('en')} unmeasured requests, because Node and Java compile code while it runs.`,
      `Warm: listings are cached in the memory of the API, which used ${idle} MB after the start and ${await residentMb(api.pid)} MB at the end. Cold: another process with a cache too small for any listing.`,
      'Page cache and filter cache of OpenSearch are warm for both sides. Its request cache only stores counts: "cached" finds them there; "not cached" clears it before every slice and repeats no request.',
    ],
  );
}
