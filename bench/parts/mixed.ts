import { type ApiProcess, unlimitedKey } from '../api-process.ts';
import type { Bench, Part, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { summarize, timeHeads, timesOf } from '../load/generator.ts';
import type { HttpRequest, SliceResult } from '../load/protocol.ts';
import { residentMb } from '../machine.ts';
import { startApiOnTheDay } from '../market-day.ts';
import { readFacts } from '../requests/facts.ts';
import { readIds } from '../requests/ids.ts';
import { getFromApi } from '../requests/market.ts';
import { mixedPaths } from '../requests/mixed.ts';
import { measureOverload } from './overload.ts';

const CONNECTIONS = 64;
/** Thirty requests per second for an hour. */
const REQUESTS = 30 * 3_600;
const QUICK_REQUESTS = 6_000;
const SLICES = 12;
const ORGANIZATIONS = 16;
/** Memory at the end over that after three quarters of the requests, when caches are full or complete. */
const MAX_GROWTH = 1.15;

/** Sends an hour's worth of different requests of all kinds as fast as possible. */
export const mixedPart: Part = {
  name: 'mixed',
  summary:
    'an hour’s worth of different requests of all kinds by 64 connections: times, errors, memory; then 20 times the peak from one organization',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const facts = await readFacts(corpus);
  const ids = await readIds(corpus);
  const total = bench.options.quick ? QUICK_REQUESTS : REQUESTS;
  const paths = mixedPaths(facts, ids, total);
  const api = await startApiOnTheDay(corpus, bench.options.profileDir);
  const callers = await makeCallers(corpus, api);
  const bar = bench.screen.progress('Mixed load', SLICES);
  const slices: SliceResult[] = [];
  const rows: (string | number)[][] = [];
  const memory: number[] = [];
  const examples: string[] = [];
  try {
    for (let at = 0; at < SLICES; at++) {
      bench.signal.throwIfAborted();
      const requests = take(paths, Math.ceil(total / SLICES), callers);
      await bench.load.setSides({ api: { kind: 'http', origin: api.origin, requests } });
      const slice = await bench.load.run({ side: 'api', connections: CONNECTIONS, count: requests.length });
      slices.push(slice);
      examples.push(...slice.examples);
      memory.push(await residentMb(api.pid));
      const side = summarize([slice]);
      rows.push([at + 1, ...timesOf([side]), slice.failures, memory.at(-1) as number]);
      bar.update(at + 1, `${Math.round(side.per_second)} per second`);
    }
  } finally {
    bar.end();
    await api.stop();
  }
  const all = summarize(slices);
  const overload = await measureOverload(bench, corpus, facts, ids);
  const growth = (memory.at(-1) as number) / (memory[(SLICES * 3) / 4 - 1] as number);
  return {
    tables: [
      {
        title: `${total.toLocaleString('en')} different requests, ${CONNECTIONS} connections, ${ORGANIZATIONS} organizations`,
        head: ['Part', ...timeHeads('API'), 'failed', 'memory MB'],
        rows,
      },
      ...overload.tables,
    ],
    figures: [
      { name: 'requests that failed', value: all.failures, unit: '', target: { atMost: 0 } },
      { name: 'p50', value: all.p50, unit: 'ms' },
      { name: 'p99', value: all.p99, unit: 'ms' },
      { name: 'requests per second', value: all.per_second, unit: '' },
      { name: 'memory at the end', value: memory.at(-1) as number, unit: 'MB' },
      {
        name: 'memory at the end over that after three quarters',
        value: growth,
        unit: 'x',
        target: { atMost: MAX_GROWTH },
      },
      ...overload.figures,
    ],
    notes: [
      'No request is repeated. Each connection sends its next request after the last response, so that latencies are those of a saturated service.',
      ...overload.notes,
      ...examples.slice(0, 3).map((example) => `Failed: ${example}`),
    ],
  };
}

/** Several organizations, because the calls of one wait for each other. */
async function makeCallers(corpus: Corpus, api: ApiProcess): Promise<ApiProcess[]> {
  const callers = [api];
  while (callers.length < ORGANIZATIONS)
    callers.push({ ...api, ...(await unlimitedKey(corpus, `Bench ${callers.length}`)) });
  return callers;
}

function take(paths: Iterator<string>, count: number, callers: readonly ApiProcess[]): HttpRequest[] {
  const requests: HttpRequest[] = [];
  while (requests.length < count) {
    const { value, done } = paths.next();
    if (done) break;
    requests.push(getFromApi(value, callers[requests.length % callers.length] as ApiProcess));
  }
  return requests;
}
