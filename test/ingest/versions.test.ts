import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordJson } from '#ingest/fetch/ad-row.ts';
import { postedAmount } from '#ingest/fetch/content-check.ts';
import { readAd } from '#ingest/fetch/read-ad.ts';
import { shortHash } from '#ingest/hash.ts';
import { normalizeProject } from '#ingest/off-plan/normalize-project.ts';
import { openOfficialFile } from '#ingest/official/read.ts';
import { VERSIONS } from '#ingest/versions.ts';
import { test } from '#test/test.ts';

const AT = new Date('2026-03-10T12:00:00Z');
const PINNED = new URL('versions.json', import.meta.url);
/** Rows as sources state them. They do not change: another value of theirs is a change of the code. */
const ROWS = join(import.meta.dirname, 'versions');

async function readRows(name: string) {
  const lines = (await readFile(join(ROWS, name), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

type StoredValues = object;

/** What is stored of these rows: each accepted one as a record, and the reason of each rejected one. */
const READERS: { readonly [Name in keyof typeof VERSIONS]: () => AsyncGenerator<StoredValues> } = {
  async *ads() {
    for (const { source, raw } of await readRows('ads.ndjson')) {
      const result = readAd(source, raw, AT);
      if (!result.ok) yield { reason: result.reason };
      else yield { ...JSON.parse(recordJson(result.listing)), posted: postedAmount(result.listing) };
    }
  },
  async *projects() {
    for (const raw of await readRows('projects.ndjson')) {
      const result = normalizeProject(raw, AT);
      yield result.ok ? result.project : { reason: result.reason };
    }
  },
  async *official() {
    for (const name of (await readdir(join(ROWS, 'official'))).sort()) {
      const { format, rows } = await openOfficialFile(join(ROWS, 'official', name), AbortSignal.timeout(60_000));
      const columns = Object.keys(format.columns).map((column) => `${format.kind}.${column}`);
      for await (const row of rows({ city: 'riyadh', idKey: 'key' }))
        yield 'taken' in row
          ? Object.fromEntries(columns.map((column, at) => [column, row.taken.values[at]]))
          : { reason: row.reason };
    }
  },
};

/** Returns a digest of the values of each field, so that a difference names the fields whose values have changed. */
function digestsOf(records: readonly StoredValues[]): object {
  const names = [...new Set(records.flatMap(Object.keys))].sort();
  const values = (name: string) => records.map((record) => (record as { [name: string]: unknown })[name] ?? null);
  return Object.fromEntries(names.map((name) => [name, shortHash(JSON.stringify(values(name))).slice(0, 8)]));
}

for (const [name, read] of Object.entries(READERS))
  test(`the version of ${name} is raised when a stored value of the same row changes`, async (t) => {
    const records: StoredValues[] = [];
    for await (const record of read()) records.push(record);
    t.true(records.length >= 16, `${records.length} records`);
    const current = { version: VERSIONS[name as keyof typeof VERSIONS], fields: digestsOf(records) };
    const pinned = JSON.parse(await readFile(PINNED, 'utf8'));
    t.deepEqual(
      current,
      pinned[name],
      `Stored values have changed. Raise VERSIONS.${name}, and write to versions.json: ${JSON.stringify(current)}`,
    );
  });
