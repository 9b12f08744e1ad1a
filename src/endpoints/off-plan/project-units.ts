import { defineEndpoint } from '#http/endpoint.ts';
import { openPage, pageParameters } from '#http/pagination.ts';
import { PRICES } from '#metering/prices.ts';
import { pickRows } from '#queries/filters/compile.ts';
import { UNIT_FILTERS, UNITS_OF_PROJECT_FILTERS } from '#queries/off-plan/filters.ts';
import { unitsBody } from '#queries/off-plan/units.ts';
import { indexNames } from '#search/client.ts';
import { toParameter, unitSortParameter } from '../listings/parameters.ts';
import { OFF_PLAN } from './common.ts';
import { UNITS_SCHEMA, unitsResponse } from './unit-page.ts';

const [listingType] = UNITS_OF_PROJECT_FILTERS;
const OTHERS = UNIT_FILTERS.filter((row) => row.name !== 'listing_type');

/** Defaults to `sale`, because sale prices and rents cannot be sorted in one list, and most units are for sale. */
const listingTypeParameter = {
  ...toParameter(listingType),
  schema: { type: 'string', enum: listingType.values, default: 'sale' },
  required: false,
  example: 'sale',
} as const;

export const searchProjectUnits = defineEndpoint({
  ...OFF_PLAN,
  path: '/v1/project-units',
  operationId: 'searchProjectUnits',
  load: 'light',
  summary: 'Search units of off-plan projects',
  description:
    'Returns listings of one city that are units of an off-plan project, filtered by properties of the listing and of its project. Implausible listings are excluded, as in every search. Prices are asking prices.',
  price: PRICES.projects,
  parameters: [...OTHERS.map((row) => toParameter(row)), listingTypeParameter, unitSortParameter, ...pageParameters],
  response: UNITS_SCHEMA,
  prefetch: ({ query, cursor, services, deadline }) => {
    const { sort, limit } = query;
    const body = unitsBody({ filters: pickRows(UNIT_FILTERS, query), sort, size: limit + 1, after: cursor?.after });
    const { listings } = indexNames(services.config.opensearch.indexPrefix);
    return services.listings.read(listings, body, { limit, kind: 'units', deadline });
  },
  handle: async (call, prefetch) => {
    const list = { name: `units ${call.query.sort}`, filters: pickRows(UNIT_FILTERS, call.query) };
    const page = openPage(call, list);
    return unitsResponse(call, { page, found: await prefetch });
  },
});
