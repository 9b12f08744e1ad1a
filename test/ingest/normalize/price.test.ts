import fc from 'fast-check';
import { PAYMENTS_PER_YEAR, RENT_FREQUENCIES } from '#domain/listings/vocabulary.ts';
import { readPrice } from '#ingest/normalize/price.ts';
import { test } from '#test/test.ts';

const amounts = fc.integer({ min: 1, max: 100_000_000 });

const priced = (...asked: Parameters<typeof readPrice>) => {
  const read = readPrice(...asked);
  return 'price' in read ? read.price : read;
};
const yearly = (...asked: Parameters<typeof readPrice>): number | null => {
  const read = readPrice(...asked);
  return 'price' in read ? (read.price?.yearly ?? null) : null;
};

test('a yearly rent is the amount multiplied by the payments per year', (t) => {
  fc.assert(
    fc.property(amounts, fc.constantFrom(...RENT_FREQUENCIES), (amount, frequency) => {
      t.deepEqual(priced(amount, frequency, 'rent'), {
        amount,
        frequency,
        yearly: amount * PAYMENTS_PER_YEAR[frequency],
      });
    }),
  );
});

test('a sale price is the total, regardless of a stated period', (t) => {
  fc.assert(
    fc.property(amounts, fc.option(fc.constantFrom(...RENT_FREQUENCIES)), (amount, period) => {
      t.deepEqual(priced(amount, period, 'sale'), { amount, frequency: 'total', yearly: amount });
    }),
  );
});

test('a higher rent gives a higher yearly rent in every period', (t) => {
  fc.assert(
    fc.property(amounts, amounts, fc.constantFrom(...RENT_FREQUENCIES), (a, b, frequency) => {
      const [one, other] = [yearly(a, frequency, 'rent'), yearly(b, frequency, 'rent')];
      if (one === null || other === null) return t.fail();
      t.is(Math.sign(one - other), Math.sign(a - b));
    }),
  );
});

test('prices are parsed in all common formats', (t) => {
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
    ['4,500 SAR p/m', null, 54_000],
    ['4500/m', null, 54_000],
    ['4500 / mo', null, 54_000],
    ['1.2M', null, 1_200_000],
    [20_000, 'كل ستة شهور', 40_000],
    [20_000, 'كل ٦ شهور', 40_000],
    [10_000, 'كل ثلاث شهور', 40_000],
    // The text states the number of payments per year, not their amount.
    [40_000, 'دفعتين', 40_000],
    [40_000, 'دفعه واحده', 40_000],
    [40_000, 'أربع دفعات', 40_000],
    [40_000, '2 cheques', 40_000],
    [3_000, 'دفعات شهرية', 36_000],
    // The text of the price takes precedence over the other field.
    ['60000 سنوي', 'حسب الاتفاق', 60_000],
  ];
  for (const [price, period, expected] of rents) t.is(yearly(price, period, 'rent'), expected, `${price} ${period}`);
});

test('an ad without a posted price has no price', (t) => {
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
    t.deepEqual(
      readPrice(price, null, 'sale'),
      { price: null, doubt: null, implausible: null, readings: [] },
      String(price),
    );
  }
});

test('an unreadable price is reported with a reason', (t) => {
  for (const price of ['???!', 'abc', '85000 - 90000', 'من 85 الف الى 90 الف', 1e15]) {
    t.true('unreadable' in readPrice(price, null, 'sale'), String(price));
  }
});

test('a rent of an unknown period has no price, with the reason', (t) => {
  for (const period of ['each blue moon', 'حسب الاتفاق', 'كل أربعة شهور'])
    t.deepEqual(
      readPrice(85_000, period, 'rent'),
      { price: null, doubt: 'unknown_period', implausible: null, readings: [] },
      period,
    );
});

test('a price per square meter is multiplied by the area, and as_posted keeps it', (t) => {
  const sales: [price: string | number, text: string, expected: number][] = [
    ['3200 SAR/m2', '', 3_200],
    ['3,200 / sqm', '', 3_200],
    ['3200 per square meter', '', 3_200],
    ['سعر المتر 3200', '', 3_200],
    ['المتر ب 3200', '', 3_200],
    ['المتر بـ٣٢٠٠', '', 3_200],
    ['٣٢٠٠ للمتر', '', 3_200],
    ['3200/م2', '', 3_200],
    ['3.2 الف للمتر', '', 3_200],
    [3_200, 'أرض سكنية للبيع، سعر المتر 3200 ريال', 3_200],
    [1_900, 'ارض شارع 20 ب1900ريال للمتر', 1_900],
    [1_900, 'المتر ب ١٩٠٠', 1_900],
    [3_000, 'ارض تجارية ب1900ريال للمتر على السوم', 3_000],
    [2_500, 'price per sqm 2500', 2_500],
  ];
  for (const [price, text, amount] of sales) {
    t.deepEqual(
      readPrice(price, null, 'sale', { area: 360, text }),
      { price: { amount, frequency: 'per_sqm', yearly: amount * 360 }, doubt: null, implausible: null, readings: [] },
      `${price} ${text}`,
    );
  }
  t.deepEqual(priced('350 ريال للمتر', 'سنوي', 'rent', { area: 100 }), {
    amount: 350,
    frequency: 'per_sqm',
    yearly: 35_000,
  });
});

test('a total price remains a total price if the text mentions square meters', (t) => {
  const totals: [price: string | number, text: string][] = [
    [1_152_000, 'سعر المتر 3200'],
    [1_100_000, 'المتر ب 3200 صافي'],
    [900_000, 'قريبة للمترو ب 900'],
    [900_000, 'الشقة 174 متر ب950 الف'],
    [900_000, 'المساحة ٢١٥ المتر\nالسعر 650 الف'],
    [900_000, 'شارع 20 م'],
    ['900000', 'المتر الذهبي للخدمات 920000123'],
  ];
  for (const [price, text] of totals) {
    const amount = Number(price);
    t.deepEqual(
      priced(price, null, 'sale', { area: 360, areaInText: 215, text }),
      { amount, frequency: 'total', yearly: amount },
      `${price} ${text}`,
    );
  }
});

test('a price per square meter without an area gives no price, with the reason', (t) => {
  t.deepEqual(readPrice('3200 SAR/m2', null, 'sale', { area: null }), {
    price: null,
    doubt: 'area_missing',
    implausible: null,
    readings: [],
  });
  t.deepEqual(readPrice(1_900, null, 'sale', { area: null, text: '1900 ريال للمتر' }), {
    price: null,
    doubt: 'area_missing',
    implausible: null,
    readings: [],
  });
});
