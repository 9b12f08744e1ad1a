/**
 * A limit on reads in progress that follows from their times: it falls while reads take longer than few of them do, and
 * rises while reads have to wait for it. No number of processors is known: they are the engine's, Postgres's and this
 * process's, and may be shared. The idea is that of Netflix's concurrency-limits (gradient).
 */
export interface ConcurrencyLimit {
  /** Reads in progress at most. */
  readonly slots: number;
  /** Mean time of a read in milliseconds, of the last window; 0 before the first. */
  readonly meanMs: number;
  /** Mean time of a read while few are in progress; null before the first. */
  readonly baselineMs: number | null;
  /** Reads of which the baseline is the mean. */
  readonly baselineReads: number;
  /** The most slots that the memory of the engine allows. */
  readonly most: number;
  readonly window: Window;
}

interface Window {
  readonly begun: number;
  readonly count: number;
  readonly totalMs: number;
  readonly isFull: boolean;
}

export interface ReadSample {
  ms: number;
  /** Reads in progress when it began or when it ended, itself included: the larger number. */
  running: number;
  /** Whether a read had to wait for a slot since the previous sample. */
  isFull: boolean;
  /** In milliseconds, of any monotonic clock. */
  now: number;
}

/** Reads that are few, and the least limit. At this limit, every read is a sample of the baseline. */
export const FEW = 2;
/** Times the baseline that reads may take. Beyond, more of them only wait for each other. */
const TOLERANCE = 2.5;
/** Number of reads whose mean is the baseline. Their times differ by their filters. */
const BASELINE_READS = 100;
/** A window has at least this time in milliseconds and this number of reads. */
const WINDOW_MS = 100;
const WINDOW_READS = 20;
/** Smallest factor of a window, so that a pause of the engine does not end most reads. */
const LEAST_FACTOR = 0.7;
/** Factor of a window in which reads waited, rounded up. */
const GROWTH = 1.1;

const opened = (begun: number): Window => ({ begun, count: 0, totalMs: 0, isFull: false });

export const initialLimit = (most: number, now: number): ConcurrencyLimit => ({
  slots: FEW,
  meanMs: 0,
  baselineMs: null,
  baselineReads: 0,
  most,
  window: opened(now),
});

/** The limit after a read that has ended. */
export function afterRead(limit: ConcurrencyLimit, sample: ReadSample): ConcurrencyLimit {
  const { ms, running, isFull, now } = sample;
  const counted = { ...limit, ...(running <= FEW && withRead(limit, ms)) };
  const { begun, ...last } = limit.window;
  const window = { begun, count: last.count + 1, totalMs: last.totalMs + ms, isFull: last.isFull || isFull };
  if (window.count < WINDOW_READS || now - begun < WINDOW_MS) return { ...counted, window };
  const ended = { ...counted, meanMs: window.totalMs / window.count };
  return { ...ended, slots: nextSlots(ended, window.isFull), window: opened(now) };
}

function withRead({ baselineMs, baselineReads }: ConcurrencyLimit, ms: number) {
  const reads = Math.min(baselineReads + 1, BASELINE_READS);
  return { baselineMs: (baselineMs ?? ms) + (ms - (baselineMs ?? ms)) / reads, baselineReads: reads };
}

/** The limit after a read that the engine did not serve in time. */
export const afterFailure = (limit: ConcurrencyLimit): ConcurrencyLimit => ({
  ...limit,
  slots: Math.max(FEW, Math.floor(limit.slots * LEAST_FACTOR)),
});

function nextSlots({ slots, most, baselineMs, meanMs }: ConcurrencyLimit, isFull: boolean): number {
  // A process that starts under load learns the baseline first.
  if (baselineMs === null) return FEW;
  const factor = (TOLERANCE * baselineMs) / meanMs;
  if (factor < 1) return Math.max(FEW, Math.floor(slots * Math.max(factor, LEAST_FACTOR)));
  return isFull ? Math.min(most, Math.ceil(slots * GROWTH)) : slots;
}
