import { request as send } from 'undici';
import { monthLabel } from '#domain/months.ts';
import { MAX_MONTHS, type TrendInput, trendsBody } from '#queries/analytics/trends.ts';
import type { ApiProcess } from '../api-process.ts';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { summarize, timeHeads, timesOf } from '../load/generator.ts';
import { takeTurns } from '../load/turns.ts';
import { startApiOnTheDay } from '../market-day.ts';
import { marketSide, trendsStatement } from '../postgres/market.ts';
import { readFacts } from '../requests/facts.ts';
import { engineRequest } from '../requests/http-requests.ts';
import { marketRequests, trendsApiRequest } from '../requests/market.ts';
import { HISTORY_START, lastMonthOf, makeTrendsIndex, makeTrendsTable, serveTrendsIndex } from '../trends-copies.ts';

const NAMES = ['api', 'engine', 'postgres'] as const;
/** Questions of a slice. */
const SLICE = 12;
/** Questions that are held against Postgres's answer, and not timed. */
const CHECKED = 6;
const MIN_AHEAD = 3;
/** Of a few neighborhoods Postgres reads some hundred index entries: the API is to take twice as long at most. */
const MIN_AHEAD_OF_NEIGHBORHOODS = 0.5;

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
  const restore = await serveTrendsIndex(corpus, index);
  const api = await startApiOnTheDay(corpus, bench.options.profileDir, { HISTORY_START });
  try {
    return await compareTrends(bench, corpus, index, api);
  } finally {
    await api.stop();
    await restore();
  }
}

async function compareTrends(bench: Bench, corpus: Corpus, index: string, api: ApiProcess): Promise<PartResult> {
  const facts = await readFacts(corpus);
  const lastMonth = lastMonthOf(corpus);
  const length = SLICE * (bench.rounds * 2 + 1) + CHECKED;
  const months = { basis: 'on_market', firstMonth: lastMonth - MAX_MONTHS + 1, lastMonth } as const;
  const asked = (kind: Parameters<typeof marketRequests>[0], largest = false): TrendInput[] =>
    marketRequests(kind, facts, length, largest).map(({ filters }) => ({ filters, ...months }));
  const families = [
    { title: 'a city or a part of it', questions: asked('summary'), atLeast: MIN_AHEAD },
    {
      title: 'up to five neighborhoods',
      questions: asked('neighborhoods/compare'),
      atLeast: MIN_AHEAD_OF_NEIGHBORHOODS,
    },
    { title: 'the largest city', questions: asked('summary', true), atLeast: MIN_AHEAD },
  ];
  const bar = bench.screen.progress('Trends', families.length);
  const rows: (string | number)[][] = [];
  const figures: Figure[] = [];
  const notes: string[] = [];
  for (const [at, { title, questions, atLeast }] of families.entries()) {
    notes.push(await agreement(title, questions.slice(-CHECKED), corpus, api));
    await bench.load.setSides({
      api: {
        kind: 'http',
        origin: api.origin,
        requests: questions.map(({ filters }) => trendsApiRequest(filters, api)),
      },
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
      const [ours, engine, postgres] = NAMES.map((name) => summarize(slices[name] ?? []));
      if (!ours || !engine || !postgres) throw new Error('a side was not measured');
      const times = { p50: postgres.p50 / ours.p50, throughput: ours.per_second / postgres.per_second };
      rows.push([title, connections, ...timesOf([ours, engine, postgres]), times.p50, times.throughput]);
      const target = { unit: 'x', target: { atLeast } };
      figures.push(
        connections === 1
          ? { name: `trends of ${title}: p50 of Postgres over the API's`, value: times.p50, ...target }
          : {
              name: `trends of ${title}: throughput of the API over Postgres's at ${connections}`,
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
        head: ['Trends of', 'Conn.', ...timeHeads('API', 'OpenSearch', 'Postgres'), 'p50 x', '/s x'],
        rows,
      },
    ],
    figures,
    notes: [
      'A corpus is seen on one day, so its history is made up: each listing live over one stretch of months, up to fourteen, 40 in 100 to the end. The API, which checks keys and charges; one request with histograms and all percents straight to OpenSearch, with its cache of answers off; and one prepared statement over covering indexes. No question is asked twice.',
      ...notes,
    ],
  };
}

interface Answer {
  data: { series: { neighborhood_id: number | null; points: ApiPoint[] }[] };
}

interface ApiPoint {
  month: string;
  sample_size: number | null;
  median_price_sar: number | null;
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
  { pool }: Corpus,
  api: ApiProcess,
): Promise<string> {
  let points = 0;
  let worst = 0;
  for (const question of questions) {
    const { path, headers } = trendsApiRequest(question.filters, api);
    const response = await send(`${api.origin}${path}`, { headers });
    const { data } = (await response.body.json()) as Answer;
    const found = new Map<string, ApiPoint>();
    for (const { neighborhood_id, points } of data.series)
      for (const point of points) if (point.sample_size) found.set(`${neighborhood_id ?? 0} ${point.month}`, point);
    const { text, values } = trendsStatement(question);
    const { rows } = await pool.query<[string | null]>({ text, values: values as unknown[], rowMode: 'array' });
    const theirs = JSON.parse(rows[0]?.[0] ?? '[]') as Point[];
    if (theirs.length !== found.size)
      throw new Error(`Postgres has other months: ${JSON.stringify(question)}: ${theirs.length} and ${found.size}`);
    for (const { series: of, month, sample_size, q } of theirs) {
      const ours = found.get(`${of} ${monthLabel(month)}`);
      if (ours?.sample_size !== sample_size)
        throw new Error(`Postgres counts differently: ${JSON.stringify(question)}: ${month} ${sample_size}`);
      worst = Math.max(worst, Math.abs((ours.median_price_sar ?? 0) / q[1] - 1));
      points++;
    }
  }
  return `Trends of ${title}: ${questions.length} other questions, ${points} months of them, were answered alike, counts exactly, medians within ${(worst * 100).toFixed(2)}%.`;
}
