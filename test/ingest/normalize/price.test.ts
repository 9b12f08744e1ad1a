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

test('a rent is read with the period of its field, else of its text', (t) => {
  for (const [expected, period, prices] of [
    [84_000, null, '7000 شهري|7000/month|7000/m|7000 / mo|7000 SAR p/m'],
    [85_000, null, '85,000 ريال سنويا|85 الف'],
    [1_200_000, null, '1.2M'],
    [14_400, 'شهريا', '١٬٢٠٠'],
    [109_500, 'per day', '300'],
    // The text of the price takes precedence over the other field.
    [60_000, 'حسب الاتفاق', '60000 سنوي'],
  ] as const)
    for (const price of prices.split('|')) t.is(yearly(price, period, 'rent'), expected, price);
  for (const [times, periods] of [
    [52, 'اسبوعيا'],
    [2, 'كل ستة أشهر|Semi-annually|كل ستة شهور|كل ٦ شهور'],
    [4, 'كل ثلاثة أشهر|كل ثلاث شهور'],
    [12, 'دفعات شهرية'],
    // The number of payments per year, not their amount.
    [1, '|دفعتين|دفعه واحده|أربع دفعات|2 cheques'],
  ] as const)
    for (const period of periods.split('|')) t.is(yearly(20_000, period, 'rent'), 20_000 * times, period);
});

const without = { price: null, doubt: null, implausible: null, readings: [] } as const;

test('an ad without a posted price has no price, and an unreadable price is reported', (t) => {
  for (const price of [null, 0, -1, ...'|0|N/A|على السوم|call for price|السعر عند التواصل|قابل للتفاوض'.split('|')])
    t.deepEqual(readPrice(price, null, 'sale'), without, String(price));
  for (const price of ['???!', 'abc', '85000 - 90000', 'من 85 الف الى 90 الف', 1e15])
    t.true('unreadable' in readPrice(price, null, 'sale'), String(price));
});

test('a rent of an unknown period, or a price per square meter without an area, has no price', (t) => {
  for (const period of ['each blue moon', 'حسب الاتفاق', 'كل أربعة شهور'])
    t.deepEqual(readPrice(85_000, period, 'rent'), { ...without, doubt: 'unknown_period' }, period);
  for (const [price, text] of [
    ['3200 SAR/m2', ''],
    [1_900, '1900 ريال للمتر'],
  ] as const)
    t.deepEqual(readPrice(price, null, 'sale', { area: null, text }), { ...without, doubt: 'area_missing' });
});

test('a price per square meter is multiplied by the area, and as_posted keeps it', (t) => {
  const perSqm = (price: string | number, text: string, amount: number) =>
    t.deepEqual(
      readPrice(price, null, 'sale', { area: 360, text }),
      { ...without, price: { amount, frequency: 'per_sqm', yearly: amount * 360 } },
      `${price} ${text}`,
    );
  const texts =
    '3200 SAR/m2|3,200 / sqm|3200 per square meter|سعر المتر 3200|المتر ب 3200|المتر بـ٣٢٠٠|٣٢٠٠ للمتر|3200/م2|3.2 الف للمتر';
  for (const text of texts.split('|')) perSqm(text, '', 3_200);
  perSqm(3_200, 'أرض سكنية للبيع، سعر المتر 3200 ريال', 3_200);
  for (const text of ['ارض شارع 20 ب1900ريال للمتر', 'المتر ب ١٩٠٠']) perSqm(1_900, text, 1_900);
  perSqm(3_000, 'ارض تجارية ب1900ريال للمتر على السوم', 3_000);
  perSqm(2_500, 'price per sqm 2500', 2_500);
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
