import type { Boundaries } from '#domain/geography/boundaries.ts';
import { shortHash } from '../hash.ts';
import { VERSIONS } from '../versions.ts';

/**
 * Returns the hash of a mapped row. Rows with an unchanged hash are not normalized again. The hash has two parts: of the
 * row, and of the version of its parsers with the boundaries of neighborhoods and the source's time zone.
 */
export const contentHash = (
  kind: 'ads' | 'projects',
  raw: object,
  { digest }: Pick<Boundaries, 'digest'>,
  timeZone = '',
): string => `${rowHash(raw)}.${shortHash(`${kind} ${VERSIONS[kind]} ${timeZone} ${digest}`)}`;

const rowHash = (raw: object): string => shortHash(JSON.stringify(raw));

/** Other parsers or boundaries may have read the row. */
export const isSameRow = (stored: string, raw: object): boolean => stored.split('.')[0] === rowHash(raw);
