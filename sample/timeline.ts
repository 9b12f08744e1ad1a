/** A day with feeds, and the changes since the previous feed day. */
export interface Step {
  /** `YYYY-MM-DD` */
  day: string;
  /** Days since the previous step; 1 for the first step. */
  gap: number;
  /** Shares of the live ads that are new, withdrawn, repriced, or reposted without changes. */
  newAds: number;
  withdrawn: number;
  repriced: number;
  bumped: number;
}

const DAILY = { newAds: 0.03, withdrawn: 0.02, repriced: 0.03, bumped: 0.02 };
const WEEKLY = { newAds: 0.05, withdrawn: 0.03, repriced: 0.04, bumped: 0.04 };
const MONTHLY = { newAds: 0.16, withdrawn: 0.1, repriced: 0.1, bumped: 0.03 };
/** In the last month nearly all ads are reposted, because statistics cover recent ads. */
const LAST_MONTH = { ...MONTHLY, bumped: 0.8 };

const DAY_MS = 86_400_000;
const MAX_DAYS = 60;
const WEEK = 7;
/** Minimum number of days between the last monthly feed and the daily feeds, with one weekly feed in between. */
const LAST_MONTH_DAYS = 22;

/**
 * Returns the days with feeds: the last `count` days up to `until`. With `since`, these are preceded by one day per
 * month from `since` on, and by one day a week earlier.
 * @throws Error if an option is invalid
 */
export function timeline(until: string, count: number, since?: string): Step[] {
  if (!(Number.isInteger(count) && count >= 1 && count <= MAX_DAYS)) throw new Error(`days must be 1 to ${MAX_DAYS}`);
  const first = startOf(until) * 1000 - (count - 1) * DAY_MS;
  const before = (days: number): number => first - days * DAY_MS;
  const months = since === undefined ? [] : monthsFrom(startOf(since) * 1000, before(LAST_MONTH_DAYS));
  const week = months.length > 0 ? [before(WEEK)] : [];
  const times = [...months, ...week, ...Array.from({ length: count }, (_, at) => first + at * DAY_MS)];
  return times.map((time, at) => {
    const gap = at === 0 ? 1 : Math.round((time - (times[at - 1] ?? time)) / DAY_MS);
    const rates = at < months.length ? MONTHLY : time < first ? LAST_MONTH : gap > 1 ? WEEKLY : DAILY;
    return { day: new Date(time).toISOString().slice(0, 10), gap, ...rates };
  });
}

/** Returns midnight on one day of every month up to `end`: that of `start`, later at most the 28th. */
function monthsFrom(start: number, end: number): number[] {
  const first = new Date(start);
  const times: number[] = [];
  for (let month = 0, time = start; time <= end; ) {
    times.push(time);
    time = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + ++month, Math.min(first.getUTCDate(), 28));
  }
  return times;
}

/** Returns the epoch seconds at which a day begins. @throws Error if the text is not a day */
export function startOf(day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(time)) throw new Error(`not a day: ${day}`);
  return time / 1000;
}
