import { readdirSync, readFileSync } from 'node:fs';
import { shortHash } from '../hash.ts';
import type { RawListing } from '../normalize/listing.ts';

/** What decides what a row becomes: the readers with their tables and lists of words, the places, the stored record. */
const READERS = [
  new URL('../normalize/', import.meta.url),
  new URL('../../src/domain/geography/', import.meta.url),
  new URL('../../src/domain/geography/cities/', import.meta.url),
  new URL('../../src/domain/text/', import.meta.url),
  new URL('../../src/domain/listings/vocabulary.ts', import.meta.url),
  new URL('ad-row.ts', import.meta.url),
];

/** Part of every hash. When a reader changes, so does this, and the next run normalizes every ad again. */
const READING = readingOf(READERS.flatMap(filesOf).map((file) => readFileSync(file, 'utf8')));

/** Names one way of reading by its sources. Comments and white space are no part of it. */
export function readingOf(sources: readonly string[]): string {
  const bare = sources.map((source) =>
    source
      .replace(/^\s*(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*)$/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return shortHash(JSON.stringify(bare));
}

function filesOf(place: URL): URL[] {
  if (!place.pathname.endsWith('/')) return [place];
  const names = readdirSync(place).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => new URL(name, place));
}

/** The hash of a mapped row, by which unchanged rows are recognized and not normalized again. */
export function contentHash(raw: RawListing): string {
  return shortHash(`${READING}${JSON.stringify(raw)}`);
}
