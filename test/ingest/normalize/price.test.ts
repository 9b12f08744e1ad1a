import test from 'ava';
import fc from 'fast-check';
import { PAYMENTS_PER_YEAR, RENT_FREQUENCIES } from '#domain/listings/vocabulary.ts';
import { readPrice } from '#ingest/normalize/price.ts';

const amounts = fc.integer({ min: 1, max: 100_000_000 });

test('a rent comes to its amount times the payments of a year', (t) => {
  fc.assert(
    fc.property(amounts, fc.constantFrom(...RENT_FREQUENCIES), (amount, frequency) => {
      t.deepEqual(readPrice(amount, frequency, 'rent'), {
        amount,
        frequency,
        yearly: amount * PAYMENTS_PER_YEAR[frequency],
      });
    }),
  );
});

test('a sale is its total, whatever period is stated', (t) => {
  fc.assert(
    fc.property(amounts, fc.option(fc.constantFrom(...RENT_FREQUENCIES)), (amount, period) => {
      t.deepEqual(readPrice(amount, period, 'sale'), { amount, frequency: 'total', yearly: amount });
    }),
  );
});

test('a dearer rent is dearer a year, in each period', (t) => {
  fc.assert(
    fc.property(amounts, amounts, fc.constantFrom(...RENT_FREQUENCIES), (a, b, frequency) => {
      const [one, other] = [readPrice(a, frequency, 'rent'), readPrice(b, frequency, 'rent')];
      if (one === null || other === null || typeof one === 'string' || typeof other === 'string') return t.fail();
      t.is(Math.sign(one.yearly - other.yearly), Math.sign(a - b));
    }),
  );
});

test('a price by its spelling', (t) => {
  const rents: [string | number | null, string | null, number | null][] = [
    ['85,000 ريال سنويا', null, 85_000],
    ['7000 شهري', null, 84_000],
    ['١٬٢٠٠', 'شهريا', 14_400],
    ['1200/month', null, 14_400],
    ['300', 'per day', 109_500],
    [500, 'اسبوعيا', 26_000],
    [20_000, 'كل ستة أشهر', 40_000],
    [20_000, 'Semi-annually', 40_000],
    [20_000, 'كل ثلاثة أشهر', 80_000],
    [60_000, '', 60_000],
    ['85 الف', null, 85_000],
  ];
  for (const [price, period, yearly] of rents) {
    const read = readPrice(price, period, 'rent');
    t.is(read === null || typeof read === 'string' ? null : read.yearly, yearly, `${price} ${period}`);
  }
});

test('an advertiser who posts no price has none', (t) => {
  for (const price of [
    null,
    '',
    0,
    '0',
    -1,
    'N/A',
    'على السوم',
    'call for price',
    'السعر عند التواصل',
    'قابل للتفاوض',
  ]) {
    t.is(readPrice(price, null, 'sale'), null, String(price));
  }
});

test('a price that cannot be read says why', (t) => {
  for (const price of ['???!', 'abc', '85000 - 90000', 'من 85 الف الى 90 الف', 1e15]) {
    t.is(typeof readPrice(price, null, 'sale'), 'string', String(price));
  }
  t.regex(String(readPrice(85_000, 'each blue moon', 'rent')), /no period/);
});
