import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addTo } from '#domain/multimap.ts';
import { isPlausibleRent, rentUnitOf } from '#domain/official/rents.ts';
import type { RentPropertyType } from '#domain/official/vocabulary.ts';
import type { OfficialKind } from '#ingest/official/publication.ts';
import { type OfficialFile, openOfficialFile } from '#ingest/official/read.ts';
import { UnreadableFile } from '#ingest/official/table.ts';
import { type OfficialGround, officialGround } from '#test/official.ts';
import { test } from '#test/test.ts';
import { hasPublicData, publicData, testWith } from './public-data.ts';

const { signal } = new AbortController();

let ground: OfficialGround | undefined;
test.before(async () => {
  if (hasPublicData()) ground = await officialGround('real_data');
});
test.after(() => ground?.close());

const KINDS: Readonly<Record<string, OfficialKind>> = {
  deals: 'transactions',
  rents: 'registered_rents',
  indicators: 'sales_indicators',
  index: 'price_index',
};
/** A file from a different publication with a similar name. */
const NOT_AN_INDEX = 'REPI-2023-Q4.csv';

for (const [folder, kind] of Object.entries(KINDS)) {
  testWith(folder)(`every row of the public files of ${folder} is taken`, async (t) => {
    const dir = publicData(folder);
    const placed = { rows: 0, city: 0, named: 0, matched: 0 };
    for (const name of await readdir(dir)) {
      if (name === NOT_AN_INDEX) {
        await t.throwsAsync(openOfficialFile(join(dir, name), signal), {
          instanceOf: UnreadableFile,
          message: /Water/,
        });
        continue;
      }
      const file = await openOfficialFile(join(dir, name), signal);
      t.is(file.publication.kind, kind, name);
      await count(t, file, placed);
    }
    // Includes deals in directional parts of the city; without them the share is 92.8%.
    if (folder === 'deals') t.true(placed.matched / placed.named > 0.76);
    // Share of rows; the share of deeds is 99.7%.
    if (folder === 'indicators') t.true(placed.matched / placed.named > 0.94, `${placed.matched} of ${placed.named}`);
  });
}

const RENTS = publicData('rents');
testWith('rents')('the unit of every published rent is read, and one cell is an outlier', async (t) => {
  const means = new Map<string, number[]>();
  for (const name of await readdir(RENTS)) {
    const file = await openOfficialFile(join(RENTS, name), signal);
    const columns = Object.keys(file.publication.columns);
    const [type, mean] = ['property_type', 'mean_rent_sar'].map((column) => columns.indexOf(column)) as [
      number,
      number,
    ];
    for await (const rows of file.batches({ city: null, idKey: 'test' }))
      for (const row of rows)
        if ('taken' in row)
          addTo(means, `${row.taken.values[type]} ${row.taken.quarter} ${name}`, row.taken.values[mean] as number);
  }
  const outliers: number[] = [];
  for (const [key, list] of means) {
    const type = key.split(' ')[0] as RentPropertyType;
    const unit = rentUnitOf(type, list);
    t.is(unit, ['office', 'shop', 'showroom'].includes(type) ? 'year_per_sqm' : 'year', key);
    if (unit !== null) outliers.push(...list.filter((mean) => !isPlausibleRent(type, unit, mean)));
  }
  t.true(means.size > 2_000);
  t.deepEqual(outliers, [22_500]);
});

async function count(
  t: { fail(message: string): void },
  file: OfficialFile,
  placed: { rows: number; city: number; named: number; matched: number },
): Promise<void> {
  const columns = Object.keys(file.publication.columns);
  const at = (name: string): number => columns.indexOf(name);
  const district = Math.max(at('ministry_district_ar'), at('neighborhood_ar'));
  for await (const rows of file.batches({ city: 'riyadh', idKey: 'test' }))
    for (const row of rows) {
      placed.rows++;
      if (!('taken' in row)) {
        t.fail(`line ${row.line}: ${row.reason}`);
        continue;
      }
      const { values } = row.taken;
      if (district === -1 || values[at('city')] === null) continue;
      placed.city++;
      if (values[district] !== null) placed.named++;
      if (values[at('neighborhood_id')] !== null) placed.matched++;
    }
}
