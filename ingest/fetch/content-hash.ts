import { readdirSync, readFileSync } from 'node:fs';
import type { Boundaries } from '#domain/geography/boundaries.ts';
import { shortHash } from '../hash.ts';

/** Source files that affect the conversion of rows in all feeds: parsers with their word lists, and places. */
const SHARED_READERS = [
  new URL('../normalize/', import.meta.url),
  new URL('../../src/domain/geography/', import.meta.url),
  new URL('../../src/domain/geography/cities/', import.meta.url),
  new URL('../../src/domain/fold.ts', import.meta.url),
  new URL('../../src/domain/money.ts', import.meta.url),
  new URL('../../src/domain/text/', import.meta.url),
  new URL('../../src/domain/listings/vocabulary.ts', import.meta.url),
].flatMap(sourcesOf);

type Digested = Pick<Boundaries, 'digest'>;

/** Digest of the parsers of the last release whose hashes do not separate a row from its parsers. */
const UNSEPARATED_READING = 'wJ4O-EG8Ohlavs4kjpczWP';

/**
 * Creates a hash function for mapped rows. Rows with an unchanged hash are not normalized again. The hash has two parts:
 * of the row, and of the parsers' source code with the boundaries of neighborhoods and the source's time zone, so that the
 * next run normalizes every row again after a change to them.
 * @param own further files that affect this kind of row, or folders (with a trailing slash)
 */
export function contentHasher(own: readonly URL[]): (raw: object, boundaries: Digested, timeZone?: string) => string {
  const reading = readingOf([...SHARED_READERS, ...own.flatMap(sourcesOf)]);
  let last = { context: '', hash: '' };
  return (raw, { digest }, timeZone = '') => {
    const context = `${reading}${timeZone}${digest}`;
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

/** Returns a digest of parser source code. Comments on their own lines and the amount of white space are ignored. */
export function readingOf(sources: readonly string[]): string {
  const bare = sources.map((source) =>
    source
      .replace(/^\s*(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*)$/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return shortHash(JSON.stringify(bare));
}

/** Returns the source code of a file, or of all TypeScript files in a folder, without subfolders. */
export function sourcesOf(place: URL): string[] {
  if (!place.pathname.endsWith('/')) return [readFileSync(place, 'utf8')];
  const names = readdirSync(place).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => readFileSync(new URL(name, place), 'utf8'));
}
