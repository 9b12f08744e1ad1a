import { type ApiCaller, type ApiProcess, startApi, unlimitedKey } from '../api-process.ts';
import { type Bench, type Figure, figure, type PartResult } from '../bench.ts';
import { type Corpus, marketMoment } from '../corpus.ts';
import { othersMeter } from '../machine.ts';
import { openProcessorTimes, type ProcessorTimes } from '../processes.ts';
import { type Cohort, readCohorts } from '../requests/cohorts.ts';
import { getFromApi } from '../requests/listing-requests.ts';
import { isStatistic, type MixedKind, type MixedRequest, mixedRequests } from '../requests/mixed.ts';
import { type PacedCall, type PacedResult, summarizeKinds } from './open-loop.ts';
import { sendFromThread } from './paced-thread.ts';

/** Seconds of a load, except beside other work. */
const STEP_S = 60;
/** Several organizations, because charges for one organization are serialized. */
const ORGANIZATIONS = 16;
/** Milliseconds by which the load may be late, at p99, before its times are not those of the service. */
const MAX_DELAY_MS = 10;
/** Percentage of the machine's processors beyond which other processes distort the times. */
const MAX_BUSY = 5;

/** Loads of calls of all kinds, and their figures. */
export interface PacedLoad {
  bench: Bench;
  corpus: Corpus;
  cohorts: readonly Cohort[];
  keys: readonly string[];
  figures: Figure[];
  notes: Set<string>;
}

export async function openPacedLoad(bench: Bench): Promise<PacedLoad> {
  const corpus = await bench.corpus();
  const keys = await Promise.all(Array.from({ length: ORGANIZATIONS }, (_, at) => unlimitedKey(corpus, `Bench ${at}`)));
  return { bench, corpus, cohorts: await readCohorts(corpus), keys, figures: [], notes: new Set() };
}

export const resultOf = ({ figures, notes }: PacedLoad): PartResult => ({ figures, notes: [...notes] });

export const startPacedApi = ({ corpus, keys }: PacedLoad): Promise<ApiProcess> =>
  startApi(corpus, { clock: marketMoment(corpus), key: keys[0] as string });

let drawn = 0;
/** Each load has other requests, so that no cache has their results. */
export const draw = async (
  { corpus, cohorts }: PacedLoad,
  length: number,
  only?: MixedKind,
): Promise<MixedRequest[]> => [
  ...(await mixedRequests(corpus, cohorts, length, { seed: ++drawn, ...(only === undefined ? {} : { only }) })),
];

export const callsOf = (
  { keys }: PacedLoad,
  requests: readonly MixedRequest[],
  apis: readonly ApiCaller[],
): PacedCall[] =>
  requests.map(({ kind, path }, at) => {
    const { origin } = apis[at % apis.length] as ApiCaller;
    return { kind, origin, request: getFromApi(path, { origin, key: keys[at % keys.length] as string }) };
  });

/** Sends calls at a rate that does not depend on the responses, as independent clients do. */
export async function measure(
  load: PacedLoad,
  title: string,
  apis: readonly (ApiCaller & { pid: number })[],
  rate: number,
) {
  const calls = callsOf(load, await draw(load, rate * (load.bench.quick ? 3 : STEP_S)), apis);
  return observe(load, title, apis, { calls, rate });
}

/**
 * Sends calls and adds their figures.
 * @param until ends the load early
 */
export async function observe(
  { bench, corpus, figures, notes }: PacedLoad,
  title: string,
  apis: readonly { pid: number }[],
  { calls, rate, until }: { calls: PacedCall[]; rate: number; until?: Promise<unknown> },
) {
  bench.signal.throwIfAborted();
  const read = await openProcessorTimes(
    corpus,
    apis.map(({ pid }) => pid),
  );
  const others = othersMeter();
  const before = await read();
  const { results, examples } = await sendFromThread({ calls, perSecond: rate }, until);
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
  if (all.delayP99 > MAX_DELAY_MS)
    notes.add(`No figures to quote: the load was late by ${Math.round(all.delayP99)} ms at p99 (${title}).`);
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

export const differences = (now: ProcessorTimes, before: ProcessorTimes): Record<string, number> =>
  Object.fromEntries(Object.entries(now).map(([name, ms]) => [name, ms - (before[name as keyof ProcessorTimes] ?? 0)]));
