import { COMPARISON_SCHEMA, FRESH_DAYS, MIN_GAP } from '#domain/deals.ts';
import { ApiError } from '#domain/errors.ts';
import { object } from '#domain/json-schema.ts';
import { presentSearchAnswer } from '#domain/listings/present.ts';
import { LISTING_SCHEMA } from '#domain/listings/schema.ts';
import { cutDeal } from '#domain/listings/stored-form.ts';
import { priceBasis } from '#domain/statistics/figures.ts';
import { cursorFingerprint, encodeCursor } from '#http/cursor.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { page } from '#http/pagination.ts';
import { DEAL_ROWS, dealsBody } from '#queries/analytics/deals.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import { indexNames } from '#search/client.ts';
import { cursorParameter, filtersOf, limitParameter, toParameter, unitsPerTen } from '../listings/parameters.ts';
import { presentationOf } from '../listings/presentation.ts';
import { windowOf } from '../market/request.ts';
import { askingSchema, windowSchema } from '../market/schemas.ts';

interface DealsQuery extends FilterValues {
  limit: number;
}

/** Binds cursors of deals to deals. */
const SORT = 'deals';

const rows = page(object({ listing: LISTING_SCHEMA, comparison: COMPARISON_SCHEMA })) as {
  properties: Record<string, object>;
};

export const marketDeals = defineEndpoint<object, DealsQuery>({
  method: 'GET',
  path: '/v1/market/deals',
  operationId: 'listMarketDeals',
  area: 'Analytics',
  summary: 'Listings priced below their neighbors',
  description: `Residential listings at least ${MIN_GAP}% below their \`comparison\`, biggest \`gap_pct\` first. A comparison is what is on offer nearby: same city, listing type and property type, area between two thirds and one and a half, updated in the last ${FRESH_DAYS} days; within 500 m and with the same bedrooms where enough are there, up to 5 km otherwise (\`criteria\`). The gap is the smaller of those in price and in price per square meter, so that a deal is below in both. Comparisons are worked out after every ingest run. Prices are asking prices; a deal is no valuation. Costs 2 units per 10 results asked for with \`limit\`.`,
  audience: 'data',
  scope: 'analytics',
  units: ({ limit }) => 2 * unitsPerTen(limit),
  paged: true,
  pathParameters: [],
  parameters: [...DEAL_ROWS.map(toParameter), limitParameter, cursorParameter],
  response: object({ ...rows.properties, window: windowSchema, ...askingSchema }),
  errors: ['unknown_city', 'invalid_cursor', 'result_window_exceeded'],
  handle: async (call) => {
    const { query, cursor, caller, services, now } = call;
    const filters = filtersOf(query);
    const fingerprint = cursorFingerprint(caller.organization, SORT, filters);
    if (cursor && !cursor.fingerprint.equals(fingerprint)) throw new ApiError('invalid_cursor', { param: 'cursor' });

    const offset = cursor?.offset ?? 0;
    const limit = Math.min(query.limit, caller.paging_depth - offset);
    const body = dealsBody({ filters, now, size: limit + 1, after: cursor?.after });
    const index = indexNames(services.config.opensearch.indexPrefix).deals;
    const answer = await services.search.searchBytes(index, body);
    const { listings, more, last } = presentSearchAnswer(answer, limit, presentationOf(call));

    const reached = offset + listings.length;
    const next =
      more && last ? encodeCursor({ offset: reached, after: last, fingerprint }, services.config.cursorSecrets) : null;
    const tail = {
      pagination: {
        limit: query.limit,
        next_cursor: next,
        has_more: more,
        result_window_reached: more && reached >= caller.paging_depth,
      },
      window: windowOf(now),
      price_source: 'asking',
      price_basis: priceBasis(filters.listing_type),
    };
    const bytes: Uint8Array[] = [OPEN];
    for (const [at, { json, private: block }] of listings.entries())
      bytes.push(at === 0 ? FIRST : NEXT, ...json, Buffer.from(`,"comparison":${cutDeal(block)}}`));
    bytes.push(Buffer.from(`],${JSON.stringify(tail).slice(1)}`));
    return { body: undefined, bytes };
  },
});

const OPEN = Buffer.from('{"data":[');
const FIRST = Buffer.from('{"listing":');
const NEXT = Buffer.from(',{"listing":');
