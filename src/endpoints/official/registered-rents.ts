import { ApiError } from '#domain/errors.ts';
import { neighborhoodNames } from '#domain/geography/neighborhood-names.ts';
import { arrayOf, integer, object, oneOf, single, string } from '#domain/json-schema.ts';
import { attributionOf } from '#domain/official/attribution.ts';
import { parseQuarter, QUARTER_SCHEMA, quarterDays, quarterLabel } from '#domain/official/quarters.ts';
import { RENT_CELL_SCHEMA, type RentRow, rentCell } from '#domain/official/rents.ts';
import { RENT_PROPERTY_TYPES } from '#domain/official/vocabulary.ts';
import { rounded } from '#domain/statistics/figures.ts';
import { defineEndpoint, type Parameter } from '#http/endpoint.ts';
import { readRents } from '#postgres/official.ts';
import { amount } from '../market/schemas.ts';
import {
  cityParameter,
  minSampleSizeParameter,
  neighborhoodParameter,
  OFFICIAL,
  OPEN_DATA_NOTE,
  registeredSchema,
} from './common.ts';

const propertyTypeParameter = {
  name: 'property_type',
  schema: { type: 'array', items: { type: 'string', enum: RENT_PROPERTY_TYPES }, minItems: 1, maxItems: 100 },
  description: 'Any of these.',
  example: 'apartment,villa',
} as const satisfies Parameter;

const periodParameter = {
  name: 'period',
  schema: QUARTER_SCHEMA,
  description: 'A quarter, `YYYY-Qn`; the newest there is when left out.',
  example: '2024-Q4',
} as const satisfies Parameter;

export const registeredRents = defineEndpoint({
  method: 'GET',
  audience: 'data',
  ...OFFICIAL,
  path: '/v1/market/registered-rents',
  operationId: 'getRegisteredRents',
  summary: 'Registered rents',
  description: `Mean yearly rents of contracts as the regulator registered and published them, by town or neighborhood and property type, for one quarter. They are means, not medians, beside the number of contracts. Cells under \`min_sample_size\` are not served, and counted in \`coverage\`; \`city_totals\` cover every contract counted. A cell whose neighborhood is not matched carries the publisher's own names. ${OPEN_DATA_NOTE}`,
  parameters: [
    cityParameter,
    {
      ...neighborhoodParameter,
      description: 'Any of these neighborhoods. Cells that are not matched to one are dropped.',
    },
    propertyTypeParameter,
    periodParameter,
    minSampleSizeParameter,
  ],
  response: single(
    object({
      filters: object({
        city: string,
        neighborhood_ids: arrayOf(integer),
        property_types: arrayOf(oneOf(RENT_PROPERTY_TYPES)),
      }),
      period: object({ label: string, start: string, end: string }),
      available_periods: arrayOf(string),
      price_basis: oneOf(['yearly_rent']),
      statistic: oneOf(['mean']),
      min_sample_size: integer,
      cells: arrayOf(RENT_CELL_SCHEMA),
      coverage: object({
        cells: integer,
        cells_served: integer,
        cells_withheld: integer,
        contracts: integer,
        contracts_withheld: integer,
        cells_served_with_neighborhood_id: integer,
      }),
      city_totals: arrayOf(
        object({
          property_type: oneOf(RENT_PROPERTY_TYPES),
          contract_count: integer,
          mean_rent_sar: amount,
          cells: integer,
          towns: integer,
        }),
      ),
      ...registeredSchema,
    }),
  ),
  errors: ['period_not_found'],
  handle: async ({ query, services }) => {
    const { city, neighborhood_id, property_type, period, min_sample_size } = query;
    const { quarters, quarter, rows } = await readRents(
      services.pool,
      city,
      period === undefined ? null : parseQuarter(period),
    );
    if (quarter === null || !quarters.includes(quarter))
      throw new ApiError('period_not_found', {
        param: 'period',
        details: { available_periods: quarters.map(quarterLabel) },
      });
    const asked = rows.filter(
      (row) =>
        (neighborhood_id === undefined ||
          (row.neighborhood_id !== null && neighborhood_id.includes(row.neighborhood_id))) &&
        (property_type === undefined || property_type.includes(row.property_type)),
    );
    const served = asked.filter(({ contract_count }) => contract_count >= min_sample_size);
    const named = neighborhoodNames(services.places, city);
    const contracts = (list: readonly RentRow[]): number => list.reduce((sum, row) => sum + row.contract_count, 0);
    return {
      body: {
        data: {
          filters: { city, neighborhood_ids: neighborhood_id ?? [], property_types: property_type ?? [] },
          period: { label: quarterLabel(quarter), ...quarterDays(quarter) },
          available_periods: quarters.map(quarterLabel),
          price_source: 'registered',
          price_basis: 'yearly_rent',
          statistic: 'mean',
          min_sample_size,
          cells: served.map((row) => rentCell(row, named)),
          coverage: {
            cells: asked.length,
            cells_served: served.length,
            cells_withheld: asked.length - served.length,
            contracts: contracts(asked),
            contracts_withheld: contracts(asked) - contracts(served),
            cells_served_with_neighborhood_id: served.filter((row) => row.neighborhood_id !== null).length,
          },
          city_totals: totalsOf(asked, min_sample_size),
          attribution: attributionOf('regulator_rent_index'),
        },
      },
    };
  },
});

/** Of every contract, whether or not its cell is served; each cell's mean counts as often as it has contracts. */
function totalsOf(rows: readonly RentRow[], least: number) {
  return RENT_PROPERTY_TYPES.flatMap((type) => {
    const mine = rows.filter(({ property_type }) => property_type === type);
    if (mine.length === 0) return [];
    const contract_count = mine.reduce((sum, row) => sum + row.contract_count, 0);
    const total = mine.reduce((sum, row) => sum + row.contract_count * row.mean_rent_sar, 0);
    return [
      {
        property_type: type,
        contract_count,
        mean_rent_sar: contract_count < least ? null : rounded(total / contract_count),
        cells: mine.length,
        towns: new Set(mine.map(({ town_ar }) => town_ar)).size,
      },
    ];
  });
}
