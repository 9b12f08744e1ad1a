import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '#test/eventually.ts';
import type { Fault } from './fault.ts';
import { type LoadOptions, startLoad } from './load.ts';

/** Rounds of phases, because the speed of the machine varies. */
const ROUNDS = 5;
/** Parallel requests by which a peak is measured. */
const CONNECTIONS = 8;
const PHASE_SECONDS = 4;
/** Compiled code serves three times as many requests as a new process, and a flood would be compared with slower peaks. */
const WARM_UP_SECONDS = 15;
/**
 * Phases after the peak, in requests per second as a multiple of the peak, up to what one process can send, and the
 * minimum share of the peak that is served.
 */
const PHASES = [
  { name: 'usual', times: 0.8 },
  { name: 'twice', times: 2, goodput: 0.9 },
  { name: 'flood', times: 20, goodput: 0.5 },
] as const;
const MAX_PER_SECOND = 1_000;
/** Maximum 99th percentile of refusals in milliseconds, or the median of usual calls, on a busy machine. */
const REFUSAL_MS = 50;
/** Factor of the 99th percentile of a few hundred calls that may be due to chance. */
const CHANCE = 1.25;
const SETTLE_LIMIT = 30_000;

type Phase = 'peak' | (typeof PHASES)[number]['name'];

interface Measured {
  perSecond: number;
  /** Response times in milliseconds. */
  served: readonly number[];
  refused: readonly number[];
}

export const overload: Fault = {
  title: 'another organization requests up to 20 times as many different statistics as two nodes can compute',
  spares: 'load',
  // Before faults that restart OpenSearch, whose compiled code is then lost.
  order: -1,
  happen: async (stage) => {
    const { id, key } = await stage.organization();
    const origins = [stage.main.url, stage.second.url];
    const rounds: Record<Phase, Measured>[] = [];
    const answers: Record<string, number> = {};
    let [sent, units, lost] = [0, 0, 0];
    const measure = async (pace: LoadOptions['pace'], seconds = PHASE_SECONDS): Promise<Measured> => {
      const paths = Array.from({ length: MAX_PER_SECOND * seconds }, (_, at) => pathOf(sent + at));
      const load = startLoad({ origins, key, paths, pace });
      await sleep(seconds * 1_000);
      const perSecond = (load.report.answers['200 ok'] ?? 0) / seconds;
      const report = await load.stop();
      for (const [answer, times] of Object.entries(report.answers)) answers[answer] = (answers[answer] ?? 0) + times;
      sent += report.sent;
      units += report.units;
      lost += report.lost;
      const timesOf = (answer: string): number[] => report.times.get(answer) ?? [];
      return { perSecond, served: timesOf('200 ok'), refused: timesOf('503 internal_error') };
    };
    await measure({ connections: CONNECTIONS }, WARM_UP_SECONDS);
    while (rounds.length < ROUNDS) {
      const peak = await measure({ connections: CONNECTIONS });
      if (peak.perSecond === 0)
        throw new Error('no statistics in a phase: the machine is too busy to measure the peak');
      const phases: [Phase, Measured][] = [['peak', peak]];
      for (const { name, times } of PHASES) {
        const perSecond = Math.min(MAX_PER_SECOND, Math.ceil(times * peak.perSecond));
        phases.push([name, await measure({ perSecond })]);
      }
      rounds.push(Object.fromEntries(phases) as Record<Phase, Measured>);
    }
    const figures = summarize(rounds);
    const faults = judge(figures);
    console.log(
      `  machine load ${Math.round(loadavg()[0] ?? 0)}: ${JSON.stringify({ figures, answers, lost, units })}`,
    );
    const unexpected = Object.keys(answers).filter((answer) => !['200 ok', '503 internal_error'].includes(answer));
    if (unexpected.length > 0) throw new Error(`the flood received ${unexpected.join(', ')}`);
    if (!answers['503 internal_error']) throw new Error('the flood did not exceed the capacity');
    await eventually(async () => (await stage.unitsOf({ id })) === units, SETTLE_LIMIT, 250);
    if (faults.length > 0) throw new Error(faults.join('; '));
  },
};

interface Figures {
  /** Median of the rounds. */
  goodput: number;
  /** Of the calls of all rounds, in milliseconds. */
  p50: number;
  p99: number;
  refusedP99: number;
}

function summarize(rounds: readonly Record<Phase, Measured>[]): Record<Phase, Figures> {
  const of = (name: Phase): Figures => ({
    goodput: quantile(
      rounds.map(({ peak, [name]: { perSecond } }) => perSecond / peak.perSecond),
      0.5,
    ),
    p50: quantile(
      rounds.flatMap(({ [name]: { served } }) => served),
      0.5,
    ),
    p99: quantile(
      rounds.flatMap(({ [name]: { served } }) => served),
      0.99,
    ),
    refusedP99: quantile(
      rounds.flatMap(({ [name]: { refused } }) => refused),
      0.99,
    ),
  });
  return { peak: of('peak'), usual: of('usual'), twice: of('twice'), flood: of('flood') };
}

function judge(figures: Record<Phase, Figures>): string[] {
  const { usual, twice } = figures;
  const faults: string[] = [];
  for (const phase of PHASES) {
    if (!('goodput' in phase)) continue;
    const { goodput, refusedP99 } = figures[phase.name];
    if (goodput < phase.goodput) faults.push(`${phase.name}: goodput of ${goodput} of the peak`);
    if (refusedP99 > Math.max(REFUSAL_MS, usual.p50)) faults.push(`${phase.name}: p99 of refusals ${refusedP99} ms`);
  }
  if (twice.p99 > CHANCE * usual.p99) faults.push(`twice: p99 ${twice.p99} ms, usual ${usual.p99} ms`);
  return faults;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** By the nearest-rank method; 0 without numbers. */
const quantile = (numbers: readonly number[] = [], at: number): number =>
  rounded([...numbers].sort((a, b) => a - b)[Math.max(1, Math.ceil(at * numbers.length)) - 1] ?? 0);

/** All paths differ, so that no result is cached. */
function pathOf(at: number): string {
  const kind = ['neighborhoods', 'summary', 'rental-yield'][at % 3];
  const area = `area_min=${1 + (at % 200)}&area_max=${1_000 + Math.floor(at / 200)}`;
  return `/v1/market/${kind}?city=riyadh${kind === 'rental-yield' ? '' : '&listing_type=sale'}&${area}`;
}
