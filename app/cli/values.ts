import { InvalidArgumentError } from 'commander';
import { isVisible } from '#domain/text/visible.ts';
import { isName } from '#src/accounts/names.ts';
import { isTimestamp } from '#src/http/schema.ts';
import { containsKey } from '#src/observability/redact.ts';

/**
 * Names appear in lists and audit events, so they must not contain an API key.
 * @throws InvalidArgumentError if the name is invalid
 */
export function parseName(text: string): string {
  const name = text.trim();
  if (containsKey(name)) throw new InvalidArgumentError('This name has an API key in it.');
  if (isName(name)) return name;
  throw new InvalidArgumentError(
    'A name has 1 to 80 characters, at least one of them visible, and no control characters.',
  );
}

/** @throws InvalidArgumentError */
export function parseNote(text: string): string {
  const note = text.trim();
  if (containsKey(note)) throw new InvalidArgumentError('This note has an API key in it.');
  if (isVisible(note) && note.length <= 500) return note;
  throw new InvalidArgumentError('A note has 1 to 500 characters, at least one of them visible.');
}

const MOST = 999_999_999_999_999;

/** @throws InvalidArgumentError outside of the range */
export function wholeNumber(text: string, low = 0, high = MOST): number {
  if (/^\d{1,15}$/.test(text) && Number(text) >= low && Number(text) <= high) return Number(text);
  const range = high === MOST ? '' : ` from ${low} to ${high}`;
  throw new InvalidArgumentError(`"${text}" is not a whole number${range}.`);
}

/** @throws InvalidArgumentError if the text is not an amount with at most two decimals */
export function parseAmount(text: string): number {
  if (/^\d{1,9}(\.\d{1,2})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not an amount in SAR, such as 250 or 99.50.`);
}

/**
 * Returns null for `none`.
 * @throws InvalidArgumentError if the text is neither
 */
export function parseMoment(text: string): Date | null {
  if (text === 'none') return null;
  if (isTimestamp(text)) return new Date(text);
  throw new InvalidArgumentError(`"${text}" is not a date-time with seconds, such as 2027-01-01T00:00:00Z.`);
}

/**
 * Converts `30m`, `24h` or `7d` to seconds.
 * @throws InvalidArgumentError if the text is not a duration
 */
export function parseDuration(text: string): number {
  const match = /^(\d{1,5})([smhd])$/.exec(text);
  const seconds = { s: 1, m: 60, h: 3_600, d: 86_400 };
  if (match) return Number(match[1]) * seconds[match[2] as keyof typeof seconds];
  throw new InvalidArgumentError(`"${text}" is not a duration, such as 30m, 24h or 7d.`);
}

/**
 * @param what kind of value with its article
 * @param all name of the accepted values
 * @throws InvalidArgumentError if the text is none of them
 */
export function parseChoice<const T extends string>(text: string, values: readonly T[], what: string, all: string): T {
  const value = values.find((each) => each === text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError(`"${text}" is not ${what}. ${all}: ${values.join(', ')}.`);
}
