import type { Boundaries } from '#domain/geography/boundaries.ts';
import { shortHash } from '../hash.ts';
import { type ReadSettings, settingsOf } from '../normalize/listing.ts';
import { VERSIONS } from '../versions.ts';

/**
 * Returns the hash of a mapped row. Rows with an unchanged hash are not normalized again. The hash has two parts: of the
 * row, and of the version of its parsers with the boundaries of neighborhoods and the settings of the source.
 */
export const contentHash = (
  kind: 'ads' | 'projects',
  raw: object,
  { digest }: Pick<Boundaries, 'digest'>,
  settings: ReadSettings = {},
): string => {
  const stated = Object.values(settingsOf(settings)).join('');
  return `${rowHash(raw)}.${shortHash(`${kind} ${VERSIONS[kind]} ${stated} ${digest}`)}`;
};

const rowHash = (raw: object): string => shortHash(JSON.stringify(raw));

/** Other parsers or boundaries may have read the row. */
export const isSameRow = (stored: string, hash: string): boolean => stored.split('.')[0] === hash.split('.')[0];
