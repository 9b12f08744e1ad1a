import { readdir } from 'node:fs/promises';
import type { OfficialKind } from '#ingest/official/official-file.ts';
import { openOfficialFile } from '#ingest/official/read.ts';
import { UnreadableFile } from '#ingest/official/table.ts';
import { publicData, testWith } from './public-data.ts';

const { signal } = new AbortController();

const KINDS: Readonly<Record<string, OfficialKind>> = {
  deals: 'transactions',
  rents: 'registered_rents',
  indicators: 'sales_indicators',
  index: 'price_index',
};
/** A file of a different release with a similar name. */
const NOT_AN_INDEX = 'REPI-2023-Q4.csv';
/** Least share of rows with a district whose neighborhood is known. Districts include parts of a city. */
const MATCHED: Readonly<Record<string, number>> = { deals: 0.76, indicators: 0.94 };

for (const [folder, kind] of Object.entries(KINDS))
  testWith(folder)(`every row of the public files of ${folder} is taken`, async (t) => {
    let [named, matched] = [0, 0];
    for (const name of await readdir(publicData(folder))) {
      const opening = openOfficialFile(publicData(folder, name), signal);
      if (name === NOT_AN_INDEX) {
        await t.throwsAsync(opening, { instanceOf: UnreadableFile, message: /Water/ });
        continue;
      }
      const { format, rows } = await opening;
      t.is(format.kind, kind, name);
      const [city, deals, indicators, neighborhood] = [
        'city',
        'ministry_district_ar',
        'neighborhood_ar',
        'neighborhood_id',
      ].map((column) => Object.keys(format.columns).indexOf(column)) as [number, number, number, number];
      for await (const row of rows({ city: 'riyadh', idKey: 'test' })) {
        if (!('taken' in row)) t.fail(`line ${row.line}: ${row.reason}`);
        else if ((row.taken.values[city] ?? null) !== null) {
          if ((row.taken.values[Math.max(deals, indicators)] ?? null) !== null) named++;
          if ((row.taken.values[neighborhood] ?? null) !== null) matched++;
        }
      }
    }
    const least = MATCHED[folder];
    if (least !== undefined) t.true(matched / named > least, `${matched} of ${named}`);
  });
