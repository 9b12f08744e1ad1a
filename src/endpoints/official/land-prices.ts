import { neighborhoodNames } from '#domain/geography/reference.ts';
import { arrayOf, integer, object, oneOf, single, string } from '#domain/json-schema.ts';
import { attributionOf } from '#domain/official/attribution.ts';
import { LAND_PRICE_CLASSES } from '#domain/official/official-vocabulary.ts';
import { quarterLabel } from '#domain/official/quarters.ts';
import {
  COVERAGE_FLAGS,
  type CoverageFlag,
  classedQuarters,
  completeQuarters,
  coverageFlag,
  coverageOfCity,
  quartersOfCity,
} from '#domain/official/rules.ts';
import { difference, rounded } from '#domain/statistics/figures.ts';
import { type CellsResponse, cellsBody } from '#queries/transactions/cells.ts';
import { dataResponse, defineEndpoint, type Parameter } from '#src/http/endpoint.ts';
import { amount } from '../market/schemas.ts';
import { searchIndex } from '../search-index.ts';
import {
  cityParameter,
  coverageSchema,
  minSampleSizeParameter,
  neighborhoodNamesSchema,
  neighborhoodParameter,
  OFFICIAL,
  OPEN_DATA_NOTE,
  periodSchema,
  quarterParameters,
  quarterRange,
  readCellRows,
  registeredSchema,
} from './common.ts';

const MAX_SERIES = 20;
/** Read before the first quarter, for yearly changes. */
const QUARTERS_PER_YEAR = 4;

const seriesParameter = {
  ...neighborhoodParameter,
  schema: { ...neighborhoodParameter.schema, maxItems: MAX_SERIES },
  description: `Neighborhood ids, up to ${MAX_SERIES}, each with its own series. Defaults to one series of the city.`,
};

const plotParameter = {
  name: 'land_use_class',
  schema: { type: 'string', enum: LAND_PRICE_CLASSES, default: LAND_PRICE_CLASSES[0] },
  description: 'Registered land use of the plots.',
  example: 'commercial',
} as const satisfies Parameter;

export const landPrices = defineEndpoint({
  ...OFFICIAL,
  path: '/v1/market/land-prices',
  operationId: 'getLandPrices',
  queue: 'statistics',
  summary: 'Get registered land prices by quarter',
  description: `Returns the median price per square meter of residential or commercial plots per calendar quarter, for a city or for up to ${MAX_SERIES} neighborhoods, with the change from the previous quarter and from the same quarter of the previous year, in percent. Changes are calculated between points that have a price and the same \`coverage_flag\`, never from or to an \`incomplete\` quarter. Quarters whose source files state no land-use class have no point: \`coverage.notes\` lists them. ${OPEN_DATA_NOTE}`,
  parameters: [cityParameter, seriesParameter, plotParameter, ...quarterParameters, minSampleSizeParameter],
  response: single(
    object({
      filters: object({ city: string, neighborhood_ids: arrayOf(integer), land_use_class: oneOf(LAND_PRICE_CLASSES) }),
      asset: oneOf(['land']),
      period: periodSchema,
      min_sample_size: integer,
      price_basis: oneOf(['price_per_sqm']),
      series: arrayOf(
        object({
          ...neighborhoodNamesSchema,
          points: arrayOf(
            object({
              quarter: string,
              coverage_flag: oneOf(COVERAGE_FLAGS),
              deal_count: integer,
              median_price_per_sqm_sar: amount,
              change_qoq_pct: amount,
              change_yoy_pct: amount,
            }),
          ),
        }),
      ),
      coverage: object(coverageSchema),
      ...registeredSchema,
    }),
  ),
  errors: ['period_not_found'],
  handle: async (call) => {
    const { query, services } = call;
    const { city, neighborhood_id, land_use_class, min_sample_size } = query;
    const loaded = await services.loadedQuarters.read();
    const available = quartersOfCity(city, loaded);
    const range = quarterRange(query, available);
    const input = {
      city,
      neighborhood_id,
      land_use_class: [land_use_class],
      quarterFrom: range.from - QUARTERS_PER_YEAR,
      quarterTo: range.to,
      byNeighborhood: neighborhood_id !== undefined,
    };
    const response = await searchIndex<CellsResponse>(call, 'transactions', cellsBody(input));
    const cells = readCellRows(response, input, min_sample_size);
    const complete = completeQuarters(city, loaded);
    const quarters = classedQuarters(city, loaded).filter(
      (quarter) => quarter >= input.quarterFrom && quarter <= range.to,
    );
    const flags = new Map(
      quarters.map((quarter) => [quarter, coverageFlag(city, quarter, complete.includes(quarter))]),
    );
    const series = (neighborhood: number | null) => {
      const mine = cells.filter(({ cell }) => cell.neighborhood_id === neighborhood);
      const byQuarter = new Map(mine.map((row) => [row.cell.quarter, row]));
      const median = (quarter: number) => rounded(byQuarter.get(quarter)?.quartiles.price_per_sqm?.median);
      const change = (quarter: number, before: number) =>
        flags.get(quarter) === flags.get(before) && flags.get(quarter) !== 'incomplete'
          ? difference(median(quarter), median(before))
          : null;
      const shown = quarters.filter((quarter) => quarter >= range.from);
      return shown.map((quarter) => ({
        quarter: quarterLabel(quarter),
        coverage_flag: flags.get(quarter) as CoverageFlag,
        deal_count: byQuarter.get(quarter)?.deals ?? 0,
        median_price_per_sqm_sar: median(quarter),
        change_qoq_pct: change(quarter, quarter - 1),
        change_yoy_pct: change(quarter, quarter - QUARTERS_PER_YEAR),
      }));
    };
    const named = neighborhoodNames(services.places, city);
    return dataResponse({
      filters: { city, neighborhood_ids: neighborhood_id ?? [], land_use_class },
      asset: 'land',
      period: { quarter_from: quarterLabel(range.from), quarter_to: quarterLabel(range.to) },
      min_sample_size,
      price_source: 'registered',
      price_basis: 'price_per_sqm',
      series:
        neighborhood_id === undefined
          ? [{ neighborhood_id: null, name_en: null, name_ar: null, points: series(null) }]
          : [...new Set(neighborhood_id)].map((id) => ({ ...named(id), points: series(id) })),
      coverage: coverageOfCity(city, loaded),
      attribution: attributionOf('justice_transactions'),
    });
  },
});
