import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { openOfficialFile } from '#ingest/official/read.ts';
import { generateOfficialSample } from '#sample/official.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const sample = async (t: ExecutionContext, seed: number): Promise<string> =>
  generateOfficialSample({ dir: await temporaryFolder(t), seed, deals: 300 });
const filesIn = async (root: string): Promise<string[]> =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

test('equal seeds generate identical bytes, and every row in every file is accepted', async (t) => {
  const [one, two, other] = await Promise.all([sample(t, 1), sample(t, 1), sample(t, 2)]);
  const files = await filesIn(one);
  const theirs = await filesIn(two);
  t.true(files.length > 100);
  t.is(files.length, theirs.length);
  const quarters = new Set<number>();
  const kinds = new Map<string, number>();
  for (const [at, file] of files.entries()) {
    t.deepEqual(await readFile(file), await readFile(theirs[at] as string), file);
    if (file.endsWith('.json')) continue;
    const found = await openOfficialFile(file, AbortSignal.timeout(60_000));
    kinds.set(found.layout, (kinds.get(found.layout) ?? 0) + 1);
    for await (const rows of found.batches({ city: 'riyadh', idKey: 'test' }))
      for (const row of rows) {
        if (!('taken' in row)) t.fail(`${file}: line ${row.line}: ${row.reason}`);
        else if (found.publication.kind === 'transactions') quarters.add(row.taken.quarter);
      }
  }
  t.deepEqual([...kinds.keys()].sort(), [
    'justice_city',
    'justice_quarterly',
    'price_index_2014',
    'price_index_2023',
    'rental_indicators',
    'sales_indicators',
  ]);
  t.is(quarters.size, 15);
  t.notDeepEqual(await readFile((await filesIn(other))[3] as string), await readFile(files[3] as string));
});
