import { endpoints } from '#src/endpoints/index.ts';
import { unitsOf } from '#src/metering/prices.ts';
import { test } from '#test/test.ts';

/** Paths by their units per request. */
const FIXED: Readonly<Record<number, string>> = {
  0: `/v1/cities /v1/cities/{city}/neighborhoods /v1/cities/{city}/directions /v1/cities/{city}/boundaries /v1/enums
    /v1/limits /v1/listings/parse /v1/market/estimate/accuracy /v1/suggest`,
  1: `/v1/listings/count /v1/listings/facets /v1/listings/map /v1/listings/{id} /v1/listings/{id}/price-history
    /v1/market/summary /v1/market/price-distribution /v1/market/area-distribution /v1/market/supply /v1/market/vacancy
    /v1/market/neighborhoods /v1/market/asking-vs-registered /v1/projects/{id}`,
  10: '/v1/listings/{id}/price-band /v1/listings/{id}/market-position',
  15: `/v1/listings/{id}/comparables /v1/listings/{id}/estimate /v1/market/estimate /v1/market/rental-yield
    /v1/market/neighborhoods/compare /v1/market/trends`,
};
/** Units per request by the parameters that affect the price. */
const COUNTED: readonly [path: string, query: Readonly<Record<string, unknown>>, units: number][] = [
  ['/v1/listings', { limit: 1 }, 1],
  ['/v1/listings', { limit: 10 }, 1],
  ['/v1/listings', { limit: 11 }, 2],
  ['/v1/listings', { limit: 100 }, 10],
  ['/v1/listings/changes', { limit: 25 }, 3],
  ['/v1/listings/batch', { ids: [1] }, 1],
  ['/v1/listings/batch', { ids: Array.from({ length: 11 }, (_, id) => id) }, 2],
  ['/v1/listings/batch', { ids: Array.from({ length: 100 }, () => 7) }, 1],
  ['/v1/listings/{id}/comparables', { limit: 50 }, 15],
  ['/v1/projects', { limit: 25 }, 3],
  ['/v1/projects/{id}/units', { limit: 11 }, 2],
  ['/v1/project-units', { limit: 40 }, 4],
  ['/v1/developers', { limit: 10 }, 1],
  ['/v1/market/deals', { limit: 10 }, 2],
  ['/v1/market/deals', { limit: 25 }, 6],
];

test('requests cost the number of units in the price list', (t) => {
  const fixed = Object.entries(FIXED).flatMap(([units, paths]) =>
    paths.split(/\s+/).map((path) => [path, {}, Number(units)] as const),
  );
  for (const [path, query, units] of [...fixed, ...COUNTED]) {
    const endpoint = endpoints.find((each) => each.path === path);
    t.is(endpoint && unitsOf(endpoint.price, query), units, `${path} ${JSON.stringify(query)}`);
  }
});
