import { request as send } from 'undici';
import { type PercentilesResult, quartilesOf, snapToRoundWithin } from '#domain/statistics/quantiles.ts';
import { MAX_MONTHS, type TrendInput, trendsBody } from '#queries/analytics/trends.ts';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { summarize, timesOf } from '../load/generator.ts';
import { takeTurns } from '../load/turns.ts';
import { marketSide, trendsStatement } from '../postgres/market.ts';
import { readFacts } from '../requests/facts.ts';
import { engineRequest } from '../requests/http-requests.ts';
import { marketRequests } from '../requests/market.ts';
import { lastMonthOf, makeTrendsIndex, makeTrendsTable } from '../trends-copies.ts';

const NAMES = ['engine', 'postgres'] as const;
/** Questions of a slice. */
const SLICE = 12;
/** Questions that are held against Postgres's answer, and not timed. */
const CHECKED = 6;
const MIN_AHEAD = 3;

/** Three years of trends beside the same in Postgres. */
export const trendsPart: Part = {
  name: 'trends',
  summary: 'three years of monthly medians beside Postgres with percentile_cont',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await makeTrendsTable(bench, corpus);
  const index = await makeTrendsIndex(bench, corpus);
  const facts = await readFacts(corpus);
  const lastMonth = lastMonthOf(corpus);
  const length = SLICE * (bench.rounds * 2 + 1) + CHECKED;
  const months = { basis: 'on_market', firstMonth: lastMonth - MAX_MONTHS + 1, lastMonth } as const;
  const asked = (kind: Parameters<typeof marketRequests>[0], largest = false): TrendInput[] =>
    marketRequests(kind, facts, length, largest).map(({ filters }) => ({ filters, ...months }));
  const families = [
    { title: 'a city or a part of it', questions: asked('summary') },
    { title: 'up to five neighborhoods', questions: asked('neighborhoods/compare') },
    { title: 'the largest city', questions: asked('summary', true) },
  ];
  const bar = bench.screen.progress('Trends', families.length);
  const rows: (string | number)[][] = [];
  const figures: Figure[] = [];
  const notes: string[] = [];
  for (const [at, { title, questions }] of families.entries()) {
    notes.push(await agreement(title, questions.slice(-CHECKED), corpus, index));
    await bench.load.setSides({
      engine: {
        kind: 'http',
        origin: new URL(corpus.config.opensearch.urls[0] as string).origin,
        requests: questions.map((question) => engineRequest(index, trendsBody(question), '?request_cache=false')),
      },
      postgres: marketSide(corpus.config.databaseUrl, questions.map(trendsStatement)),
    });
    for (const [turn, connections] of [1, 8].entries()) {
      bench.signal.throwIfAborted();
      const options = { connections, count: SLICE };
      await takeTurns(bench.load, NAMES, { ...options, rounds: 1, from: 0 });
      const from = SLICE * (1 + turn * bench.rounds);
      const slices = await takeTurns(bench.load, NAMES, { ...options, rounds: bench.rounds, from });
      const [engine, postgres] = NAMES.map((name) => summarize(slices[name] ?? []));
      if (!engine || !postgres) throw new Error('a side was not measured');
      const times = { p50: postgres.p50 / engine.p50, throughput: engine.per_second / postgres.per_second };
      rows.push([title, connections, ...timesOf([engine, postgres]), times.p50, times.throughput]);
      const target = { unit: 'x', target: { atLeast: MIN_AHEAD } };
      figures.push(
        connections === 1
          ? { name: `trends of ${title}: p50 of Postgres over OpenSearch's`, value: times.p50, ...target }
          : {
              name: `trends of ${title}: throughput of OpenSearch over Postgres's at ${connections}`,
              value: times.throughput,
              ...target,
            },
      );
    }
    bar.update(at + 1, title);
  }
  bar.end();
  return {
    tables: [
      {
        title: `${MAX_MONTHS} months of medians and quartiles, milliseconds and requests a second`,
        head: ['Trends of', 'Conn.', 'OpenSearch p50', 'p99', '/s', 'Postgres p50', 'p99', '/s', 'p50 x', '/s x'],
        rows,
      },
    ],
    figures,
    notes: [
      'A corpus is seen on one day, so its history is made up: each listing live over one stretch of months, up to fourteen, 40 in 100 to the end. The query that the service compiles, straight to OpenSearch with its cache of answers off, beside one prepared statement over covering indexes; no question is asked twice.',
      ...notes,
    ],
  };
}

interface Answer {
  aggregations: { months?: Months; series?: { buckets: ({ key: number | string } & { months: Months })[] } };
}

interface Months {
  buckets: {
    key: number;
    doc_count: number;
    price: PercentilesResult;
    prices: { min: number | null; max: number | null };
  }[];
}

interface Point {
  series: number;
  month: number;
  sample_size: number;
  q: [number, number, number];
}

/** Both must count alike, and find nearly the same medians. */
async function agreement(
  title: string,
  questions: readonly TrendInput[],
  { config, pool }: Corpus,
  index: string,
): Promise<string> {
  let points = 0;
  let worst = 0;
  for (const question of questions) {
    const { origin } = new URL(config.opensearch.urls[0] as string);
    const { path, headers, body } = engineRequest(index, trendsBody(question));
    const response = await send(`${origin}${path}`, { method: 'POST', headers, body: body ?? null });
    const { aggregations } = (await response.body.json()) as Answer;
    const series =
      aggregations.series?.buckets ?? (aggregations.months ? [{ key: 0, months: aggregations.months }] : []);
    const found = new Map(
      series.flatMap(({ key, months }) => months.buckets.map((bucket) => [`${key} ${bucket.key}`, bucket] as const)),
    );
    const { text, values } = trendsStatement(question);
    const { rows } = await pool.query<[string | null]>({ text, values: values as unknown[], rowMode: 'array' });
    const theirs = JSON.parse(rows[0]?.[0] ?? '[]') as Point[];
    if (theirs.length !== found.size)
      throw new Error(`Postgres has other months: ${JSON.stringify(question)}: ${theirs.length} and ${found.size}`);
    for (const { series: of, month, sample_size, q } of theirs) {
      const ours = found.get(`${of} ${month}`);
      if (ours?.doc_count !== sample_size)
        throw new Error(`Postgres counts differently: ${JSON.stringify(question)}: ${month} ${sample_size}`);
      const snapToRound = snapToRoundWithin(ours.prices.min ?? 0, ours.prices.max ?? Number.POSITIVE_INFINITY);
      const quartiles = quartilesOf(ours.price, sample_size, snapToRound);
      worst = Math.max(worst, Math.abs((quartiles?.median ?? 0) / q[1] - 1));
      points++;
    }
  }
  return `Trends of ${title}: ${questions.length} other questions, ${points} months of them, were answered alike, counts exactly, medians within ${(worst * 100).toFixed(2)}%.`;
}
