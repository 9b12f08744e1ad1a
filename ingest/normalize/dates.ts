import { foldDigits } from '#domain/fold.ts';
import type { Timestamp } from '#domain/listings/listing.ts';

/** Earlier dates are treated as errors. */
const EARLIEST = Date.UTC(2000, 0, 1);
const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;
const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;
const DIGITS = /^\d{9,13}(?:\.\d+)?$/;

/**
 * Converts a date to `YYYY-MM-DDThh:mm:ssZ`, from ISO 8601 (UTC if it has no time zone), epoch seconds or milliseconds,
 * or `dd/mm/yyyy`. Null if the date is invalid, before 2000, or after `latest` (epoch milliseconds).
 */
export function readDate(value: string | number | null | undefined, latest: number): Timestamp | null {
  const time =
    typeof value === 'string' ? timeOfText(value.trim()) : typeof value === 'number' ? epoch(value) : Number.NaN;
  if (!(time >= EARLIEST && time <= latest)) return null;
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

function timeOfText(text: string): number {
  if (CANONICAL.test(text)) return timeOf(text);
  const latin = foldDigits(text);
  if (DIGITS.test(latin)) return epoch(Number(latin));
  const iso = ISO.exec(latin);
  if (iso !== null) return timeOf(`${iso[1]}T${iso[2] ?? '00:00'}${(iso[3] ?? 'Z').toUpperCase()}`);
  const dayFirst = DAY_FIRST.exec(latin);
  if (dayFirst === null) return Number.NaN;
  const [, day = '', month = '', year = ''] = dayFirst;
  return timeOf(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00Z`);
}

/** Parses an ISO date-time. NaN if the day does not exist: `Date.parse` continues with the next month. */
function timeOf(iso: string): number {
  const day = new Date(`${iso.slice(0, 10)}T00:00Z`);
  const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso.slice(0, 10));
  return exists ? Date.parse(iso) : Number.NaN;
}

/** Numbers with up to eleven digits are seconds; as milliseconds they would denote 1973 or earlier. */
function epoch(number: number): number {
  return number < 1e11 ? number * 1_000 : number;
}
