import { startApi } from '../api-process.ts';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import { compare } from '../load/generator.ts';
import { warmUp } from '../load/turns.ts';
import { answersOf, expectSame, readApiAnswer, readEngineAnswer } from '../requests/answers.ts';
import { readFacts } from '../requests/facts.ts';
import { FAMILY_NAMES, type Family, makeFamily, uncachedCounts } from '../requests/families.ts';
import { apiSide, clearRequestCache, engineSide } from '../requests/http-requests.ts';

const MIN_RATIO: Readonly<Record<number, number>> = { 25: 0.55, 100: 0.65 };
const MAX_ADDED = 1.2;

/** The API beside the same queries sent straight to the engine. */
export const searchPart: Part = {
  name: 'search',
  summary: 'the API beside the same queries sent straight to OpenSearch, at 1 and 8 connections',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const facts = await readFacts(corpus);
  const families: { family: Family; uncached: boolean }[] = [];
  for (const name of FAMILY_NAMES) families.push({ family: await makeFamily(name, corpus, facts), uncached: false });
  families.push({ family: await uncachedCounts(facts), uncached: true });

  const api = await startApi(corpus, bench.options.profileDir);
  const rows: (string | number)[][] = [];
  const figures: Figure[] = [];
  const bar = bench.screen.progress('Search', families.length * 2);
  try {
    for (const [at, { family, uncached }] of families.entries()) {
      const sides = { api: apiSide(family.requests, api, corpus), engine: engineSide(family.requests, corpus) };
      expectSame(
        family.title,
        await answersOf(sides.api, readApiAnswer),
        await answersOf(sides.engine, readEngineAnswer),
      );
      await bench.load.setSides(sides);
      if (at === 0) await warmUp(bench, Object.keys(sides));
      for (const connections of [1, 8]) {
        bench.signal.throwIfAborted();
        const result = await compare(bench.load, ['api', 'engine'], {
          connections,
          rounds: bench.rounds,
          sliceMs: bench.sliceMs,
          listLength: family.requests.length,
          ...(uncached ? { once: true, before: () => clearRequestCache(corpus) } : {}),
        });
        const { api: ours, engine } = result.sides;
        if (!ours || !engine) throw new Error('a side was not measured');
        const ratio = result.ratio('api', 'engine');
        const added = ours.p50 - engine.p50;
        const title = family.name === 'count' && !uncached ? 'count, cached' : family.title;
        rows.push([
          title,
          connections,
          ours.p50,
          ours.p99,
          ours.per_second,
          engine.p50,
          engine.p99,
          engine.per_second,
          ratio,
          added,
        ]);
        if (connections === 1) {
          figures.push({
            name: `${title}: added to p50 at 1 connection`,
            value: added,
            unit: 'ms',
            target: { atMost: MAX_ADDED },
          });
        } else {
          const least = MIN_RATIO[family.limit];
          const target = least === undefined ? {} : { target: { atLeast: least } };
          figures.push({ name: `${title}: share of the engine's throughput at 8`, value: ratio, unit: '', ...target });
        }
        bar.update(at * 2 + (connections === 1 ? 1 : 2), title);
      }
    }
  } finally {
    bar.end();
    await api.stop();
  }
  const length = families[0]?.family.requests.length ?? 0;
  return {
    tables: [
      {
        title:
          'The API (key, charge and all) and OpenSearch asked directly (whole _source, exactly the rows), milliseconds and requests a second',
        head: ['Request', 'Conn.', 'API p50', 'p99', '/s', 'OpenSearch p50', 'p99', '/s', 'ratio', 'added p50'],
        rows,
      },
    ],
    figures,
    notes: [
      `Sides take turns, ${bench.rounds} slices each of whole passes over the same ${length} different requests; every answer was first held against the other side's. Before the first slice both have answered 6,000 that nobody timed: the code of Node and Java is compiled as it runs.`,
      'Page cache and the filter cache of the engine are warm for both sides; its cache of whole answers only takes counts: "cached" finds them there, "not cached" empties it before every slice and repeats nothing.',
    ],
  };
}
