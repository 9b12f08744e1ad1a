import type { Boundaries } from '#domain/geography/boundaries.ts';
import { shortHash } from '../hash.ts';
import { VERSIONS } from '../versions.ts';

/**
 * Creates a hash function for mapped rows. Rows with an unchanged hash are not normalized again. The hash has two
 * parts: of the row, and of the version of its parsers with the boundaries of neighborhoods and the source's time zone.
 */
export function contentHasher(
  kind: 'ads' | 'projects',
): (raw: object, boundaries: Pick<Boundaries, 'digest'>, timeZone?: string) => string {
  let last = { context: '', hash: '' };
  return (raw, { digest }, timeZone = '') => {
    const context = `${kind} ${VERSIONS[kind]} ${timeZone} ${digest}`;
    if (last.context !== context) last = { context, hash: shortHash(context) };
    return `${rowHash(raw)}.${last.hash}`;
  };
}

const rowHash = (raw: object): string => shortHash(JSON.stringify(raw));

/** Other parsers or boundaries may have read the row. */
export const isSameRow = (stored: string, raw: object): boolean => stored.split('.')[0] === rowHash(raw);
