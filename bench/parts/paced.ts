import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiCaller, ApiProcess } from '../api-process.ts';
import { type Bench, figure, type PartResult } from '../bench.ts';
import { LoadGenerator } from '../load/generator.ts';
import type { PacedCall } from '../load/open-loop.ts';
import {
  callsOf,
  differences,
  draw,
  measure,
  openPacedLoad,
  type PacedLoad,
  resultOf,
  startPacedApi,
} from '../load/paced-load.ts';
import { residentMb } from '../machine.ts';
import { plotTimes, type Series } from '../plot.ts';
import { openProcessorTimes } from '../processes.ts';
import { MIXED_KINDS } from '../requests/mixed.ts';

/** Calls per second of the steps. */
const RATES = [25, 50, 100, 200, 300, 400, 500, 800];
/** Rate of a new process. */
const FIRST_RATE = 60;
/** Calls of one kind, one at a time, for their processor time; before them, a tenth unmeasured. */
const CALLS_OF_KIND = 400;

/** Sends calls of all kinds to one process at rates that do not depend on the responses, as independent clients do. */
export async function paced(bench: Bench): Promise<PartResult> {
  const load = await openPacedLoad(bench);
  const begun = await startPacedApi(load);
  await measure(load, 'first seconds of a process', [begun], FIRST_RATE);
  await begun[Symbol.asyncDispose]();

  await using api = await startPacedApi(load);
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
  return resultOf(load);
}

const seriesOf = (): (Series & { points: [number, number][] })[] =>
  ['searches, p50', 'searches, p99', 'statistics, p50', 'statistics, p99'].map((name) => ({ name, points: [] }));

/** Processor time of a million calls of each kind, in all processes without the load. */
async function costs(load: PacedLoad, api: ApiProcess): Promise<void> {
  const read = await openProcessorTimes(load.corpus, [api.pid]);
  const count = load.bench.quick ? 20 : CALLS_OF_KIND;
  for (const kind of MIXED_KINDS) {
    const requests = callsOf(load, await draw(load, Math.ceil(1.1 * count), kind), [api]).map(({ request }) => request);
    const warm = requests.splice(count);
    await run(api, warm);
    const before = await read();
    const { failures } = await run(api, requests);
    const { load: _, ...used } = differences(await read(), before);
    // A millisecond for a call is a thousand seconds for a million.
    const seconds = (1_000 * Object.values(used).reduce((sum, ms) => sum + ms, 0)) / count;
    load.figures.push(figure(`${kind}: a million calls`, failures > 0 ? Number.NaN : seconds, 's of processor time'));
  }
}

async function run({ origin }: ApiCaller, requests: PacedCall['request'][]) {
  const generator = new LoadGenerator({ origin, requests });
  const slice = await generator.run({ connections: 1, count: requests.length });
  await generator.close();
  return slice;
}
