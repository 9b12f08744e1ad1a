import test from 'ava';
import { formatter } from '#site/format.ts';
import { EXPLORER_TEXTS } from '#site/text/explorer.ts';

test('counted nouns agree with their number in both languages', (t) => {
  const count = (language: 'en' | 'ar', value: number) =>
    formatter(language).count(EXPLORER_TEXTS[language].beds, value);
  t.deepEqual(
    [0, 1, 2, 3].map((value) => count('en', value)),
    ['0 bedrooms', '1 bedroom', '2 bedrooms', '3 bedrooms'],
  );
  t.deepEqual(
    [1, 2, 3, 11].map((value) => count('ar', value)),
    ['غرفة نوم واحدة', 'غرفتا نوم', '3 غرف نوم', '11 غرفة نوم'],
  );
});
