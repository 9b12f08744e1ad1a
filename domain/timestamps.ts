/** Returns `YYYY-MM-DDThh:mm:ss.ffffffZ`. */
export function isoMicros(micros: number): string {
  const fraction = String(micros % 1_000).padStart(3, '0');
  return `${new Date(Math.floor(micros / 1_000)).toISOString().slice(0, -1)}${fraction}Z`;
}

/** Reads ISO 8601 with a time zone. Digits beyond microseconds are dropped. */
export function parseMicros(text: string): number {
  const fraction = /\.(\d+)/.exec(text);
  const whole = fraction === null ? text : text.replace(fraction[0], '');
  return Date.parse(whole) * 1_000 + Number((fraction?.[1] ?? '').padEnd(6, '0').slice(0, 6));
}

/** Returns `YYYY-MM-DDThh:mm:ss.ffffffZ`, without rounding. */
export function utcMicros(text: string): string {
  const digits = /\.(\d{1,6})/.exec(text)?.[1] ?? '';
  return `${new Date(text).toISOString().slice(0, 19)}.${digits.padEnd(6, '0')}Z`;
}

export function isoSeconds(date: Date): string;
export function isoSeconds(date: Date | null): string | null;
export function isoSeconds(date: Date | null): string | null {
  return date === null ? null : `${date.toISOString().slice(0, 19)}Z`;
}

/** Returns epoch milliseconds in UTC; NaN if the day does not exist. */
export function startOfDay(date: string): number {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date) ? at : Number.NaN;
}
