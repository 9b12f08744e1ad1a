import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOfFile } from '#test/temporary-folder.ts';
import { feedText, servedValues } from './feed-values.ts';
import { publicData, testWith } from './public-data.ts';

const CASES = ['..', 'cases', 'feed-values.ndjson'];
const dir = folderOfFile();

interface Case {
  case: string;
  row: Record<string, unknown>;
  right: Record<string, unknown[]>;
}

/** The served field of a checked one, and how a missing value is written. */
const FIELDS: Readonly<Record<string, readonly [field: string, missing: unknown]>> = {
  price: ['price', 'no_price'],
  'price.as_posted.amount': ['amount', 'no_price'],
  updated_at: ['updated_at', 'not_stated'],
  'location.lat': ['lat', null],
  area_sqm: ['area_sqm', null],
  floor: ['floor', null],
  id: ['id', null],
};

testWith(...CASES)('the values in the file of cases are served as their feed means them', async (t) => {
  const lines = (await readFile(publicData(...CASES), 'utf8')).trim().split('\n');
  const path = join(dir, 'cases.ndjson');
  // The text of a row keeps the digits of its numbers.
  const rowTexts = lines.map((line) => (/"row": (\{.*?\}), "right"/.exec(line) as RegExpExecArray)[1] as string);
  await writeFile(path, rowTexts.map((row) => `${feedText(row)}\n`).join(''));
  const served = await servedValues(path);
  for (const [index, line] of lines.entries()) {
    const { case: name, right } = JSON.parse(line) as Case;
    const shown = served[index] ?? {};
    for (const [field, accepted] of Object.entries(right)) {
      if (field === 'redirect') t.truthy(shown.url, name);
      else if (field.startsWith('amenities_')) {
        for (const amenity of accepted) t.is(shown[amenity as string], field === 'amenities_with', name);
      } else {
        const [of, missing] = FIELDS[field] as readonly [string, unknown];
        t.true(accepted.includes(shown[of] ?? missing), `${name}: ${field} is ${shown[of]}`);
      }
    }
  }
});
