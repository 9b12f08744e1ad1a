import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { shortHash } from '#ingest/hash.ts';
import { VERSIONS } from '#ingest/versions.ts';
import { test } from '#test/test.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
/** Parsers with their word lists, and places. */
const READERS = [
  'ingest/normalize/',
  'domain/geography/',
  'domain/fold.ts',
  'domain/money.ts',
  'domain/text/',
  'domain/listings/derived.ts',
  'domain/listing-vocabulary.ts',
];
/** The files and folders (without subfolders) of each version, and their digest. */
const GUARDED: Readonly<
  Record<keyof typeof VERSIONS, { version: number; digest: string; sources: readonly string[] }>
> = {
  ads: { version: 3, digest: 'H0gEImx3Ac-SFBrwCiTRPw', sources: [...READERS, 'ingest/fetch/ad-row.ts'] },
  projects: {
    version: 3,
    digest: 'AEC-UtmGGvR1wVQp8a4TN_',
    sources: [
      ...READERS,
      'domain/off-plan/',
      'domain/official/quarters.ts',
      'ingest/off-plan/normalize.ts',
      'ingest/off-plan/sources/raw.ts',
      'ingest/off-plan/words.ts',
    ],
  },
  official: {
    version: 2,
    digest: 'UF6930KHR4FfUOzf7SIwBL',
    sources: [
      'domain/geography/',
      'domain/fold.ts',
      'domain/official/rents.ts',
      'domain/official/transaction.ts',
      'domain/official/vocabulary.ts',
      ...['cell-types', 'dates', 'places', 'publication', 'rent-units', 'statistics', 'transactions'].map(
        (name) => `ingest/official/${name}.ts`,
      ),
    ],
  },
};

/** Returns the code of a file, or of all files in a folder, without subfolders; a JSON file as an expression. */
function sourcesOf(place: string): string[] {
  const path = join(PROJECT, place);
  if (!place.endsWith('/')) return [readFileSync(path, 'utf8')];
  const names = readdirSync(path).filter((name) => /\.(ts|json)$/.test(name));
  return names.sort().map((name) => {
    const text = readFileSync(join(path, name), 'utf8');
    return name.endsWith('.json') ? `(${text})` : text;
  });
}

/** Returns a digest of source code. Types, imports, comments and the amount of white space are ignored. */
function digestOf(sources: readonly string[]): string {
  const bare = sources.map((source) =>
    stripTypeScriptTypes(source)
      .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
      .replace(/^import [^;]*;$/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return shortHash(JSON.stringify(bare));
}

for (const [name, { version, digest, sources }] of Object.entries(GUARDED))
  test(`the version of ${name} is raised with the code whose results are stored`, (t) => {
    const current = digestOf(sources.flatMap(sourcesOf));
    t.is(
      `${VERSIONS[name as keyof typeof VERSIONS]} ${current}`,
      `${version} ${digest}`,
      `The code of ${sources.join(', ')} has changed. Raise VERSIONS.${name} if stored results could differ, and write version and digest here.`,
    );
  });
