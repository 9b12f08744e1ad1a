/** A day with feeds, and the changes since the previous feed day. */
export type Step = ReturnType<typeof timeline>[number];

/** Shares of the live ads. */
const DAILY = { newAds: 0.03, withdrawn: 0.02, repriced: 0.03, bumped: 0.02 };
const WEEKLY = { newAds: 0.05, withdrawn: 0.03, repriced: 0.04, bumped: 0.04 };
const MONTHLY = { newAds: 0.16, withdrawn: 0.1, repriced: 0.1, bumped: 0.03 };
/** In the last month nearly all ads are reposted, because statistics cover recent ads. */
const LAST_MONTH = { ...MONTHLY, bumped: 0.8 };

const DAY_MS = 86_400_000;
const WEEK = 7;
/** Minimum number of days between the last monthly feed and the daily feeds. */
const LAST_MONTH_DAYS = 22;

/**
 * Returns the last `count` days up to `until`; with `since`, before them one day per month from then on (later at most
 * the 28th), and one a week earlier. @throws Error if a day is invalid
 */
export function timeline(until: string, count: number, since?: string) {
  const daily = Array.from({ length: count }, (_, at) => startOf(until) * 1000 - (count - 1 - at) * DAY_MS);
  const before = (days: number): number => (daily[0] as number) - days * DAY_MS;
  const months: number[] = [];
  const first = new Date(since === undefined ? Number.POSITIVE_INFINITY : startOf(since) * 1000);
  for (let time = first.getTime(); time <= before(LAST_MONTH_DAYS); ) {
    months.push(time);
    time = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months.length, Math.min(first.getUTCDate(), 28));
  }
  const times = [...months, ...(months.length > 0 ? [before(WEEK)] : []), ...daily];
  return times.map((time, at) => {
    const gap = at === 0 ? 1 : Math.round((time - (times[at - 1] ?? time)) / DAY_MS);
    const rates = at < months.length ? MONTHLY : at < times.length - count ? LAST_MONTH : gap > 1 ? WEEKLY : DAILY;
    return { day: new Date(time).toISOString().slice(0, 10), gap, ...rates };
  });
}

/** Returns the start of a day in epoch seconds. @throws Error if the text is not a day */
export function startOf(day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(time)) throw new Error(`not a day: ${day}`);
  return time / 1000;
}
