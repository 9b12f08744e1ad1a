import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postedAmount, recordJson } from '#ingest/fetch/ad-row.ts';
import { readAd } from '#ingest/fetch/read-ad.ts';
import { shortHash } from '#ingest/hash.ts';
import { loadSources } from '#ingest/load-sources.ts';
import { normalizeProject } from '#ingest/off-plan/normalize-project.ts';
import { loadProjectSources } from '#ingest/off-plan/sources/index.ts';
import { openOfficialFile } from '#ingest/official/read.ts';
import { VERSIONS } from '#ingest/versions.ts';
import { generateSample } from '#sample/generate.ts';
import { generateOffPlanSample } from '#sample/off-plan.ts';
import { generateOfficialSample } from '#sample/official.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const LAST_DAY = '2026-03-10';
const AT = new Date(`${LAST_DAY}T12:00:00Z`);
const SEED = 5;
const PINNED = new URL('versions.json', import.meta.url);
const dir = folderOfFile();

type StoredValues = object;

/** What is stored of the same feeds and files: each accepted row as a record, and the reason of each rejected one. */
const READERS: { readonly [Name in keyof typeof VERSIONS]: () => AsyncGenerator<StoredValues> } = {
  async *ads() {
    await generateSample({ dir, listings: 1_500, seed: SEED, days: 1, until: LAST_DAY, hostUrl: 'http://127.0.0.1:9' });
    for (const source of await loadSources({ dataDir: dir, sources: SAMPLE_SOURCES }))
      for await (const row of source.rows({ at: AT, signal: AbortSignal.timeout(60_000) })) {
        const result = row.ok ? readAd(source, row.raw, AT) : row;
        if (!result.ok) yield { reason: result.reason };
        else yield { ...JSON.parse(recordJson(result.listing)), posted: postedAmount(result.listing) };
      }
  },
  async *projects() {
    generateOffPlanSample({ dir, seed: SEED, hostUrl: 'http://127.0.0.1:9', days: [LAST_DAY] });
    for (const source of loadProjectSources({ dataDir: dir }))
      for await (const row of source.rows({ at: AT, signal: AbortSignal.timeout(60_000) })) {
        const result = row.ok ? normalizeProject(row.raw, AT) : row;
        yield result.ok ? result.project : { reason: result.reason };
      }
  },
  async *official() {
    const root = generateOfficialSample({ dir, seed: SEED });
    for (const name of (await readdir(root, { recursive: true })).filter((each) => each.endsWith('.csv')).sort()) {
      const { format, rows } = await openOfficialFile(join(root, name), AbortSignal.timeout(60_000));
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
    t.true(records.length > 100, `${records.length} records`);
    const current = { version: VERSIONS[name as keyof typeof VERSIONS], fields: digestsOf(records) };
    const pinned = JSON.parse(await readFile(PINNED, 'utf8'));
    t.deepEqual(
      current,
      pinned[name],
      `Stored values have changed. Raise VERSIONS.${name}, and write to versions.json: ${JSON.stringify(current)}`,
    );
  });
