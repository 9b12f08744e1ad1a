import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatter } from '#site/server/format.ts';
import { EXPLORER_TEXTS, SERVICE_TEXTS, TEXTS } from '#site/text/index.ts';
import { test } from '#test/test.ts';

test('counted nouns agree with their number, and a count of zero has the special wording of the noun if there is one', (t) => {
  const count = (language: 'en' | 'ar', values: readonly number[], forms = EXPLORER_TEXTS[language].beds) =>
    values.map((value) => formatter(language).count(forms, value));
  t.deepEqual(count('en', [0, 1, 2, 3]), ['0 bedrooms', '1 bedroom', '2 bedrooms', '3 bedrooms']);
  t.deepEqual(count('ar', [1, 2, 3, 11]), ['غرفة نوم واحدة', 'غرفتا نوم', '3 غرف نوم', '11 غرفة نوم']);
  for (const [language, words] of [
    ['en', ['Listed today', 'Less than a year', '0 bedrooms']],
    ['ar', ['نُشر اليوم', 'أقل من سنة', '0 غرفة نوم']],
  ] as const) {
    const { days_on_market, age_years, rooms } = TEXTS[language];
    t.deepEqual(
      [days_on_market, age_years, rooms].flatMap((forms) => count(language, [0], forms)),
      [...words],
    );
  }
});

test('every text of the site has an Arabic translation', async (t) => {
  const folder = join(import.meta.dirname, '../../site/text');
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.json'))) {
    const source = await readFile(join(folder, file), 'utf8');
    JSON.parse(source, (name, value) => {
      if (Array.isArray(value)) t.is(value.filter((text) => typeof text === 'string').length, 2, `${file} ${name}`);
      return value;
    });
  }
});

test('a counted text has a form for each plural category, in both languages', (t) => {
  for (const [language, categories] of [
    ['en', 2],
    ['ar', 5],
  ] as const) {
    const texts = JSON.stringify([TEXTS[language], EXPLORER_TEXTS[language], SERVICE_TEXTS[language]]);
    const counted = texts.match(/"[^"|]*\|[^"]*"/g) ?? [];
    t.true(counted.length >= 15);
    for (const text of counted) t.true([categories, categories + 1].includes(text.split('|').length), text);
  }
});

test('abbreviated values on an axis have distinct labels, in both languages', (t) => {
  for (const language of ['en', 'ar'] as const) {
    const { compact } = formatter(language);
    for (const [first, step] of [
      [1_250_000, 2_000],
      [980_000, 10_000],
      [61_500, 500],
      [60_000, 2_000],
      [20, 0.5],
    ] as const) {
      const labels = [0, 1, 2, 3, 4].map((index) => compact(first + index * step, step));
      t.is(new Set(labels).size, labels.length, labels.join());
    }
  }
  t.is(formatter('en').compact(62_000, 2_000), '62K');
  t.is(formatter('en').compact(1_252_000, 2_000), '1.252M');
});

test('a line cannot break between an area and its unit', (t) => {
  t.is(formatter('en').area(1_217), '1,217\u00a0m²');
  t.is(formatter('ar').area(217.5), '217.5\u00a0م²');
});
