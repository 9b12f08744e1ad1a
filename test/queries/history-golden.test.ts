import { OPEN } from '#domain/months.ts';
import { historyDocument } from '#ingest/history/documents.ts';
import { dealsBody } from '#queries/analytics/deals.ts';
import { trendsBody, trendValuesBody } from '#queries/analytics/trends.ts';
import { goldenTests } from '#test/golden.ts';
import { test } from '#test/test.ts';

/**
 * Request bodies sent to OpenSearch, as files for review. `UPDATE_GOLDEN=1 npm test -- test/queries/history-golden.test.ts &&
 * npm run lint -- --write` updates them; review the difference before you commit it.
 */
const FOLDER = new URL('./golden/history/', import.meta.url);

const rent = { city: 'riyadh', listing_type: 'rent' };
const months = { firstMonth: 2026 * 12 + 2, lastMonth: 2026 * 12 + 6 };
const now = Date.parse('2026-06-01T12:34:56Z');
const row = {
  listing: 7,
  firstMonth: months.firstMonth,
  lastMonth: OPEN,
  listingType: 'rent',
  price: 42_000,
  newMonth: months.firstMonth,
  newPrice: 45_000,
  plausible: 0b0111,
  city: 'riyadh',
  propertyType: 'apartment',
  category: 'residential',
  neighborhood: 1001,
  bedrooms: 3,
  bathrooms: null,
  livings: 1,
  area: 120,
  lat: 24.7,
  lng: 46.7,
};

const bodies: Record<string, unknown> = {
  'trends-city': trendsBody({ filters: rent, basis: 'on_market', ...months }),
  'trends-neighborhoods': trendsBody({
    filters: { ...rent, neighborhood_id: [1001, 1002], property_type: ['apartment'], beds_min: 2 },
    basis: 'new_listings',
    ...months,
  }),
  'trends-values': trendValuesBody({ filters: rent, basis: 'on_market', ...months }),
  'trends-values-neighborhoods': trendValuesBody({
    filters: { ...rent, neighborhood_id: [1001] },
    basis: 'new_listings',
    ...months,
  }),
  'deals-first': dealsBody({ filters: rent, now, size: 11 }),
  'deals-after': dealsBody({
    filters: { ...rent, property_type: ['villa'], price_max: 90_000 },
    now,
    size: 26,
    after: [31.25, 4711],
  }),
  'document-open': JSON.parse(historyDocument(row)),
  'document-later': JSON.parse(
    historyDocument({ ...row, lastMonth: months.lastMonth, newMonth: null, newPrice: null, area: null, plausible: 3 }),
  ),
};

goldenTests(test, FOLDER, bodies);

test('requests within an hour compile to the same body', (t) => {
  const later = dealsBody({ filters: rent, now: now + 60_000, size: 11 });
  t.deepEqual(later, bodies['deals-first'] as object);
});
