import { LISTING_TYPES } from '#domain/listing-vocabulary.ts';
import { compareBody, rentalYieldBody } from '#queries/analytics/cohorts.ts';
import { TREND_BASES, trendsBody } from '#queries/analytics/trends.ts';
import { FACET_NAMES, facetsBody } from '#queries/listings/facets.ts';
import { countBody, searchBody } from '#queries/listings/search.ts';
import { hourOf } from '#queries/market/cohort.ts';
import { valuesBody } from '#queries/market/collected.ts';
import { AREA, distributionBody, neighborhoodsBody, priceMeasure, summaryBody } from '#queries/market/statistics.ts';
import { unitSummaryBody } from '#queries/off-plan/search.ts';
import { ADMIN_REQUEST, type OpenSearch } from './opensearch-client.ts';

/** Filters that match no listing, because no city has this slug. */
const NOWHERE = { city: '-', listing_type: 'rent' };

/** The statistics of market data endpoints, each with a script that collects values. */
function statisticsBodies(filters: typeof NOWHERE) {
  const hour = hourOf(0);
  const bodies = [neighborhoodsBody, rentalYieldBody, compareBody, summaryBody].map((body) => body(filters, hour));
  return [...bodies, ...[AREA, priceMeasure('rent')].map((measure) => distributionBody(measure, filters, hour))];
}

/** Compiles the scripts that collect values, which can take seconds, before a request needs them. */
export async function compileScripts(client: OpenSearch): Promise<void> {
  const { listings, history } = client.aliases;
  const trends = TREND_BASES.map((basis) => trendsBody({ filters: NOWHERE, basis, firstMonth: 0, lastMonth: 0 }));
  const bulkBody = [
    ...[...statisticsBodies(NOWHERE), unitSummaryBody(0)].flatMap((body) => [
      { index: listings },
      valuesBody(body) ?? {},
    ]),
    ...trends.flatMap((body) => [{ index: history }, valuesBody(body) ?? {}]),
  ];
  await client.send('POST', '/_msearch', { bulkBody, ...ADMIN_REQUEST });
}

/** The largest cities, and newest listings of each, as a process reads them before it is ready. */
const CITIES = 4;
const NEWEST = 1_000;

/**
 * Sends searches and statistics of the largest cities to an index that clients do not use yet, so that its files and
 * ordinals are in memory when they do. A search that fails is no fault of the index.
 */
export async function warmListings(client: OpenSearch, index: string): Promise<void> {
  type Cities = { aggregations: { cities: { buckets: readonly { key: string }[] } } };
  const aggs = { cities: { terms: { field: 'filter.city', size: CITIES } } };
  const largest = await client.send<Cities>('POST', `/${index}/_search`, { body: { size: 0, aggs }, ...ADMIN_REQUEST });
  const cohorts = largest.aggregations.cities.buckets.flatMap(({ key: city }) =>
    LISTING_TYPES.map((listing_type) => ({ city, listing_type })),
  );
  const context = { now: Date.now() };
  const searches = cohorts.flatMap((filters) => [
    searchBody({ filters, sort: 'newest', size: NEWEST }, context),
    countBody(filters, context),
    facetsBody(filters, FACET_NAMES, { ...context, excludeOwn: false }),
    ...statisticsBodies(filters),
  ]);
  // One after another, because searches of clients use the same processors.
  for (const body of searches)
    await client.send('POST', `/${index}/_search`, { body, ...ADMIN_REQUEST, ignore: [400, 429, 500, 503] });
}
