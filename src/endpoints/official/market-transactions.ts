import { neighborhoodNames } from '#domain/geography/neighborhood-names.ts';
import { arrayOf, integer, object, oneOf, single, string } from '#domain/json-schema.ts';
import { attributionOf } from '#domain/official/attribution.ts';
import { quarterLabel } from '#domain/official/quarters.ts';
import {
  COVERAGE_FLAGS,
  completeThrough,
  coverageFlag,
  coverageOfCity,
  type LoadedQuarter,
  OFFICIAL_RULES,
} from '#domain/official/rules.ts';
import { LAND_USE_CLASSES, type LandUseClass } from '#domain/official/vocabulary.ts';
import { priceQuartiles, rounded } from '#domain/statistics/figures.ts';
import { type PercentilesResult, rankQuartilesOf } from '#domain/statistics/quantiles.ts';
import { defineEndpoint, type Parameter } from '#http/endpoint.ts';
import { readLoadedQuarters } from '#postgres/official.ts';
import { type CellMeasure, type CellsInput, cellsBody } from '#queries/transactions/cells.ts';
import { cachedAggregation } from '#search/aggregation-cache.ts';
import { checkNeighborhoods } from '../market/request.ts';
import { amount, priceQuartilesSchema } from '../market/schemas.ts';
import {
  cityParameter,
  coverageSchema,
  landUseParameter,
  minSampleSizeParameter,
  neighborhoodNamesSchema,
  neighborhoodParameter,
  OFFICIAL,
  OPEN_DATA_NOTE,
  periodSchema,
  quarterParameters,
  quarterRange,
  registeredSchema,
  servedQuarters,
} from './common.ts';

export const CELL_GROUPS = ['city', 'neighborhood'] as const;

const groupByParameter = {
  name: 'group_by',
  schema: { type: 'string', enum: CELL_GROUPS, default: 'city' },
  description: '`city`: one cell for all deals that are asked for. `neighborhood`: one for each neighborhood.',
  example: 'neighborhood',
} as const satisfies Parameter;

interface ClassBucket extends Partial<Record<CellMeasure, PercentilesResult>> {
  key: LandUseClass;
  doc_count: number;
}

interface QuarterBuckets {
  quarters: { buckets: readonly { key: number; doc_count: number; classes: { buckets: readonly ClassBucket[] } }[] };
}

export interface CellsAnswer {
  aggregations: Partial<QuarterBuckets> & {
    neighborhoods?: { buckets: readonly ({ key: string } & QuarterBuckets)[] };
  };
}

interface Prefetched {
  loaded: readonly LoadedQuarter[];
  range: { from: number; to: number };
  /** `cells`, and what `coverage` counts. */
  cachedJson: string;
}

const countsSchema = {
  cells: integer,
  cells_served: integer,
  cells_withheld: integer,
  deals: integer,
  deals_withheld: integer,
};

export const marketTransactions = defineEndpoint({
  method: 'GET',
  audience: 'data',
  ...OFFICIAL,
  path: '/v1/market/transactions',
  operationId: 'getMarketTransactions',
  summary: 'Registered sale deals by quarter and land-use class',
  description: `Number of deals, and median and quartiles of price and price per square meter, per calendar quarter and land-use class: of a city, of a set of neighborhoods together (\`neighborhood_id\`), or of each neighborhood (\`group_by=neighborhood\`; deals without a matched neighborhood are in none). A quartile is the value at its rank, and the mean of two where the rank falls between them. Cells under \`min_sample_size\` keep the count and have no prices. ${OPEN_DATA_NOTE}`,
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
      cells: arrayOf(
        object({
          ...neighborhoodNamesSchema,
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
      coverage: object({ ...coverageSchema, ...countsSchema }),
      ...registeredSchema,
    }),
  ),
  errors: ['unknown_city', 'neighborhood_not_found', 'period_not_found'],
  prefetch: async ({ query, services, now }): Promise<Prefetched> => {
    const { city, neighborhood_id, land_use_class, min_sample_size: least } = query;
    checkNeighborhoods(services, city, neighborhood_id ?? []);
    const loaded = await readLoadedQuarters(services.pool);
    const { from, to } = quarterRange(query, servedQuarters(loaded));
    const filters: CellsRequest = {
      city,
      neighborhood_id,
      land_use_class,
      quarterFrom: from,
      quarterTo: to,
      byNeighborhood: query.group_by === 'neighborhood',
      measures: ['price', 'price_per_sqm'],
      least,
      through: completeThrough(OFFICIAL_RULES, city, loaded),
    };
    return { loaded, range: { from, to }, cachedJson: await readCells({ services, filters, now }) };
  },
  handle: async ({ query }, prefetch) => {
    const { loaded, range, cachedJson } = await prefetch;
    const { city, neighborhood_id = [], land_use_class = [], group_by, min_sample_size } = query;
    const head = {
      filters: { city, neighborhood_ids: neighborhood_id, land_use_classes: land_use_class, group_by },
      period: { quarter_from: quarterLabel(range.from), quarter_to: quarterLabel(range.to) },
      min_sample_size,
      price_source: 'registered',
      price_basis: 'total_price',
      attribution: attributionOf('justice_transactions'),
    };
    // `{"cells":[...],"counts":{...}}` was put together once, and is large: it goes out as it is.
    const split = cachedJson.lastIndexOf(',"counts":');
    const counts = JSON.parse(cachedJson.slice(split + ',"counts":'.length, -1)) as object;
    const coverage = { ...coverageOfCity(OFFICIAL_RULES, city, loaded), ...counts };
    const tail = `,"coverage":${JSON.stringify(coverage)}}}`;
    return {
      body: undefined,
      bytes: [Buffer.from(`{"data":${JSON.stringify(head).slice(0, -1)},${cachedJson.slice(1, split)}${tail}`)],
    };
  },
});

/** What the cells of an answer depend on, beside the deals. */
interface CellsRequest extends CellsInput {
  least: number;
  through: number | null;
}

const readCells = cachedAggregation<CellsRequest, CellsAnswer>({
  name: 'market/transactions',
  index: 'transactions',
  body: (filters) => cellsBody(filters),
  present: ({ aggregations }, { filters, places }) => {
    const named = neighborhoodNames(places, filters.city);
    const cells = aggregations.neighborhoods
      ? [...aggregations.neighborhoods.buckets]
          .sort((a, b) => Number(a.key) - Number(b.key))
          .flatMap(({ key, quarters }) => quarterCells(named(key), quarters.buckets, filters))
      : quarterCells(ALL, aggregations.quarters?.buckets ?? [], filters);
    const withheld = cells.filter(({ deal_count }) => deal_count < filters.least);
    const sum = (list: typeof cells): number => list.reduce((total, { deal_count }) => total + deal_count, 0);
    return {
      cells,
      counts: {
        cells: cells.length,
        cells_served: cells.length - withheld.length,
        cells_withheld: withheld.length,
        deals: sum(cells),
        deals_withheld: sum(withheld),
      },
    };
  },
});

const ALL = { neighborhood_id: null, name_en: null, name_ar: null };

function quarterCells(
  names: { neighborhood_id: number | null; name_en: string | null; name_ar: string | null },
  quarters: QuarterBuckets['quarters']['buckets'],
  { city, through, least }: CellsRequest,
) {
  const ordered = [...quarters].sort((a, b) => a.key - b.key);
  return ordered.flatMap(({ key: quarter, classes }) => {
    const label = quarterLabel(quarter);
    const flag = coverageFlag(OFFICIAL_RULES, city, quarter, through);
    return LAND_USE_CLASSES.flatMap((land) => {
      const bucket = classes.buckets.find(({ key }) => key === land);
      if (bucket === undefined) return [];
      const served = bucket.doc_count >= least;
      const perSqm = served && bucket.price_per_sqm ? rankQuartilesOf(bucket.price_per_sqm) : null;
      return [
        {
          ...names,
          quarter: label,
          land_use_class: land,
          coverage_flag: flag,
          deal_count: bucket.doc_count,
          ...priceQuartiles(served && bucket.price ? rankQuartilesOf(bucket.price) : null),
          median_price_per_sqm_sar: rounded(perSqm?.median),
          p25_price_per_sqm_sar: rounded(perSqm?.p25),
          p75_price_per_sqm_sar: rounded(perSqm?.p75),
        },
      ];
    });
  });
}
