/** A day of feeds, and what came to pass between the one before it and this one. */
export interface Step {
  /** `YYYY-MM-DD` */
  day: string;
  /** Days since the step before; 1 for the first. */
  gap: number;
  /** Shares of the stock: ads that are new, gone, of another price, or posted again as they were. */
  newAds: number;
  withdrawn: number;
  repriced: number;
  bumped: number;
}

/** What a day brings. */
export const DAILY = { newAds: 0.03, withdrawn: 0.02, repriced: 0.03, bumped: 0.02 } as const;
/** What a month brings. */
const MONTHLY = { newAds: 0.16, withdrawn: 0.1, repriced: 0.1, bumped: 0.03 } as const;
/** Statistics are of ads updated lately: in the weeks before the last days nearly all are posted again. */
const RENEWED = 0.9;

const DAY_MS = 86_400_000;
const MOST_DAYS = 60;
/** The last month's feed lies at least so far before the last days. */
const LEAST_GAP = 15;

/**
 * The days of a sample's feeds: the last `count` up to `until`, and before them one a month from `since` on.
 * @throws Error on a bad option
 */
export function timeline(until: string, count: number, since?: string): Step[] {
  const last = timeOf(until);
  if (!(Number.isInteger(count) && count >= 1 && count <= MOST_DAYS)) throw new Error(`days must be 1 to ${MOST_DAYS}`);
  const firstOfLast = last - (count - 1) * DAY_MS;
  const months = since === undefined ? [] : monthsFrom(timeOf(since), firstOfLast - LEAST_GAP * DAY_MS);
  const times = [...months, ...Array.from({ length: count }, (_, at) => firstOfLast + at * DAY_MS)];
  return times.map((time, at) => {
    const gap = at === 0 ? 1 : Math.round((time - (times[at - 1] ?? time)) / DAY_MS);
    const rates = gap === 1 ? DAILY : MONTHLY;
    return {
      day: new Date(time).toISOString().slice(0, 10),
      gap,
      ...rates,
      ...(at > 0 && at === months.length && { bumped: RENEWED }),
    };
  });
}

/** Midnights of the same day of every month, up to `end`; days that a month may lack become its 28th. */
function monthsFrom(start: number, end: number): number[] {
  const first = new Date(start);
  const times: number[] = [];
  for (let month = 0; ; month++) {
    const day = Math.min(first.getUTCDate(), 28);
    const time = month === 0 ? start : Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, day);
    if (time > end) return times;
    times.push(time);
  }
}

function timeOf(day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(time)) throw new Error(`not a day: ${day}`);
  return time;
}
