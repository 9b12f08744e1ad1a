import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '#test/eventually.ts';
import type { Fault } from './fault.ts';
import { type LoadOptions, startLoad } from './load.ts';

/** Phases of peak and of flood alternate, because the speed of the machine varies. */
const PAIRS = 5;
/** Parallel requests and seconds by which a peak is measured. */
const CONNECTIONS = 8;
const PEAK_SECONDS = 4;
/** Compiled code serves three times as many requests as a new process, and a flood would be compared with slower peaks. */
const WARM_UP_SECONDS = 15;
/** A flood has this many times the peak, in requests per second, up to what one process can send. */
const TIMES = 20;
const MAX_PER_SECOND = 1_000;
const FLOOD_SECONDS = 6;
/** Minimum share of the peak that is served during a flood: the median over adjacent phases. */
const MIN_GOODPUT = 0.5;
const SETTLE_LIMIT = 30_000;

export const overload: Fault = {
  title: 'another organization requests 20 times as many different statistics as two nodes can compute',
  spares: 'load',
  // Before faults that restart OpenSearch, whose compiled code is then lost.
  order: -1,
  happen: async (stage) => {
    const { id, key } = await stage.organization();
    const origins = [stage.main.url, stage.second.url];
    /** Served requests per second: peak, flood, peak, flood ... */
    const served: number[] = [];
    const answers: Record<string, number> = {};
    let [sent, units, lost] = [0, 0, 0];
    const measure = async (pace: LoadOptions['pace'], seconds: number): Promise<number> => {
      const paths = Array.from({ length: MAX_PER_SECOND * seconds }, (_, at) => pathOf(sent + at));
      const load = startLoad({ origins, key, paths, pace });
      await sleep(seconds * 1_000);
      const perSecond = (load.report.answers['200 ok'] ?? 0) / seconds;
      const report = await load.stop();
      for (const [answer, times] of Object.entries(report.answers)) answers[answer] = (answers[answer] ?? 0) + times;
      sent += report.sent;
      units += report.units;
      lost += report.lost;
      served.push(perSecond);
      return perSecond;
    };
    await measure({ connections: CONNECTIONS }, WARM_UP_SECONDS);
    served.length = 0;
    for (let pair = 0; pair < PAIRS; pair++) {
      const peak = await measure({ connections: CONNECTIONS }, PEAK_SECONDS);
      if (peak === 0) throw new Error('no statistics in a phase: the machine is too busy to measure the peak');
      await measure({ perSecond: Math.min(MAX_PER_SECOND, Math.ceil(TIMES * peak)) }, FLOOD_SECONDS);
    }
    const goodput = medianGoodput(served);
    const machineLoad = Math.round(loadavg()[0] ?? 0);
    console.log(
      `  the flood: ${JSON.stringify({ served: served.map(rounded), goodput, machineLoad, answers, lost, units })}`,
    );
    const unexpected = Object.keys(answers).filter((answer) => !['200 ok', '503 internal_error'].includes(answer));
    if (unexpected.length > 0) throw new Error(`the flood received ${unexpected.join(', ')}`);
    if (!answers['503 internal_error']) throw new Error('the flood did not exceed the capacity');
    await eventually(async () => (await stage.unitsOf({ id })) === units, SETTLE_LIMIT, 250);
    if (goodput < MIN_GOODPUT) throw new Error(`goodput of ${goodput} of the peak`);
  },
};

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Median of the ratios of each flood to the peak before and after it. */
function medianGoodput(served: readonly number[]): number {
  const ratios = served.slice(1).map((now, at) => {
    const [before = 0] = served.slice(at);
    return at % 2 === 0 ? now / before : before / now;
  });
  return rounded(ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0);
}

/** All paths differ, so that no result is cached. */
function pathOf(at: number): string {
  const kind = ['neighborhoods', 'summary', 'rental-yield'][at % 3];
  const area = `area_min=${1 + (at % 200)}&area_max=${1_000 + Math.floor(at / 200)}`;
  return `/v1/market/${kind}?city=riyadh${kind === 'rental-yield' ? '' : '&listing_type=sale'}&${area}`;
}
