import fc from 'fast-check';
import { PAYMENTS_PER_YEAR, RENT_FREQUENCIES } from '#domain/listing-vocabulary.ts';
import { readPrice } from '#ingest/normalize/price.ts';
import { foldedLines } from '#ingest/normalize/stated-amounts.ts';
import { test } from '#test/test.ts';
import { cases } from './spellings.ts';

const priced = (...asked: Parameters<typeof readPrice>) => {
  const read = readPrice(...asked);
  return 'price' in read ? read.price : read;
};

test('a yearly rent is the amount multiplied by the payments per year, and a sale price is the total', (t) => {
  const amounts = fc.integer({ min: 1, max: 100_000_000 });
  fc.assert(
    fc.property(amounts, fc.constantFrom(...RENT_FREQUENCIES), (amount, frequency) => {
      const yearly = amount * PAYMENTS_PER_YEAR[frequency];
      t.deepEqual(priced(amount, frequency, 'rent'), { amount, frequency, yearly });
      t.deepEqual(priced(amount, frequency, 'sale'), { amount, frequency: 'total', yearly: amount });
    }),
  );
  t.true('unreadable' in readPrice(1e15, null, 'sale'));
});

/** @param texts price and period, separated by `;` */
const rent = (texts: string): number | string | null => {
  const [price = '', period] = texts.split(';');
  const read = readPrice(price, period, 'rent');
  return 'price' in read ? (read.doubt ?? read.price?.yearly ?? null) : 'unreadable';
};

cases('a rent is read with the period of its text and of its field', rent, [
  [84_000, '7000 شهري|7000/month|7000/m|7000 / mo|7000 SAR p/m'],
  [85_000, '85,000 ريال سنويا|85 الف'],
  [14_400, '١٬٢٠٠;شهريا'],
  [80_000, '20000;كل ثلاثة أشهر|20000;كل ثلاث شهور'],
  // The number of payments per year, not their amount.
  [20_000, '20000;|20000;دفعتين|20000;دفعه واحده|20000;أربع دفعات|20000;2 cheques'],
  // The text of the price takes precedence over the other field.
  [60_000, '60000 سنوي;حسب الاتفاق'],
  ['unknown_period', '85000;each blue moon|85000;حسب الاتفاق|85000;كل أربعة شهور'],
]);

/** @param texts price and text of an ad, separated by `;` */
const sale = (texts: string, area: number | null = 360): unknown => {
  const [price = '', text = ''] = texts.split(';');
  const read = readPrice(/^\d+$/.test(price) ? Number(price) : price, null, 'sale', {
    area,
    areaInText: 215,
    lines: foldedLines(text),
  });
  return 'price' in read ? (read.price ?? read.doubt) : read;
};
const perSqm = (amount: number) => ({ amount, frequency: 'per_sqm', yearly: amount * 360 }) as const;
const total = (amount: number) => ({ amount, frequency: 'total', yearly: amount }) as const;

cases<unknown>(
  'a price per square meter is multiplied by the area, and a total price beside one is kept',
  (texts) => sale(texts),
  [
    [perSqm(3_200), '3200 SAR/m2|3,200 / sqm|3200 per square meter|سعر المتر 3200|المتر بـ٣٢٠٠|3200/م2|3.2 الف للمتر'],
    [perSqm(3_200), '3200;أرض سكنية للبيع، سعر المتر 3200 ريال|3200;price per sqm 3200'],
    [perSqm(3_000), '3000;ارض تجارية ب1900ريال للمتر على السوم'],
    [total(1_152_000), '1152000;سعر المتر 3200'],
    [total(1_100_000), '1100000;المتر ب 3200 صافي'],
    [total(900_000), '900000;قريبة للمترو ب 900|900000;الشقة 174 متر ب950 الف|900000;المساحة ٢١٥ المتر\nالسعر 650 الف'],
    [total(900_000), '900000;شارع 20 م|900000;المتر الذهبي للخدمات 920000123'],
  ],
);

test('a rent per square meter is per year, and a price per square meter without an area is no price', (t) => {
  const ofRent = priced('350 ريال للمتر', 'سنوي', 'rent', { area: 100 });
  t.deepEqual(ofRent, { amount: 350, frequency: 'per_sqm', yearly: 35_000 });
  for (const texts of ['3200 SAR/m2', '1900;1900 ريال للمتر']) t.is(sale(texts, null), 'area_missing');
});
