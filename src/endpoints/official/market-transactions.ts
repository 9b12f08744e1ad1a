import { neighborhoodNames } from '#domain/geography/reference.ts';
import { arrayOf, component, integer, nullable, object, oneOf, single, string } from '#domain/json-schema.ts';
import { attributionOf } from '#domain/official/attribution.ts';
import { LAND_USE_CLASSES } from '#domain/official/official-vocabulary.ts';
import { quarterLabel } from '#domain/official/quarters.ts';
import {
  COVERAGE_FLAGS,
  type Coverage,
  type CoverageFlag,
  completeQuarters,
  coverageFlag,
  coverageOfCity,
  quartersOfCity,
} from '#domain/official/rules.ts';
import { priceQuartiles, rounded } from '#domain/statistics/figures.ts';
import { type CellsInput, type CellsResponse, cellsBody } from '#queries/transactions/cells.ts';
import { defineEndpoint, type Parameter } from '#src/http/endpoint.ts';
import { cachedAggregation } from '#stores/opensearch/aggregation-cache.ts';
import { amount, namedNeighborhoodSchema, priceQuartilesSchema } from '../market/schemas.ts';
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
  readCellRows,
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

export const marketTransactions = defineEndpoint({
  ...OFFICIAL,
  path: '/v1/market/transactions',
  operationId: 'getMarketTransactions',
  summary: 'Get statistics of registered sale transactions',
  description: `Returns the number of deals and the median and quartiles of price and price per square meter, by calendar quarter and land-use class, for a city, for a set of neighborhoods together (\`neighborhood_id\`), or for each neighborhood (\`group_by=neighborhood\`, which omits deals without a matched neighborhood). A quartile is the value at its rank, or the mean of the two adjacent values if the rank falls between them. Cells with fewer deals than \`min_sample_size\` contain the number of deals but no prices. A response can be several megabytes: send \`Accept-Encoding: br\` or \`gzip\`; \`GET /limits\` returns the limit of the key in bytes per minute. ${OPEN_DATA_NOTE}`,
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
      coverage: object({
        ...coverageSchema,
        cells: integer,
        cells_served: integer,
        cells_withheld: integer,
        deals: integer,
        deals_withheld: integer,
      }),
      ...registeredSchema,
    }),
  ),
  errors: ['period_not_found'],
  handle: async (call) => {
    const { query } = call;
    const { city, neighborhood_id, land_use_class, min_sample_size: least } = query;
    const loaded = await call.services.loadedQuarters.read();
    const { from, to } = quarterRange(query, quartersOfCity(city, loaded));
    const complete = completeQuarters(city, loaded);
    const cells: CellsInput = {
      city,
      neighborhood_id,
      land_use_class,
      quarterFrom: from,
      quarterTo: to,
      byNeighborhood: query.group_by === 'neighborhood',
    };
    const flags = Array.from({ length: to - from + 1 }, (_, at) =>
      coverageFlag(city, from + at, complete.includes(from + at)),
    );
    const coverage = coverageOfCity(city, loaded);
    const json = await readCells({ ...call, filters: { cells, least, flags, coverage } });
    return { bytes: [Buffer.from(`{"data":${json}}`)] };
  },
});

/** The cache key also contains the hour and the state of the index. */
interface CellsRequest {
  cells: CellsInput;
  least: number;
  /** From `quarterFrom` to `quarterTo`. */
  flags: readonly CoverageFlag[];
  coverage: Coverage;
}

const readCells = cachedAggregation<CellsRequest, CellsResponse>({
  name: 'market/transactions',
  index: 'transactions',
  body: ({ cells }) => cellsBody(cells),
  present: (response, { filters: { cells: input, least, flags, coverage }, places }) => {
    const { city, neighborhood_id, land_use_class, quarterFrom, quarterTo, byNeighborhood } = input;
    const cells = readCellRows(response, input, least).map(({ cell, deals, quartiles }) => ({
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
    const ids = new Set(cells.flatMap(({ neighborhood_id: id }) => id ?? []));
    return {
      filters: {
        city,
        neighborhood_ids: neighborhood_id ?? [],
        land_use_classes: land_use_class ?? [],
        group_by: byNeighborhood ? 'neighborhood' : 'city',
      },
      period: { quarter_from: quarterLabel(quarterFrom), quarter_to: quarterLabel(quarterTo) },
      min_sample_size: least,
      price_source: 'registered',
      price_basis: 'total_price',
      attribution: attributionOf('justice_transactions'),
      neighborhoods: [...ids].map(neighborhoodNames(places, city)),
      coverage: {
        ...coverage,
        cells: cells.length,
        cells_served: cells.length - withheld.length,
        cells_withheld: withheld.length,
        deals: sum(cells),
        deals_withheld: sum(withheld),
      },
      cells,
    };
  },
});
