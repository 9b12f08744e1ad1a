import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, figure, type PartResult } from '../bench.ts';
import { measure, openPacedLoad, resultOf, startPacedApi } from '../load/paced-load.ts';
import { residentMb } from '../machine.ts';
import { plotTimes, type Series } from '../plot.ts';

/** Calls per second of the steps. */
const RATES = [25, 50, 100, 200, 300, 400, 500, 800];
/** Rate of a new process. */
const FIRST_RATE = 60;

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
  load.figures.push(figure('memory of the API', await residentMb(api.pid), 'MB'));
  await writeFile(join(bench.dataDir, 'paced.svg'), plotTimes('calls per second, one API process', series));
  load.notes.add(`Plot: ${join(bench.dataDir, 'paced.svg')}`);
  return resultOf(load);
}

const seriesOf = (): (Series & { points: [number, number][] })[] =>
  ['searches, p50', 'searches, p99', 'statistics, p50', 'statistics, p99'].map((name) => ({ name, points: [] }));
