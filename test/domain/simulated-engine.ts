import { type Load, OVERLOAD, ReadQueues } from '#domain/read-queues.ts';
import { Random } from '#sample/random.ts';

/** A kind of read: its share of the calls, and its mean time in milliseconds on a processor that is idle. */
export interface Kind {
  load: Load;
  /** Prefix of the names of its organizations. */
  by?: string;
  share: number;
  ms: number;
  organizations: number;
}

interface Job {
  leftMs: number;
  done: () => void;
}

interface Traffic {
  processors: number;
  perSecond: number;
  kinds: readonly Kind[];
  seconds: number;
}

/** Seconds that are not measured. */
const LEAD_S = 5;
const WARM_UP_READS = 40;
const SEED = 65;

/**
 * Sends calls at random times, whether or not earlier ones have returned, through queues to an engine whose processors
 * are shared by the reads in progress. Times of reads have an exponential distribution. The clock is simulated.
 */
export async function simulate({ processors, perSecond, kinds, seconds }: Traffic) {
  const random = new Random(SEED, 0);
  const exponential = (mean: number): number => -mean * Math.log(1 - random.between(0, 1));
  const jobs = new Set<Job>();
  let now = 0;
  const queues = new ReadQueues({ clock: () => now });
  const results = new Map(kinds.map((kind) => [kind, { sent: 0, refused: 0, times: [] as number[] }]));
  let workMs = 0;

  const settle = () => new Promise(setImmediate);
  const speed = (): number => Math.min(1, processors / Math.max(1, jobs.size));
  const advance = (to: number): void => {
    for (const job of jobs) job.leftMs -= (to - now) * speed();
    now = to;
  };
  const next = (): Job | undefined => [...jobs].sort((a, b) => a.leftMs - b.leftMs)[0];
  const finish = (job: Job): void => {
    advance(now + job.leftMs / speed());
    jobs.delete(job);
    job.done();
  };
  const work = (leftMs: number) => new Promise<void>((done) => jobs.add({ leftMs, done }));

  for (let at = 0; at < WARM_UP_READS; at++)
    for (const { load, ms } of kinds) {
      void queues.run(load, { name: 'warm-up' }, Number.POSITIVE_INFINITY, () => work(exponential(ms)));
      await settle();
      finish(next() as Job);
      await settle();
    }

  const from = now + LEAD_S * 1_000;
  const to = from + seconds * 1_000;
  const call = async (kind: Kind): Promise<void> => {
    const { load, by = 'organization', ms: mean, organizations } = kind;
    const sent = now;
    const ms = exponential(mean);
    const name = `${by} ${Math.floor(random.between(0, organizations))}`;
    const result = results.get(kind);
    if (!result || sent < from) return queues.run(load, { name }, sent + 7_000, () => work(ms)).catch(() => {});
    result.sent++;
    try {
      await queues.run(load, { name }, sent + 7_000, () => work(ms));
      result.times.push(now - sent);
      workMs += ms;
    } catch (error) {
      if (error !== OVERLOAD) throw error;
      result.refused++;
    }
  };
  const calls: Promise<void>[] = [];
  for (let arrival = now; arrival < to; ) {
    const first = next();
    if (first && now + first.leftMs / speed() <= arrival) finish(first);
    else {
      advance(arrival);
      const at = random.between(0, 1);
      let below = 0;
      const kind = kinds.find(({ share }) => {
        below += share;
        return at < below;
      });
      calls.push(call(kind ?? (kinds[0] as Kind)));
      arrival += exponential(1_000 / perSecond);
    }
    await settle();
  }
  for (let last = next(); last; last = next()) {
    finish(last);
    await settle();
  }
  await Promise.all(calls);
  const p99 = (times: number[]): number => times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0;
  return {
    /** Share of the processors that served calls worked for. */
    used: workMs / (processors * seconds * 1_000),
    kinds: [...results.values()].map(({ sent, refused, times }) => ({ refused: refused / sent, p99: p99(times) })),
  };
}
