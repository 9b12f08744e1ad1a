import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileReport } from '#ingest/official/report.ts';
import { generateOfficialSample } from '#sample/official.ts';
import { type OfficialGround, officialGround } from '#test/official.ts';
import { test } from '#test/test.ts';
import { checkCutRows, checkFaults } from './faults.ts';

let ground: OfficialGround;
/** Folder of invented files in the layouts of the publishers. */
let root: string;
test.before(async () => {
  ground = await officialGround('doubts');
  root = await generateOfficialSample({ dir: ground.dir, seed: 3, deals: 600 });
});
test.after(() => ground?.close());

test('no file in the layouts of the regulator is held', async (t) => {
  const reports: FileReport[] = [];
  // Two years have different layouts.
  for (const [folder, names] of [
    ['indicators', /-(riyadh|makkah)-(2024-Q4|2025-Q[12])\.csv$/],
    ['rents', /-(riyadh|makkah|hail)\.csv$/],
  ] as const)
    for (const name of await readdir(join(root, folder)))
      if (names.test(name)) reports.push(...(await ground.import(join(root, folder, name))));
  t.is(reports.length, 9);
  t.deepEqual(
    reports.filter(({ status }) => status !== 'imported'),
    [],
  );
});

test('a faulty file does not replace a valid quarter, and an operator can release it', (t) =>
  checkFaults(t, ground, {
    path: join(root, 'indicators', 'Sales-indicators-riyadh-2025-Q2.csv'),
    quarter: '2025-Q2',
  }));

test('a file truncated at any byte of its last row is held', (t) =>
  checkCutRows(t, ground, join(root, 'rents', 'Rental-indicators-hail.csv')));
