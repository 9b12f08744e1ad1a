import { readAmount } from '#site/server/amounts.ts';
import { test } from '#test/test.ts';

test('amounts are read as visitors type them, in both languages', (t) => {
  for (const [typed, amount] of [
    ['60000', '60000'],
    ['60,000', '60000'],
    ['60k', '60000'],
    ['60 K', '60000'],
    ['1.5m', '1500000'],
    ['1.5 million', '1500000'],
    ['SAR 60,000', '60000'],
    ['٦٠ ألف', '60000'],
    ['٦٠٬٠٠٠', '60000'],
    ['1٫5 مليون', '1500000'],
    ['60 الف ريال', '60000'],
    ['2.5', '2.5'],
  ] as const)
    t.is(readAmount(typed), amount, typed);
  for (const typed of ['', 'cheap', '60-80', '-5', '1.2.3', 'k', '1e5']) t.is(readAmount(typed), null, typed);
});
