import type { FilterValues } from '#queries/filters/table.ts';
import { byIdsBody, countBody, searchBody } from '#queries/listings/search.ts';
import { SORT_NAMES } from '#queries/listings/sorts.ts';
import { goldenTests } from '#test/golden.ts';
import { test } from '#test/test.ts';

/**
 * Request bodies sent to OpenSearch, as files for review. `UPDATE_GOLDEN=1 npm test --
 * test/queries/listings-golden.test.ts && npm run lint -- --write` updates them; review the difference before you commit it.
 */
const FOLDER = new URL('./golden/listings/', import.meta.url);
const context = { now: Date.parse('2026-06-01T12:00:00Z') };

const rent: FilterValues = { city: 'riyadh', listing_type: 'rent' };
const around: FilterValues = { ...rent, near: [24.7742, 46.6385], radius_m: 1_500 };
const filtered: FilterValues = {
  ...rent,
  property_type: ['apartment', 'villa'],
  neighborhood_id_exclude: [1003],
  price_max: 90_000,
  verified: false,
  days_on_market_max: 30,
  q: 'مسبح | "private pool"',
};

/** Example sort values of the last row of a page. */
const AFTER = {
  newest: [1_780_000_000_000, 4711],
  updated_asc: [1_780_000_000_000, 4711],
  modified_asc: [1_780_000_000_000_010, 4711],
  price_drop: [12.5, 4711],
  recommended: [20_605.25, 4711],
  price_asc: [45_000.5, 4711],
  price_desc: [45_000.5, 4711],
  distance: [812.25, 4711],
} as const satisfies Record<(typeof SORT_NAMES)[number], readonly [number, number]>;

const bodies: Record<string, unknown> = {
  ...Object.fromEntries(
    SORT_NAMES.flatMap((sort) => {
      const filters = sort === 'distance' ? around : rent;
      return [
        [`search-${sort}`, searchBody({ filters, sort, size: 11 }, context)],
        [`search-${sort}-after`, searchBody({ filters, sort, size: 11, after: AFTER[sort] }, context)],
      ];
    }),
  ),
  'search-modified_asc-watermark': searchBody(
    { filters: rent, sort: 'modified_asc', size: 11, after: AFTER.modified_asc, upTo: 1_780_000_000_000_990 },
    context,
  ),
  'search-no-property-type': searchBody({ filters: rent, sort: 'newest', size: 11 }, context),
  'search-one-property-type': searchBody(
    { filters: { ...rent, property_type: ['villa'] }, sort: 'newest', size: 11 },
    context,
  ),
  'search-two-property-types': searchBody(
    { filters: { ...rent, property_type: ['villa', 'duplex'] }, sort: 'newest', size: 11 },
    context,
  ),
  'search-filtered': searchBody({ filters: filtered, sort: 'newest', size: 26 }, context),
  'count-filtered': countBody(filtered, context),
  'count-one-property-type': countBody({ ...rent, property_type: ['villa'] }, context),
  'count-shapes': countBody({ ...around, polygon: '24.70,46.60;24.70,46.75;24.85,46.70' }, context),
  'by-ids': byIdsBody([3, 1, 2]),
};

goldenTests(test, FOLDER, bodies);

test('identical requests within the same minute compile to identical bodies, regardless of filter order', (t) => {
  const turned = Object.fromEntries(Object.entries(filtered).reverse()) as FilterValues;
  t.deepEqual(
    JSON.stringify(searchBody({ filters: turned, sort: 'newest', size: 26 }, context)),
    JSON.stringify(bodies['search-filtered']),
  );
});
