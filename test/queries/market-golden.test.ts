import { circlesBody, comparablesBody } from '#queries/analytics/comparables.ts';
import { compareBody } from '#queries/analytics/compare.ts';
import { marketPositionBody } from '#queries/analytics/market-position.ts';
import { nearbyBody } from '#queries/analytics/nearby.ts';
import { rentalYieldBody } from '#queries/analytics/rental-yield.ts';
import { COHORT_FILTERS, type CohortFilters, cohortOf, cohortRows } from '#queries/market/cohort.ts';
import {
  AREA,
  distributionBody,
  neighborhoodsBody,
  priceMeasure,
  summaryBody,
  supplyBody,
  vacancyBody,
} from '#queries/market/statistics.ts';
import { hourOf } from '#queries/market/window.ts';
import { goldenTests } from '#test/golden.ts';
import { test } from '#test/test.ts';

/**
 * Request bodies sent to OpenSearch, as files for review. `UPDATE_GOLDEN=1 npm test --
 * test/queries/market-golden.test.ts && npm run lint -- --write` updates them; review the difference before you commit it.
 */
const NOW = Date.parse('2026-06-01T12:34:00Z');

const rent: CohortFilters = { city: 'riyadh', listing_type: 'rent' };
const villas: CohortFilters = {
  city: 'riyadh',
  listing_type: 'sale',
  neighborhood_id: [1001, 1002],
  property_type: ['villa'],
  beds_min: 4,
};
const facts = {
  id: 4711,
  city: 'riyadh',
  listing_type: 'rent',
  property_type: 'apartment',
  age: null,
  bedrooms: 3,
  area: 120,
};
const home = { ...facts, lat: 24.7, lng: 46.7 };
const { city, property_type } = villas;

const BODIES: Readonly<Record<string, (now: number) => unknown>> = {
  summary: (now) => summaryBody(rent, hourOf(now)),
  'summary-filtered': (now) => summaryBody(villas, hourOf(now)),
  'price-distribution-rent': (now) => distributionBody(priceMeasure('rent'), rent, hourOf(now)),
  'price-distribution-sale': (now) => distributionBody(priceMeasure('sale'), villas, hourOf(now)),
  'area-distribution': (now) => distributionBody(AREA, rent, hourOf(now)),
  supply: (now) => supplyBody(rent, hourOf(now)),
  vacancy: (now) => vacancyBody(rent, hourOf(now)),
  neighborhoods: (now) => neighborhoodsBody(rent, hourOf(now)),
  'rental-yield': (now) => rentalYieldBody({ city, property_type }, hourOf(now)),
  'compare-rent': (now) => compareBody({ ...rent, neighborhood_id: [1001, 1002] }, hourOf(now)),
  'compare-sale': (now) => compareBody(villas, hourOf(now)),
  'market-position': (now) => marketPositionBody({ id: 4711, price: 45_000, neighborhood: 1001, filters: rent }, now),
  'market-position-no-price': (now) =>
    marketPositionBody({ id: 4711, price: null, neighborhood: null, filters: rent }, now),
  'comparables-circles': (now) => circlesBody(home, now),
  comparables: (now) => comparablesBody(home, { radius: 1_000, sameBedrooms: true }, 10, now),
  'comparables-no-bedrooms': (now) =>
    comparablesBody({ ...home, bedrooms: null }, { radius: 5_000, sameBedrooms: false }, 10, now),
  nearby: (now) => nearbyBody(home, now),
  'nearby-neighborhood': (now) => nearbyBody({ ...facts, neighborhood_id: 1001 }, now),
  'nearby-studio': (now) => nearbyBody({ ...home, property_type: 'studio', bedrooms: null }, now),
};

goldenTests(
  test,
  new URL('./golden/market/', import.meta.url),
  Object.fromEntries(Object.entries(BODIES).map(([name, body]) => [name, body(NOW)])),
);

for (const [name, body] of Object.entries(BODIES)) {
  test(`${name}: the body stays the same within an hour and changes in the next`, (t) => {
    const text = (time: string): string => JSON.stringify(body(Date.parse(time)));
    t.is(text('2026-06-01T12:00:00Z'), text('2026-06-01T12:59:00Z'));
    t.not(text('2026-06-01T12:59:00Z'), text('2026-06-01T13:00:00Z'));
  });
}

test('cohort filters are rows of the filter table', (t) => {
  t.deepEqual(
    cohortRows().map(({ name }) => name),
    [...COHORT_FILTERS],
  );
  const query = { ...villas, sort: 'newest', q: 'pool', limit: 5 };
  t.deepEqual(cohortOf(query), villas);
});
