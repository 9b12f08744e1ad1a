import type { ListingType } from '#domain/listing-vocabulary.ts';
import { ROLE_RULES } from '#ingest/normalize/amount-roles.ts';
import { readArea, UNITS, unitSize } from '#ingest/normalize/area.ts';
import { CURRENCIES, readCurrency } from '#ingest/normalize/currencies.ts';
import { readPrice } from '#ingest/normalize/price.ts';
import { foldedLines, statedAmounts } from '#ingest/normalize/stated-amounts.ts';
import { judgeKind, KIND_RULES } from '#ingest/normalize/text-kind.ts';
import { GONE, judgePrice, NOT_REAL, PART_PHRASES } from '#ingest/normalize/text-price.ts';
import { test } from '#test/test.ts';

const flagOf = (text: string, listingType: ListingType = 'sale') =>
  judgePrice({ amount: 425_000, yearly: 425_000, period: null }, foldedLines(text), {
    listingType,
    isLand: false,
    area: 150,
    areaInText: null,
  }).implausible;

test('the examples of every rule for words of a text are read by it', (t) => {
  for (const { role, period, examples } of ROLE_RULES)
    for (const example of examples) {
      const stated = statedAmounts(foldedLines(example)).at(-1);
      t.like(
        { role: stated?.role, ...(period && { period: stated?.period }) },
        { role, ...(period && { period }) },
        example,
      );
    }
  for (const { words, examples } of PART_PHRASES)
    for (const example of examples) {
      t.regex(foldedLines(example).join('\n'), words);
      t.is(flagOf(example), 'partial_price', example);
    }
  for (const example of NOT_REAL.examples) t.is(flagOf(example), 'text_price_differs', example);
  for (const type of ['sale', 'rent'] as const)
    for (const example of GONE[type].examples)
      t.is(flagOf(`شقة جديدة\n${example}\nقريبة من الخدمات`, type), 'sold', example);
  for (const { types, listingType = 'sale', onlyWithoutBedrooms, examples, others } of KIND_RULES)
    for (const type of types) {
      const read = (text: string, bedrooms = onlyWithoutBedrooms ? null : 4) =>
        judgeKind(foldedLines(text), { listingType, type, bedrooms, city: 'riyadh' })?.flag;
      for (const example of examples) {
        t.is(read(example), 'text_contradicts', example);
        if (onlyWithoutBedrooms) t.is(read(example, 4), undefined, example);
      }
      for (const other of others) t.is(read(other), undefined, other);
    }
});

test('the examples of every currency are read in fields, columns and texts', (t) => {
  for (const { currency, examples } of CURRENCIES) {
    for (const example of examples) {
      const amount = Number(example.replace(/[^\d]/g, '')) * (example.includes('ألف') ? 1_000 : 1);
      const inSar = currency.sar === null ? null : Math.round(amount * currency.sar);
      const read = readPrice(example, null, 'sale', { area: 120 });
      t.is('unreadable' in read ? null : Math.round(read.price?.yearly ?? 0), inSar, example);
      const [stated] = statedAmounts(foldedLines(`شقة للبيع السعر ${example}`));
      t.true(inSar === null ? stated === undefined : Math.abs((stated?.amount ?? 0) - inSar) <= 1, example);
    }
    t.is(readCurrency(currency.code)?.code ?? 'XXX', currency.code);
  }
});

test('the examples of every unit of area are converted, in the text and in a column', (t) => {
  for (const { squareMeters, examples } of UNITS)
    for (const example of examples) {
      t.is(unitSize(example), squareMeters, example);
      const amount = Math.ceil(4_000 / squareMeters);
      const read = readArea(`${amount} ${example}`, 'land');
      t.true(Math.abs((read ?? 0) - amount * squareMeters) <= 0.05, `${amount} ${example}`);
      t.is(readArea(amount, 'land', example), read);
    }
  t.is(readArea(145, 'apartment', 'cubits'), undefined);
});

test('a text that locates the home in another city contradicts the fields; other cities in a text do not', (t) => {
  const ad = { listingType: 'sale', type: 'apartment', bedrooms: 4, city: 'riyadh' } as const;
  for (const text of ['شقة للبيع. الموقع جدة حي النعيم', 'Nice flat. The property is in Jeddah'])
    t.is(judgeKind(foldedLines(text), ad)?.flag, 'text_contradicts', text);
  for (const text of [
    'قريب من طريق مكة، وعلى طريق الخرج',
    'في الرياض حي النرجس، مكتبنا في جدة أيضا',
    'In Riyadh, minutes from the road to Makkah',
  ])
    t.is(judgeKind(foldedLines(text), ad), null, text);
});
