import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatter } from '#site/server/format.ts';
import { EXPLORER_TEXTS } from '#site/text/index.ts';
import { test } from '#test/test.ts';

test('counted nouns agree with their number, in both languages', (t) => {
  const count = (language: 'en' | 'ar', values: readonly number[]) =>
    values.map((value) => formatter(language).count(EXPLORER_TEXTS[language].beds, value));
  t.deepEqual(count('en', [0, 1, 2, 3]), ['0 bedrooms', '1 bedroom', '2 bedrooms', '3 bedrooms']);
  t.deepEqual(count('ar', [1, 2, 3, 11]), ['غرفة نوم واحدة', 'غرفتا نوم', '3 غرف نوم', '11 غرفة نوم']);
});

test('every text of the site has an Arabic translation, and counted texts have a form for each plural category', async (t) => {
  const folder = join(import.meta.dirname, '../../site/text');
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.json'))) {
    const source = await readFile(join(folder, file), 'utf8');
    JSON.parse(source, (name, value) => {
      if (!Array.isArray(value)) return value;
      t.is(value.filter((text) => typeof text === 'string').length, 2, `${file} ${name}`);
      // The form for zero is optional.
      for (const [text, categories] of [
        [value[0], 2],
        [value[1], 5],
      ] as const)
        t.true([1, categories, categories + 1].includes(text.split('|').length), `${file} ${name}`);
      return value;
    });
  }
});
