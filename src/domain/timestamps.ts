/** `YYYY-MM-DDThh:mm:ssZ`, or null for null. */
export function isoSeconds(date: Date): string;
export function isoSeconds(date: Date | null): string | null;
export function isoSeconds(date: Date | null): string | null {
  return date === null ? null : `${date.toISOString().slice(0, 19)}Z`;
}
