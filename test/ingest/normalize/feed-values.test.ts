import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FeedValues, feedText, type Right, servedValues } from '#test/feed-values.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const dir = folderOfFile();

/** Fields of one ad, as JSON text or a value, with the accepted served values of each checked field. */
const CASES: readonly (readonly [row: string | FeedValues, right: Right])[] = [
  [{ updated: '2026-02-31T08:00:00Z' }, { updated_at: [null] }],
  [{ updated: '1448/06/10' }, { updated_at: [null] }],
  [{ updated: '2026-11-20 23:30:00' }, { updated_at: ['2026-11-20T20:30:00Z'] }],
  [{ floor: 'الدور الثاني عشر' }, { floor: ['12'] }],
  [{ floor: 'G+2' }, { floor: [null] }],
  [{ floor: null, text: 'شقة للبيع في الدور الثاني عشر إطلالة جميلة' }, { floor: ['12'] }],
  [{ price: '€ 850.000,00' }, { price: [null] }],
  [{ price: '٨٥٠٬٠٠٠' }, { price: [850_000] }],
  [{ price: '8.5E+05' }, { price: [850_000] }],
  [
    { purpose: 'rent', price: '5234.55', period: 'monthly' },
    { price: [62_814.6], amount: [5_234.55] },
  ],
  [{ price: '$216,000' }, { price: [810_000], amount: [216_000], currency: ['USD'] }],
  [{ price: '90000 ريال عماني' }, { price: [877_763.3], amount: [90_000], currency: ['OMR'] }],
  [{ area: '145,5 m2' }, { area_sqm: [145.5] }],
  [{ type: 'فيلا', area: '1.200,5 m2' }, { area_sqm: [1_200.5] }],
  [{ type: 'أرض', area: '600 م² (20×30)' }, { area_sqm: [600] }],
  [{ purpose: 'rent', price: '2500', period: 'bi-weekly' }, { price: [null] }],
  ['{"id": 9007199254740992}', { id: ['9007199254740992'] }],
  ['{"id": 9007199254740993}', { id: ['9007199254740993'] }],
  [{ amenities: ['عدد المصاعد: 0'] }, { lift: [false] }],
  [{ amenities: ['parking: 1'] }, { parking: [true] }],
  [
    { lat: '24.713', lng: '46.675' },
    { lat: [24.713], lng: [46.675] },
  ],
  [{ url: 'https://sa.example/شقق-للبيع/الرياض/123' }, { url: ['https://sa.example/شقق-للبيع/الرياض/123'] }],
];

test('values are served as their feed means them, or are absent', async (t) => {
  const path = join(dir, 'values.ndjson');
  await writeFile(path, CASES.map(([row]) => `${feedText(row)}\n`).join(''));
  const served = await servedValues(path);
  t.is(served.length, CASES.length);
  for (const [index, [row, right]] of CASES.entries())
    for (const [field, accepted] of Object.entries(right))
      t.true(
        accepted.includes(served[index]?.[field]),
        `${JSON.stringify(row)}: ${field} is ${served[index]?.[field]}`,
      );
});
