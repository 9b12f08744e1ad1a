import { endpoints } from '#endpoints/index.ts';
import { describePrice, PRICES, unitsOf } from '#metering/prices.ts';
import { test } from '#test/test.ts';

/** Units per request, by path and by the parameters that affect the price. */
const TABLE: readonly [path: string, query: Readonly<Record<string, unknown>>, units: number][] = [
  ['/v1/cities', {}, 0],
  ['/v1/cities/{city}/neighborhoods', {}, 0],
  ['/v1/cities/{city}/directions', {}, 0],
  ['/v1/enums', {}, 0],
  ['/v1/limits', {}, 0],
  ['/v1/listings', { limit: 1 }, 1],
  ['/v1/listings', { limit: 10 }, 1],
  ['/v1/listings', { limit: 11 }, 2],
  ['/v1/listings', { limit: 100 }, 10],
  ['/v1/listings/count', {}, 1],
  ['/v1/listings/parse', {}, 0],
  ['/v1/listings/facets', {}, 1],
  ['/v1/listings/map', {}, 1],
  ['/v1/suggest', {}, 0],
  ['/v1/cities/{city}/boundaries', {}, 0],
  ['/v1/listings/batch', { ids: [1] }, 1],
  ['/v1/listings/batch', { ids: Array.from({ length: 11 }, (_, id) => id) }, 2],
  ['/v1/listings/batch', { ids: Array.from({ length: 100 }, () => 7) }, 1],
  ['/v1/listings/{id}', {}, 1],
  ['/v1/listings/{id}/price-history', {}, 1],
  ['/v1/market/summary', {}, 1],
  ['/v1/market/price-distribution', {}, 1],
  ['/v1/market/area-distribution', {}, 1],
  ['/v1/market/supply', {}, 1],
  ['/v1/market/vacancy', {}, 1],
  ['/v1/market/neighborhoods', {}, 1],
  ['/v1/listings/{id}/price-band', {}, 10],
  ['/v1/listings/{id}/market-position', {}, 10],
  ['/v1/listings/{id}/comparables', { limit: 50 }, 15],
  ['/v1/market/rental-yield', {}, 15],
  ['/v1/market/neighborhoods/compare', {}, 15],
  ['/v1/market/trends', {}, 15],
  ['/v1/market/deals', { limit: 10 }, 2],
  ['/v1/market/deals', { limit: 25 }, 6],
];

test('requests cost the number of units in the price list', (t) => {
  for (const [path, query, units] of TABLE) {
    const endpoint = endpoints.find((each) => each.path === path);
    t.is(endpoint && unitsOf(endpoint.price, query), units, `${path} ${JSON.stringify(query)}`);
  }
});

test('operations that require no data key are free', (t) => {
  for (const { path, audience, price } of endpoints) if (audience !== 'data') t.is(unitsOf(price, {}), 0, path);
});

test('prices are described in one sentence', (t) => {
  t.is(describePrice(PRICES.listing), 'Costs 1 unit.');
  t.is(describePrice(PRICES.trends), 'Costs 15 units.');
  t.is(describePrice(PRICES.deals), 'Costs 2 units per 10 results requested with `limit`.');
  t.is(describePrice(PRICES.batch), 'Costs 1 unit per 10 ids.');
});
