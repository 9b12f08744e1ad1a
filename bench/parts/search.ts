import { startApi } from '../api-process.ts';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import { compare, timeHeads } from '../load/generator.ts';
import { warmUp } from '../load/turns.ts';
import { residentMb } from '../machine.ts';
import { answersOf, expectSame, readApiAnswer, readEngineAnswer } from '../requests/answers.ts';
import { readFacts } from '../requests/facts.ts';
import { FAMILY_NAMES, type Family, makeFamily, uncachedCounts } from '../requests/families.ts';
import { apiSide, clearRequestCache, engineSide } from '../requests/http-requests.ts';

/** By rows per page; counts have none. Cold: the target from before listings were cached in memory. */
const MIN_RATIO: Readonly<Record<number, { warm: number; cold?: number }>> = {
  0: { warm: 0.35 },
  25: { warm: 0.75, cold: 0.48 },
  100: { warm: 1.3, cold: 0.55 },
};
const MAX_ADDED: Readonly<Record<number, number>> = { 0: 1.2, 25: 0.5, 100: 0 };
/** A listing cache too small for any listing, so that every read is a miss, as in a newly started process. */
const COLD = { LISTING_CACHE_BYTES: '1' };

/** Compares the API with the same queries sent directly to OpenSearch. */
export const searchPart: Part = {
  name: 'search',
  summary: 'the API against the same queries sent directly to OpenSearch, at 1 and 8 connections',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const facts = await readFacts(corpus);
  const families: { family: Family; uncached: boolean }[] = [];
  for (const name of FAMILY_NAMES) families.push({ family: await makeFamily(name, corpus, facts), uncached: false });
  families.push({ family: await uncachedCounts(facts), uncached: true });

  const api = await startApi(corpus, bench.options.profileDir);
  const coldApi = await startApi(corpus, null, COLD, api);
  const memory = { idle: await residentMb(api.pid), served: 0 };
  const rows: (string | number)[][] = [];
  const figures: Figure[] = [];
  const bar = bench.screen.progress('Search', families.length * 2);
  try {
    for (const [at, { family, uncached }] of families.entries()) {
      const sides = {
        api: apiSide(family.requests, api, corpus),
        engine: engineSide(family.requests, corpus),
        ...(family.limit > 0 ? { cold: apiSide(family.requests, coldApi, corpus) } : {}),
      };
      const names = Object.keys(sides);
      for (const side of [sides.api, sides.cold ?? sides.api])
        expectSame(family.title, await answersOf(side, readApiAnswer), await answersOf(sides.engine, readEngineAnswer));
      await bench.load.setSides(sides);
      if (at === 0) await warmUp(bench, names);
      for (const connections of [1, 8]) {
        bench.signal.throwIfAborted();
        const result = await compare(bench.load, names, {
          connections,
          rounds: bench.rounds,
          sliceMs: bench.sliceMs,
          listLength: family.requests.length,
          ...(uncached ? { once: true, before: () => clearRequestCache(corpus) } : {}),
        });
        const { api: ours, engine, cold } = result.sides;
        if (!ours || !engine) throw new Error('a side was not measured');
        const title = family.name === 'count' && !uncached ? 'count, cached' : family.title;
        for (const [kind, side, summary] of [
          ['warm', 'api', ours],
          ['cold', 'cold', cold],
        ] as const) {
          if (!summary) continue;
          const ratio = result.ratio(side, 'engine');
          const added = summary.p50 - engine.p50;
          const name = family.limit > 0 ? `${title}, ${kind}` : title;
          rows.push([
            name,
            connections,
            summary.p50,
            summary.p99,
            summary.per_second,
            engine.p50,
            engine.p99,
            engine.per_second,
            ratio,
            added,
          ]);
          if (connections === 8) {
            const least = MIN_RATIO[family.limit]?.[kind];
            const target = least === undefined ? {} : { target: { atLeast: least } };
            figures.push({ name: `${name}: share of the engine's throughput at 8`, value: ratio, unit: '', ...target });
          } else if (kind === 'warm') {
            const most = MAX_ADDED[family.limit];
            const target = most === undefined ? {} : { target: { atMost: most } };
            figures.push({ name: `${name}: added to p50 at 1 connection`, value: added, unit: 'ms', ...target });
          }
        }
        bar.update(at * 2 + (connections === 1 ? 1 : 2), title);
      }
    }
    memory.served = await residentMb(api.pid);
  } finally {
    bar.end();
    await Promise.all([api.stop(), coldApi.stop()]);
  }
  const length = families[0]?.family.requests.length ?? 0;
  return {
    tables: [
      {
        title:
          'The API (with key check and charge) and OpenSearch directly (whole _source, exactly the rows), milliseconds and requests per second',
        head: ['Request', 'Conn.', ...timeHeads('API', 'OpenSearch'), 'ratio', 'added p50'],
        rows,
      },
    ],
    figures,
    notes: [
      `Sides alternate, ${bench.rounds} slices each of whole passes over the same ${length} different requests; all responses were compared first. Both sides were warmed up with 6,000 unmeasured requests, because Node and Java compile code while it runs.`,
      `Warm: listings are cached in the memory of the API, which used ${memory.idle} MB after the start and ${memory.served} MB at the end. Cold: another process with a cache too small for any listing.`,
      'Page cache and filter cache of OpenSearch are warm for both sides. Its request cache only stores counts: "cached" finds them there; "not cached" clears it before every slice and repeats no request.',
    ],
  };
}
