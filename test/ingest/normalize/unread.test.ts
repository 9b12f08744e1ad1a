import fc from 'fast-check';
import {
  readPeriod,
  readPropertyType,
  readPurpose,
  readState,
  statesPayments,
  withoutAbsent,
} from '#ingest/normalize/ad-words.ts';
import { readAmount } from '#ingest/normalize/amount.ts';
import { unitSize } from '#ingest/normalize/area.ts';
import { readCurrency } from '#ingest/normalize/currencies.ts';
import { decoded } from '#ingest/normalize/decode-html.ts';
import { RAW_FIELDS, type RawListing, REPORTED_AS } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { isBlank } from '#ingest/normalize/numbers.ts';
import { test } from '#test/test.ts';
import { AD_VALUES } from '../law/rows.ts';

const AT = new Date('2026-11-24T00:00:00Z');
const AD: RawListing = {
  // No random value is read as this id, so that another one differs.
  source_listing_id: 'the id of the ad without the value',
  purpose: 'rent',
  property_type: 'apartment',
  price: 6_000,
  area: 130,
  city: 'Riyadh',
};

type Path = readonly string[];

/** Every field, with those in objects. */
const pathsOf = (fields: object): Path[] =>
  Object.entries(fields).flatMap(([name, type]) =>
    typeof type === 'object' ? [[name], ...pathsOf(type).map((path) => [name, ...path])] : [[name]],
  );

const withValue = ([name = '', ...path]: Path, value: unknown): object => ({
  [name]: path.length === 0 ? value : withValue(path, value),
});

const readAd = (changes: object) => normalize({ name: 's' }, { ...AD, ...changes } as RawListing, AT);

/** Whether a value states anything: words for "unknown", and zeros with or without a unit, do not. An element states its text. */
const isStated = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? '#text' in value
      ? isStated(value['#text'])
      : Object.values(value).some(isStated)
    : !isBlank(typeof value === 'string' ? decoded(value) : value) &&
      value !== false &&
      !/^[^1-9]*0[^1-9]*$/.test(String(value));

const leavesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [String(value)];

/** Values that equal the default assumption. */
const ASSUMED: Readonly<Record<string, (text: string) => boolean>> = {
  purpose: (text) => readPurpose(text) === 'rent',
  property_type: (text) => readPropertyType(text) === 'apartment',
  price_period: (text) => readPeriod(text) === 'yearly' || statesPayments(text),
  currency: (text) => readCurrency(text)?.code === 'SAR',
  area_unit: (text) => unitSize(text) === 1,
  status: (text) => ['offered', 'reserved'].includes(readState(text) ?? ''),
  amenities: (text) => withoutAbsent(text).trim() === '',
  price: (text) => readAmount(text) === 'none',
  city: (text) => /riyadh|الرياض/i.test(text),
};

test('each value of each field is read, or reported as unread', async (t) => {
  const wrapped = (value: fc.Arbitrary<unknown>) =>
    fc.oneof(
      value,
      value.map((each) => [each]),
      value.map((each) => ({ '@id': '1', '#text': each })),
      value.map((each) => ({ value: each })),
      value.map((each) => [each, each, 'x']),
    );
  const known = Object.entries(AD_VALUES).flatMap(([, values]) => values ?? []);
  const value = wrapped(fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...known), fc.string()));
  fc.assert(
    fc.property(fc.constantFrom(...pathsOf(RAW_FIELDS)), value, (path, stated) => {
      const [name = ''] = path;
      const without = readAd({ [name]: name in AD && !['price', 'area'].includes(name) ? AD[name as 'city'] : null });
      const result = readAd(withValue(path, stated));
      if (!result.ok || !without.ok || !isStated(stated)) return true;
      const reported = REPORTED_AS[name as keyof typeof REPORTED_AS] ?? name;
      return (
        result.unread.some(({ field }) => field === reported) ||
        JSON.stringify(result.listing) !== JSON.stringify(without.listing) ||
        leavesOf(stated).some((leaf) => ASSUMED[name]?.(leaf) ?? false)
      );
    }),
    { numRuns: 5_000 },
  );
  t.pass();
});
