import { object, string } from '#domain/json-schema.ts';
import { COMPARISON_SCHEMA } from '#domain/listings/comparison.ts';
import { LISTING_SCHEMA } from '#domain/listings/listing-schema.ts';
import { positionOf } from '#domain/listings/present.ts';
import type { DealHit, ListingsResponse } from '#domain/listings/stored-form.ts';
import { MIN_GAP } from '#domain/statistics/deals.ts';
import { priceBasis } from '#domain/statistics/figures.ts';
import { DEAL_ROWS, dealsBody } from '#queries/analytics/deals.ts';
import { defineEndpoint } from '#src/http/endpoint.ts';
import { pageParameters, pageSchema } from '#src/http/pagination.ts';
import { PRICES } from '#src/metering/prices.ts';
import { filtersOf, toParameter } from '../listings/parameters.ts';
import { listingsOf } from '../listings/presentation.ts';
import { askingSchema, cohortSchema, windowOf, windowSchema } from '../market/schemas.ts';
import { searchIndex } from '../search-index.ts';
import { ANALYTICS } from './common.ts';
import { METHODS } from './methods.ts';

export const marketDeals = defineEndpoint({
  path: '/v1/market/deals',
  operationId: 'listMarketDeals',
  queue: 'searches',
  ...ANALYTICS,
  summary: 'Find deals: listings priced below their price band',
  description: `Returns residential listings priced at least ${MIN_GAP}% below comparable homes (\`comparison\`), largest gap (\`gap_pct\`) first. ${METHODS.deals} The gap is the smaller of the gaps in price and in price per square meter. Prices are asking prices; a deal is not a valuation.`,
  price: PRICES.deals,
  parameters: [...DEAL_ROWS.map((row) => toParameter(row)), ...pageParameters],
  response: pageSchema(object({ listing: LISTING_SCHEMA, comparison: COMPARISON_SCHEMA }), {
    cohort: cohortSchema(DEAL_ROWS),
    window: windowSchema,
    ...askingSchema,
    method: string,
  }),
  list: ({ query }) => ({ name: 'deals', filters: filtersOf(query) }),
  load: (call) => {
    const { query, now, cursor } = call;
    const body = dealsBody({ filters: filtersOf(query), now, size: query.limit + 1, after: cursor?.after });
    return searchIndex<ListingsResponse<DealHit>>(call, 'deals', body);
  },
  present: (call, { hits }, page) => {
    const filters = filtersOf(call.query);
    const { shown, pagination } = page.cut(hits.hits, positionOf);
    const listings = listingsOf(call, shown);
    return {
      body: {
        data: shown.map(({ _source }, at) => ({ listing: listings[at], comparison: _source.private.deal })),
        pagination,
        cohort: filters,
        window: windowOf(call.now),
        price_source: 'asking',
        price_basis: priceBasis(filters.listing_type),
        method: METHODS.deals,
      },
    };
  },
});
