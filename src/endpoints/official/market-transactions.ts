import { neighborhoodNames } from '#domain/geography/reference.ts';
import {
  arrayOf,
  component,
  integer,
  nullable,
  object,
  oneOf,
  single,
  string,
  type ValueOf,
} from '#domain/json-schema.ts';
import { attributionOf } from '#domain/official/attribution.ts';
import { quarterLabel } from '#domain/official/quarters.ts';
import {
  COVERAGE_FLAGS,
  type CoverageFlag,
  completeQuarters,
  coverageFlag,
  coverageOfCity,
  quartersOfCity,
} from '#domain/official/rules.ts';
import { LAND_USE_CLASSES } from '#domain/official/vocabulary.ts';
import { priceQuartiles, rounded } from '#domain/statistics/figures.ts';
import { defineEndpoint, type Parameter } from '#http/endpoint.ts';
import { type CellsInput, type CellsResponse, cellsBody } from '#queries/transactions/cells.ts';
import { cachedAggregation } from '#search/aggregation-cache.ts';
import { amount, namedNeighborhoodSchema, priceQuartilesSchema } from '../market/schemas.ts';
import { readCellRows } from './cell-rows.ts';
import {
  cityParameter,
  coverageSchema,
  landUseParameter,
  minSampleSizeParameter,
  neighborhoodParameter,
  OFFICIAL,
  OPEN_DATA_NOTE,
  periodSchema,
  quarterParameters,
  quarterRange,
  registeredSchema,
} from './common.ts';

const CELL_GROUPS = component('CellGroup', ['city', 'neighborhood'] as const);

const groupByParameter = {
  name: 'group_by',
  schema: { type: 'string', enum: CELL_GROUPS, default: 'city' },
  description:
    'Grouping of the cells, in addition to quarter and land-use class. `city`: one cell for all matching deals. `neighborhood`: one cell per neighborhood.',
  example: 'neighborhood',
} as const satisfies Parameter;

const COUNTS = object({
  cells: integer,
  cells_served: integer,
  cells_withheld: integer,
  deals: integer,
  deals_withheld: integer,
});

const DESCRIPTION = `Returns the number of deals and the median and quartiles of price and price per square meter, by calendar quarter and land-use class, for a city, for a set of neighborhoods together (\`neighborhood_id\`), or for each neighborhood (\`group_by=neighborhood\`, which omits deals without a matched neighborhood). A quartile is the value at its rank, or the mean of the two adjacent values if the rank falls between them. Cells with fewer deals than \`min_sample_size\` contain the number of deals but no prices. A response can be several megabytes: send \`Accept-Encoding: br\` or \`gzip\`; \`GET /limits\` returns the limit of the key in bytes per minute. ${OPEN_DATA_NOTE}`;

export const marketTransactions = defineEndpoint({
  ...OFFICIAL,
  path: '/v1/market/transactions',
  operationId: 'getMarketTransactions',
  summary: 'Get statistics of registered sale transactions',
  description: DESCRIPTION,
  parameters: [
    cityParameter,
    neighborhoodParameter,
    landUseParameter,
    groupByParameter,
    ...quarterParameters,
    minSampleSizeParameter,
  ],
  response: single(
    object({
      filters: object({
        city: string,
        neighborhood_ids: arrayOf(integer),
        land_use_classes: arrayOf(oneOf(LAND_USE_CLASSES)),
        group_by: oneOf(CELL_GROUPS),
      }),
      period: periodSchema,
      min_sample_size: integer,
      price_basis: oneOf(['total_price']),
      neighborhoods: arrayOf(object(namedNeighborhoodSchema)),
      cells: arrayOf(
        object({
          neighborhood_id: nullable(integer),
          quarter: string,
          land_use_class: oneOf(LAND_USE_CLASSES),
          coverage_flag: oneOf(COVERAGE_FLAGS),
          deal_count: integer,
          ...priceQuartilesSchema,
          median_price_per_sqm_sar: amount,
          p25_price_per_sqm_sar: amount,
          p75_price_per_sqm_sar: amount,
        }),
      ),
      coverage: object({ ...coverageSchema, ...COUNTS.properties }),
      ...registeredSchema,
    }),
  ),
  errors: ['period_not_found'],
  handle: async (call) => {
    const { query, services } = call;
    const { city, neighborhood_id, land_use_class, min_sample_size: least } = query;
    const loaded = await services.loadedQuarters.read();
    const { from, to } = quarterRange(query, quartersOfCity(city, loaded));
    const complete = completeQuarters(city, loaded);
    const filters: CellsRequest = {
      city,
      neighborhood_id,
      land_use_class,
      quarterFrom: from,
      quarterTo: to,
      byNeighborhood: query.group_by === 'neighborhood',
      least,
      flags: Array.from({ length: to - from + 1 }, (_, at) =>
        coverageFlag(city, from + at, complete.includes(from + at)),
      ),
    };
    const cachedJson = await readCells({ ...call, filters });
    const head = {
      filters: {
        city,
        neighborhood_ids: neighborhood_id ?? [],
        land_use_classes: land_use_class ?? [],
        group_by: query.group_by,
      },
      period: { quarter_from: quarterLabel(from), quarter_to: quarterLabel(to) },
      min_sample_size: least,
      price_source: 'registered',
      price_basis: 'total_price' as const,
      attribution: attributionOf('justice_transactions'),
    };
    const split = cachedJson.lastIndexOf(SUMMARY);
    const { counts, ids } = JSON.parse(cachedJson.slice(split + SUMMARY.length, -1)) as Summary;
    const neighborhoods = ids.map(neighborhoodNames(services.places, city));
    const coverage = { ...coverageOfCity(city, loaded), ...counts };
    const open = JSON.stringify({ data: { ...head, neighborhoods, coverage } }).slice(0, -2);
    // Cells are ASCII; names are in the head.
    return { bytes: [Buffer.from(`${open},`), Buffer.from(cachedJson.slice(1, split), 'latin1'), END] };
  },
});

const SUMMARY = ',"summary":';
const END = Buffer.from('}}');

/** Follows the cells in the cached JSON. */
interface Summary {
  counts: ValueOf<typeof COUNTS>;
  ids: number[];
}

/** The cache key also contains the hour and the state of the index. */
interface CellsRequest extends CellsInput {
  least: number;
  /** From `quarterFrom` to `quarterTo`. */
  flags: readonly CoverageFlag[];
}

const readCells = cachedAggregation<CellsRequest, CellsResponse>({
  name: 'market/transactions',
  index: 'transactions',
  body: cellsBody,
  present: (response, { filters }) => {
    const { least, flags, quarterFrom } = filters;
    const cells = readCellRows(response, filters, least).map(({ cell, deals, quartiles }) => ({
      neighborhood_id: cell.neighborhood_id,
      quarter: quarterLabel(cell.quarter),
      land_use_class: cell.land_use_class,
      coverage_flag: flags[cell.quarter - quarterFrom],
      deal_count: deals,
      ...priceQuartiles(quartiles.price ?? null),
      median_price_per_sqm_sar: rounded(quartiles.price_per_sqm?.median),
      p25_price_per_sqm_sar: rounded(quartiles.price_per_sqm?.p25),
      p75_price_per_sqm_sar: rounded(quartiles.price_per_sqm?.p75),
    }));
    const withheld = cells.filter(({ deal_count }) => deal_count < least);
    const sum = (list: typeof cells): number => list.reduce((total, { deal_count }) => total + deal_count, 0);
    const counts = {
      cells: cells.length,
      cells_served: cells.length - withheld.length,
      cells_withheld: withheld.length,
      deals: sum(cells),
      deals_withheld: sum(withheld),
    };
    const ids = [...new Set(cells.flatMap(({ neighborhood_id }) => neighborhood_id ?? []))];
    return { cells, summary: { counts, ids } satisfies Summary };
  },
});
