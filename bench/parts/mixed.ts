import { chunks } from '#domain/chunks.ts';
import { type ApiCaller, startApi, unlimitedKey } from '../api-process.ts';
import { type Bench, figure, type PartResult } from '../bench.ts';
import { marketMoment } from '../corpus.ts';
import { LoadGenerator, type SliceResult } from '../load/generator.ts';
import { summarize } from '../load/statistics.ts';
import { residentMb } from '../machine.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { getFromApi } from '../requests/listing-requests.ts';
import { mixedPaths } from '../requests/mixed.ts';

const CONNECTIONS = 64;
/** Thirty requests per second for an hour. */
const REQUESTS = 30 * 3_600;
const QUICK_REQUESTS = 6_000;
const SLICES = 12;
/** Several organizations, because charges for one organization are serialized. */
const ORGANIZATIONS = 16;

/** Sends an hour's worth of different requests of all kinds as fast as possible. */
export async function mixed(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const total = bench.quick ? QUICK_REQUESTS : REQUESTS;
  const paths = [...(await mixedPaths(corpus, await readCohorts(corpus), total))];
  await using api = await startApi(corpus, { clock: marketMoment(corpus) });
  const callers: ApiCaller[] = [api];
  while (callers.length < ORGANIZATIONS)
    callers.push({ origin: api.origin, key: await unlimitedKey(corpus, `Bench ${callers.length}`) });
  const slices: SliceResult[] = [];
  const memory: number[] = [];
  const bar = bench.screen.progress('Mixed load', SLICES);
  for (const some of chunks(paths, Math.ceil(total / SLICES))) {
    bench.signal.throwIfAborted();
    const requests = some.map((path, index) => getFromApi(path, callers[index % ORGANIZATIONS] as ApiCaller));
    const load = new LoadGenerator({ origin: api.origin, requests });
    slices.push(await load.run({ connections: CONNECTIONS, count: requests.length }));
    await load.close();
    memory.push(await residentMb(api.pid));
    bar.update(slices.length);
  }
  bar.end();
  const { failures, p50, p99, per_second } = summarize(slices);
  const growth = (memory.at(-1) as number) / (memory[(SLICES * 3) / 4 - 1] as number);
  return {
    figures: [
      figure('requests that failed', failures),
      figure('p50', p50, 'ms'),
      figure('p99', p99, 'ms'),
      figure('requests per second', per_second, '/s'),
      figure('memory at the end', memory.at(-1) as number, 'MB'),
      // After three quarters of the requests, caches are full.
      figure('memory at the end over that after three quarters', growth, 'x'),
    ],
    notes: [
      `${total.toLocaleString('en')} different requests by ${CONNECTIONS} connections of ${ORGANIZATIONS} organizations. Each connection sends its next request after the last response, so that latencies are those of a saturated service.`,
      ...slices.flatMap(({ examples }) => examples.map((example) => `Failed: ${example}`)).slice(0, 3),
    ],
  };
}
