import { chunks } from '#domain/chunks.ts';
import { type ApiCaller, startApi, unlimitedKey } from '../api-process.ts';
import { type Bench, figure, forEachStep, type PartResult, type Row, resultOf } from '../bench.ts';
import { marketMoment } from '../corpus/corpus.ts';
import type { SliceResult } from '../load/protocol.ts';
import { summarize, timeHeads, timesOf } from '../load/statistics.ts';
import { residentMb } from '../machine.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { mixedPaths } from '../requests/mixed.ts';
import { getFromApi } from '../requests/sides.ts';

const CONNECTIONS = 64;
/** Thirty requests per second for an hour. */
const REQUESTS = 30 * 3_600;
const QUICK_REQUESTS = 6_000;
const SLICES = 12;
/** Several organizations, because charges for one organization are serialized. */
const ORGANIZATIONS = 16;
/** Maximum ratio of memory at the end to memory after three quarters of the requests, when caches are full. */
const MAX_GROWTH = 1.15;

/** Sends an hour's worth of different requests of all kinds as fast as possible. */
export async function mixed(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const total = bench.options.quick ? QUICK_REQUESTS : REQUESTS;
  const paths = [...(await mixedPaths(corpus, await readCohorts(corpus), total))];
  await using api = await startApi(corpus, { profileDir: bench.options.profileDir, clock: marketMoment(corpus) });
  const callers: ApiCaller[] = [api];
  while (callers.length < ORGANIZATIONS)
    callers.push({ ...api, ...(await unlimitedKey(corpus, `Bench ${callers.length}`)) });
  const slices: SliceResult[] = [];
  const rows: Row[] = [];
  const memory: number[] = [];
  await forEachStep(bench, 'Mixed load', [...chunks(paths, Math.ceil(total / SLICES))], async (some, at) => {
    const requests = some.map((path, index) => getFromApi(path, callers[index % ORGANIZATIONS] as ApiCaller));
    await bench.load.setSides({ api: { kind: 'http', origin: api.origin, requests } });
    const slice = await bench.load.run({ side: 'api', connections: CONNECTIONS, count: requests.length });
    const mb = await residentMb(api.pid);
    const side = summarize([slice]);
    slices.push(slice);
    memory.push(mb);
    rows.push([at + 1, ...timesOf(side), slice.failures, mb]);
    return `${Math.round(side.per_second)} per second`;
  });
  const { failures, p50, p99, per_second } = summarize(slices);
  const growth = (memory.at(-1) as number) / (memory[(SLICES * 3) / 4 - 1] as number);
  return resultOf(
    `${total.toLocaleString('en')} different requests, ${CONNECTIONS} connections, ${ORGANIZATIONS} organizations`,
    ['Part', ...timeHeads('API'), 'failed', 'memory MB'],
    rows,
    [
      figure('requests that failed', failures, '', { atMost: 0 }),
      figure('p50', p50, 'ms'),
      figure('p99', p99, 'ms'),
      figure('requests per second', per_second),
      figure('memory at the end', memory.at(-1) as number, 'MB'),
      figure('memory at the end over that after three quarters', growth, 'x', { atMost: MAX_GROWTH }),
    ],
    [
      'No request is repeated. Each connection sends its next request after the last response, so that latencies are those of a saturated service.',
      ...slices.flatMap(({ examples }) => examples.map((example) => `Failed: ${example}`)).slice(0, 3),
    ],
  );
}
