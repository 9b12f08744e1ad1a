import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiCaller, startApi, unlimitedKey } from '../api-process.ts';
import { type Bench, type Figure, figure, type PartResult } from '../bench.ts';
import { type Corpus, marketMoment } from '../corpus.ts';
import { LoadGenerator } from '../load/generator.ts';
import { type PacedCall, type PacedResult, sendPaced, summarizeKinds } from '../load/open-loop.ts';
import { othersMeter, residentMb } from '../machine.ts';
import { plotTimes, type Series } from '../plot.ts';
import { openProcessorTimes, type ProcessorTimes } from '../processes.ts';
import { type Cohort, readCohorts } from '../requests/cohorts.ts';
import { getFromApi } from '../requests/listing-requests.ts';
import { isStatistic, MIXED_KINDS, type MixedKind, type MixedRequest, mixedRequests } from '../requests/mixed.ts';
import { reindexListings } from './reindex.ts';

/** Calls per second of the steps, and their seconds. */
const RATES = [25, 50, 100, 200, 300, 400, 500, 800];
const STEP_S = 25;
/** Rates of two API processes. */
const RATES_OF_TWO = [300, 400];
/** Rates of a new process, of calls during an ingest run, and during a fill. */
const STEADY_RATE = 60;
/** Listings of the ingest run, in a database and indexes of their own: a number that the measured listings do not have. */
const INGESTED = 19_999;
/** The longest fill. Its requests are prepared before. */
const MAX_FILL_S = 300;
/** Calls of one kind, one at a time, for their processor time; before them, a tenth unmeasured. */
const CALLS_OF_KIND = 400;
/** Several organizations, because charges for one organization are serialized. */
const ORGANIZATIONS = 16;
/** Percentage of the machine's processors beyond which other processes distort the times. */
const MAX_BUSY = 5;

interface Load {
  bench: Bench;
  corpus: Corpus;
  cohorts: readonly Cohort[];
  keys: readonly string[];
  figures: Figure[];
  notes: Set<string>;
}

/** Sends calls of all kinds at rates that do not depend on the responses, as independent clients do. */
export async function paced(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const keys = await Promise.all(Array.from({ length: ORGANIZATIONS }, (_, at) => unlimitedKey(corpus, `Bench ${at}`)));
  const load: Load = { bench, corpus, cohorts: await readCohorts(corpus), keys, figures: [], notes: new Set() };
  const begun = await startOf(load);
  await measure(load, 'first seconds of a process', [begun], STEADY_RATE);
  await begun[Symbol.asyncDispose]();

  await using api = await startOf(load);
  const series = seriesOf();
  for (const rate of bench.quick ? RATES.slice(0, 2) : RATES) {
    const { searches, statistics } = await measure(load, `${rate}/s`, [api], rate);
    for (const [at, ms] of [searches.p50, searches.p99, statistics.p50, statistics.p99].entries())
      series[at]?.points.push([rate, ms]);
  }
  await costs(load, api);
  load.figures.push(figure('memory of the API', await residentMb(api.pid), 'MB'));
  await writeFile(join(bench.dataDir, 'paced.svg'), plotTimes('calls per second, one API process', series));
  load.notes.add(`Plot: ${join(bench.dataDir, 'paced.svg')}`);

  await beside(load, 'beside an ingest run', api, () => bench.ingestOthers(bench.quick ? 999 : INGESTED));
  await beside(load, 'beside a fill', api, () => reindexListings(bench, corpus));
  {
    await using second = await startOf(load);
    for (const rate of bench.quick ? RATES_OF_TWO.slice(0, 1) : RATES_OF_TWO)
      await measure(load, `two API processes, ${rate}/s`, [api, second], rate);
  }
  return { figures: load.figures, notes: [...load.notes] };
}

const startOf = ({ corpus, keys }: Load) => startApi(corpus, { clock: marketMoment(corpus), key: keys[0] as string });

const seriesOf = (): (Series & { points: [number, number][] })[] =>
  ['searches, p50', 'searches, p99', 'statistics, p50', 'statistics, p99'].map((name) => ({ name, points: [] }));

let drawn = 0;
/** Each load has other requests, so that no cache has their results. */
const draw = async ({ corpus, cohorts }: Load, length: number, only?: MixedKind): Promise<MixedRequest[]> => [
  ...(await mixedRequests(corpus, cohorts, length, { seed: ++drawn, ...(only === undefined ? {} : { only }) })),
];

const callsOf = ({ keys }: Load, requests: readonly MixedRequest[], apis: readonly ApiCaller[]): PacedCall[] =>
  requests.map(({ kind, path }, at) => {
    const { origin } = apis[at % apis.length] as ApiCaller;
    return { kind, origin, request: getFromApi(path, { origin, key: keys[at % keys.length] as string }) };
  });

async function measure(load: Load, title: string, apis: readonly (ApiCaller & { pid: number })[], rate: number) {
  const calls = callsOf(load, await draw(load, rate * (load.bench.quick ? 3 : STEP_S)), apis);
  return observe(load, title, apis, (examples) => sendPaced(calls, rate, { examples }));
}

/** Sends calls until other work has ended. */
async function beside(load: Load, title: string, api: ApiCaller & { pid: number }, work: () => Promise<unknown>) {
  const calls = callsOf(load, await draw(load, STEADY_RATE * (load.bench.quick ? 60 : MAX_FILL_S)), [api]);
  let isEnded = false;
  const working = work().finally(() => {
    isEnded = true;
  });
  working.catch(() => {});
  await observe(load, title, [api], (examples) => sendPaced(calls, STEADY_RATE, { isEnded: () => isEnded, examples }));
  await working;
}

/** Adds the figures of a load. */
async function observe(
  { bench, corpus, figures, notes }: Load,
  title: string,
  apis: readonly { pid: number }[],
  send: (examples: Set<string>) => Promise<PacedResult>,
) {
  bench.signal.throwIfAborted();
  const read = await openProcessorTimes(
    corpus,
    apis.map(({ pid }) => pid),
  );
  const examples = new Set<string>();
  const others = othersMeter();
  const before = await read();
  const results = await send(examples);
  const used = differences(await read(), before);
  const busy = others(Object.values(used).reduce((sum, ms) => sum + ms, 0));
  const [searches, statistics, all] = [
    summarizeKinds(results, (kind) => !isStatistic(kind)),
    summarizeKinds(results, isStatistic),
    summarizeKinds(results),
  ];
  figures.push(
    figure(`${title}: searches, p50`, searches.p50, 'ms'),
    figure(`${title}: searches, p99`, searches.p99, 'ms'),
    figure(`${title}: statistics, p50`, statistics.p50, 'ms'),
    figure(`${title}: statistics, p99`, statistics.p99, 'ms'),
    figure(`${title}: failed`, all.failures),
    figure(`${title}: refused`, (100 * all.refused) / (all.served + all.refused + all.failures), '%'),
  );
  if (all.refused > 0) figures.push(figure(`${title}: refusals, p99`, all.refusedP99, 'ms'));
  for (const [name, ms] of Object.entries(used))
    figures.push(figure(`${title}: processor time of ${name}`, ms / Math.max(1, all.served), 'ms per served call'));
  for (const example of examples) notes.add(`Failed (${title}): ${example}`);
  // The concurrent work runs in the same process.
  if (busy > MAX_BUSY && !title.startsWith('beside'))
    notes.add(`No figures to quote: other processes used ${busy}% of the processors (${title}).`);
  const kinds = [...results].map(([kind, { times }]) => `${kind} ${kindTimes(results, kind)} (${times.length})`);
  bench.screen.say(`  ${title}: ${kinds.join(', ')}`);
  return { searches, statistics };
}

const kindTimes = (results: PacedResult, kind: string): string => {
  const { p50, p99 } = summarizeKinds(results, (each) => each === kind);
  return `${Math.round(p50)}/${Math.round(p99)} ms`;
};

const differences = (now: ProcessorTimes, before: ProcessorTimes): Record<string, number> =>
  Object.fromEntries(Object.entries(now).map(([name, ms]) => [name, ms - (before[name as keyof ProcessorTimes] ?? 0)]));

/** Processor time of a million calls of each kind, in all processes without the load. */
async function costs(load: Load, api: ApiCaller & { pid: number }): Promise<void> {
  const { bench, corpus, figures } = load;
  const read = await openProcessorTimes(corpus, [api.pid]);
  const count = bench.quick ? 20 : CALLS_OF_KIND;
  for (const kind of MIXED_KINDS) {
    const requests = callsOf(load, await draw(load, Math.ceil(count * 1.1), kind), [api]).map(({ request }) => request);
    const warm = requests.splice(count);
    await run(api, warm);
    const before = await read();
    const { failures } = await run(api, requests);
    const { load: _, ...used } = differences(await read(), before);
    // A millisecond for a call is a thousand seconds for a million.
    const seconds = (1_000 * Object.values(used).reduce((sum, ms) => sum + ms, 0)) / count;
    figures.push(figure(`${kind}: a million calls`, failures > 0 ? Number.NaN : seconds, 's of processor time'));
  }
}

async function run({ origin }: ApiCaller, requests: PacedCall['request'][]) {
  const generator = new LoadGenerator({ origin, requests });
  const slice = await generator.run({ connections: 1, count: requests.length });
  await generator.close();
  return slice;
}
