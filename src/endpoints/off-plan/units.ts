import { oneOf } from '#domain/json-schema.ts';
import { LISTING_FIELD_NAMES, LISTING_SCHEMA } from '#domain/listings/schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { openPage, pageParameters, pageSchema } from '#http/pagination.ts';
import { PRICES } from '#metering/prices.ts';
import { pickRows } from '#queries/filters/compile.ts';
import { UNIT_FILTERS, UNITS_OF_PROJECT_FILTERS } from '#queries/off-plan/filters.ts';
import { projectBody, unitsBody } from '#queries/off-plan/search.ts';
import { toParameter, unitSortParameter } from '../listings/parameters.ts';
import { fieldsParameter, listingsResponse } from '../listings/presentation.ts';
import { readListings, searchIndex } from '../search-index.ts';
import { type Hits, OFF_PLAN, projectIdParameter } from './projects.ts';

const UNITS = {
  ...OFF_PLAN,
  price: PRICES.projects,
  response: pageSchema(LISTING_SCHEMA, { price_source: oneOf(['asking']) }),
} as const;

const PRICE_SOURCE = { price_source: 'asking' };

const [listingType, ...FILTERS_OF_PROJECT] = UNITS_OF_PROJECT_FILTERS;
const FILTERS = UNIT_FILTERS.filter((row) => row.name !== 'listing_type');

/** One request can return the few units of a project for sale and for rent. */
const listingTypeOfProject = { ...toParameter(listingType), required: false, example: 'sale' } as const;

/** Sale prices and rents cannot be sorted in one list, and most units are for sale. */
const listingTypeParameter = {
  ...listingTypeOfProject,
  schema: { type: 'string', enum: listingType.values, default: 'sale' },
} as const;

type Query = Readonly<Record<string, unknown>>;

const unitsList = ({ query }: { query: Query }) => ({
  name: `units ${query.sort}`,
  filters: pickRows(UNIT_FILTERS, query),
});

const unitsOfProjectList = ({ path, query }: { path: { id: number }; query: Query }) => ({
  name: `units of ${path.id} ${query.sort}`,
  filters: pickRows(UNITS_OF_PROJECT_FILTERS, query),
});

const DESCRIPTION =
  'Returns listings of one city that are units of an off-plan project, filtered by properties of the listing and of its project. Implausible listings are excluded, as in every search. Prices are asking prices.';

export const searchProjectUnits = defineEndpoint({
  ...UNITS,
  path: '/v1/project-units',
  operationId: 'searchProjectUnits',
  summary: 'Search units of off-plan projects',
  description: DESCRIPTION,
  parameters: [
    ...FILTERS.map((row) => toParameter(row)),
    listingTypeParameter,
    unitSortParameter,
    ...pageParameters,
    fieldsParameter(LISTING_FIELD_NAMES),
  ],
  list: unitsList,
  load: (call) => {
    const { sort, limit } = call.query;
    const filters = pickRows(UNIT_FILTERS, call.query);
    const body = unitsBody({ filters, sort, size: limit + 1, after: call.cursor?.after });
    return readListings(call, body);
  },
  present: (call, rows) => listingsResponse(call, { page: openPage(call, unitsList(call)), rows }, PRICE_SOURCE),
});

export const listProjectUnits = defineEndpoint({
  ...UNITS,
  path: '/v1/projects/{id}/units',
  operationId: 'listProjectUnits',
  summary: 'List units of an off-plan project',
  description:
    'Returns listings, for sale and for rent, that are units of the project. Implausible listings are excluded, as in every search. Prices are asking prices.',
  pathParameters: [projectIdParameter],
  parameters: [
    listingTypeOfProject,
    ...FILTERS_OF_PROJECT.map((row) => toParameter(row)),
    unitSortParameter,
    ...pageParameters,
    fieldsParameter(LISTING_FIELD_NAMES),
  ],
  errors: ['project_not_found'],
  list: unitsOfProjectList,
  load: async (call) => {
    const { id } = call.path;
    const { sort, limit } = call.query;
    const filters = pickRows(UNITS_OF_PROJECT_FILTERS, call.query);
    const body = unitsBody({ filters, project: id, sort, size: limit + 1, after: call.cursor?.after });
    const [{ hits }, rows] = await Promise.all([
      searchIndex<Hits<unknown>>(call, 'projects', { ...projectBody(id), _source: false }),
      readListings(call, body),
    ]);
    if (hits.hits.length === 0) throw new ApiError('project_not_found', { param: 'id' });
    return rows;
  },
  present: (call, rows) =>
    listingsResponse(call, { page: openPage(call, unitsOfProjectList(call)), rows }, PRICE_SOURCE),
});
