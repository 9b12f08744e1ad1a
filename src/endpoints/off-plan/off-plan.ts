import { object, oneOf } from '#domain/json-schema.ts';
import { LISTING_FIELD_NAMES, LISTING_SCHEMA } from '#domain/listings/listing-schema.ts';
import type { DeveloperDisplay, ProjectDisplay, StoredProject } from '#domain/off-plan/project.ts';
import { DEVELOPER_SCHEMA, PROJECT_DETAIL_SCHEMA, PROJECT_SCHEMA } from '#domain/off-plan/project-schema.ts';
import { priceQuartiles, rounded } from '#domain/statistics/figures.ts';
import { type PercentilesResult, quartilesOf } from '#domain/statistics/quantiles.ts';
import { pickRows } from '#queries/filters/compile.ts';
import {
  DEVELOPER_FILTERS,
  PROJECT_FILTERS,
  UNIT_FILTERS,
  UNITS_OF_PROJECT_FILTERS,
} from '#queries/off-plan/filters.ts';
import {
  developersBody,
  PROJECT_SORT_NAMES,
  PROJECT_SORTS,
  projectBody,
  projectsBody,
  unitSummaryBody,
  unitsBody,
} from '#queries/off-plan/search.ts';
import type { Config } from '#src/config.ts';
import type { Page } from '#src/http/cursor.ts';
import { defineEndpoint, type Parameter } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { pageParameters, pageSchema } from '#src/http/pagination.ts';
import { PRICES } from '#src/metering/prices.ts';
import { sortBy, toParameter, unitSortParameter } from '../listings/parameters.ts';
import { fieldsParameter, listingsResponse } from '../listings/presentation.ts';
import { aggregateIndex, readListings, searchIndex } from '../search-index.ts';

const OFF_PLAN = { area: 'Off-plan projects', audience: 'data', scope: 'projects', queue: 'searches' } as const;

const projectIdParameter = {
  name: 'id',
  schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
  description: 'Project id.',
  required: true,
  nonCanonicalError: 'project_not_found',
  example: '1',
} as const satisfies Parameter;

const developerPrices = { price_source: oneOf(['developer']) } as const;

interface Hits<Source> {
  hits: { hits: readonly { _source: Source; sort: [number, number] }[] };
}

function pageOfHits<Source, Row>(page: Page, { hits }: Hits<Source>, present: (source: Source) => Row) {
  const { shown, pagination } = page.cut(hits.hits, ({ sort }) => sort);
  return { data: shown.map(({ _source }) => present(_source)), pagination };
}

function presentProject(display: ProjectDisplay, { cdnUrl }: Pick<Config, 'cdnUrl'>): ProjectDisplay {
  return { ...display, images: display.images.map((key) => `${cdnUrl}/${key}`) };
}

export const searchProjects = defineEndpoint({
  ...OFF_PLAN,
  path: '/v1/projects',
  operationId: 'searchProjects',
  summary: 'Search off-plan projects',
  description:
    'Returns developments under construction or newly built that match all filters. A development found on several sources is one project: `also_listed_on` names the other sources. Prices are stated by the developer.',
  price: PRICES.projects,
  parameters: [
    ...PROJECT_FILTERS.map((row) => toParameter(row)),
    sortBy(PROJECT_SORT_NAMES, PROJECT_SORTS),
    ...pageParameters,
  ],
  response: pageSchema(PROJECT_SCHEMA, developerPrices),
  list: ({ query }) => ({ name: `projects ${query.sort}`, filters: pickRows(PROJECT_FILTERS, query) }),
  load: (call) => {
    const { query, cursor } = call;
    const filters = pickRows(PROJECT_FILTERS, query);
    const body = projectsBody({ filters, sort: query.sort, size: query.limit + 1, after: cursor?.after });
    return searchIndex<Hits<Pick<StoredProject, 'display'>>>(call, 'projects', body);
  },
  present: ({ services }, response, page) => {
    const projects = pageOfHits(page, response, ({ display }) => presentProject(display, services.config));
    return { body: { ...projects, price_source: 'developer' } };
  },
});

interface Units {
  key: string;
  doc_count: number;
  price: PercentilesResult;
  area: PercentilesResult;
  with_area: { value: number };
}
interface Summary {
  aggregations: {
    listing_types: { buckets: readonly { key: string; property_types: { buckets: readonly Units[] } }[] };
  };
}

export const getProject = defineEndpoint({
  ...OFF_PLAN,
  path: '/v1/projects/{id}',
  operationId: 'getProject',
  summary: 'Get an off-plan project',
  description:
    'Returns a project with its description, its boundary as GeoJSON, its amenities, and a summary of the units currently on the market. Project prices are stated by the developer; prices in `unit_summary` are asking prices of listings.',
  price: PRICES.project,
  pathParameters: [projectIdParameter],
  response: object({ data: PROJECT_DETAIL_SCHEMA, ...developerPrices }),
  errors: ['project_not_found'],
  load: async (call) => {
    const [{ hits }, { aggregations }] = await Promise.all([
      searchIndex<Hits<StoredProject>>(call, 'projects', projectBody(call.path.id)),
      aggregateIndex<Summary>(call, 'listings', unitSummaryBody(call.path.id)),
    ]);
    const project = hits.hits[0]?._source;
    if (project === undefined) throw new ApiError('project_not_found', { param: 'id' });
    return { project, aggregations };
  },
  present: ({ services }, { project, aggregations }) => {
    const data = {
      ...presentProject(project.display, services.config),
      ...project.detail,
      unit_summary: summaryOf(aggregations),
    };
    return { body: { data, price_source: 'developer' as const } };
  },
});

function summaryOf({ listing_types }: Summary['aggregations']) {
  return listing_types.buckets.flatMap(({ key: listing_type, property_types }) =>
    property_types.buckets.map(({ key, doc_count, price, area, with_area }) => {
      const areas = quartilesOf(area, with_area.value);
      return {
        listing_type,
        property_type: key,
        sample_size: doc_count,
        ...priceQuartiles(quartilesOf(price, doc_count)),
        median_area_sqm: rounded(areas?.median),
        p25_area_sqm: rounded(areas?.p25),
        p75_area_sqm: rounded(areas?.p75),
      };
    }),
  );
}

export const listDevelopers = defineEndpoint({
  ...OFF_PLAN,
  path: '/v1/developers',
  operationId: 'listDevelopers',
  summary: 'List developers of off-plan projects',
  description:
    'Returns developers with at least one project, most projects first, with the number of projects by status and by city.',
  price: PRICES.projects,
  parameters: [...DEVELOPER_FILTERS.map((row) => toParameter(row)), ...pageParameters],
  response: pageSchema(DEVELOPER_SCHEMA),
  list: ({ query }) => ({ name: 'developers', filters: pickRows(DEVELOPER_FILTERS, query) }),
  load: (call) => {
    const filters = pickRows(DEVELOPER_FILTERS, call.query);
    const body = developersBody({ filters, size: call.query.limit + 1, after: call.cursor?.after });
    return searchIndex<Hits<{ display: DeveloperDisplay }>>(call, 'developers', body);
  },
  present: (_call, response, page) => ({ body: pageOfHits(page, response, ({ display }) => display) }),
});

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

export const searchProjectUnits = defineEndpoint({
  ...UNITS,
  path: '/v1/project-units',
  operationId: 'searchProjectUnits',
  summary: 'Search units of off-plan projects',
  description:
    'Returns listings of one city that are units of an off-plan project, filtered by properties of the listing and of its project. Implausible listings are excluded, as in every search. Prices are asking prices.',
  parameters: [
    ...FILTERS.map((row) => toParameter(row)),
    listingTypeParameter,
    unitSortParameter,
    ...pageParameters,
    fieldsParameter(LISTING_FIELD_NAMES),
  ],
  list: ({ query }) => ({ name: `units ${query.sort}`, filters: pickRows(UNIT_FILTERS, query) }),
  load: (call) => {
    const { sort, limit } = call.query;
    const filters = pickRows(UNIT_FILTERS, call.query);
    const body = unitsBody({ filters, sort, size: limit + 1, after: call.cursor?.after });
    return readListings(call, body);
  },
  present: (call, rows, page) => listingsResponse(call, { page, rows }, PRICE_SOURCE),
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
  list: ({ path, query }) => ({
    name: `units of ${path.id} ${query.sort}`,
    filters: pickRows(UNITS_OF_PROJECT_FILTERS, query),
  }),
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
  present: (call, rows, page) => listingsResponse(call, { page, rows }, PRICE_SOURCE),
});
