import type { Boundaries } from '#domain/geography/boundaries.ts';
import { shortHash } from '../hash.ts';
import { VERSIONS } from '../versions.ts';

type Digested = Pick<Boundaries, 'digest'>;

/** Digest of the parsers of the last release whose hashes do not separate a row from its parsers. */
const UNSEPARATED_READING = 'wJ4O-EG8Ohlavs4kjpczWP';

/**
 * Creates a hash function for mapped rows. Rows with an unchanged hash are not normalized again. The hash has two parts:
 * of the row, and of the version of its parsers with the boundaries of neighborhoods and the source's time zone.
 */
export function contentHasher(
  kind: 'ads' | 'projects',
): (raw: object, boundaries: Digested, timeZone?: string) => string {
  let last = { context: '', hash: '' };
  return (raw, { digest }, timeZone = '') => {
    const context = `${kind} ${VERSIONS[kind]} ${timeZone} ${digest}`;
    if (last.context !== context) last = { context, hash: shortHash(context) };
    return `${rowHash(raw)}.${last.hash}`;
  };
}

const rowHash = (raw: object): string => shortHash(JSON.stringify(raw));

/** Returns whether a stored hash is of the same row, possibly by other parsers or boundaries. */
export function isSameRow(stored: string, raw: object, { digest }: Digested): boolean {
  const [row, parsers] = stored.split('.');
  if (parsers !== undefined) return row === rowHash(raw);
  return stored === shortHash(`${UNSEPARATED_READING}${digest}${JSON.stringify(raw)}`);
}
