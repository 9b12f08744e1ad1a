import { readdirSync, readFileSync } from 'node:fs';
import { shortHash } from '../hash.ts';

/** Sources of the conversion of rows of all feeds: parsers with their tables and word lists, and places. */
const SHARED_READERS = [
  new URL('../normalize/', import.meta.url),
  new URL('../../src/domain/geography/', import.meta.url),
  new URL('../../src/domain/geography/cities/', import.meta.url),
  new URL('../../src/domain/fold.ts', import.meta.url),
  new URL('../../src/domain/text/', import.meta.url),
  new URL('../../src/domain/listings/vocabulary.ts', import.meta.url),
].flatMap(sourcesOf);

/**
 * Creates the hash function of mapped rows. Rows with an unchanged hash are not normalized again. The sources of the parsers
 * are part of it: when one changes, the next run normalizes every row again.
 * @param own other inputs of the conversion for this kind: files, or folders that end with a slash
 */
export function contentHasher(own: readonly URL[]): (raw: object) => string {
  const reading = readingOf([...SHARED_READERS, ...own.flatMap(sourcesOf)]);
  return (raw) => shortHash(`${reading}${JSON.stringify(raw)}`);
}

/** Returns a digest of parser sources, without their comments and white space. */
export function readingOf(sources: readonly string[]): string {
  const bare = sources.map((source) =>
    source
      .replace(/^\s*(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*)$/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return shortHash(JSON.stringify(bare));
}

/** Returns the source of a file, or of all files of a folder. */
export function sourcesOf(place: URL): string[] {
  if (!place.pathname.endsWith('/')) return [readFileSync(place, 'utf8')];
  const names = readdirSync(place).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => readFileSync(new URL(name, place), 'utf8'));
}
