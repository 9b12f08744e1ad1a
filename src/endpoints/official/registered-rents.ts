import { neighborhoodNames } from '#domain/geography/reference.ts';
import { arrayOf, integer, object, oneOf, single, string } from '#domain/json-schema.ts';
import { attributionOf } from '#domain/official/attribution.ts';
import { RENT_PROPERTY_TYPES } from '#domain/official/official-vocabulary.ts';
import { parseQuarter, QUARTER_SCHEMA, quarterDays, quarterLabel } from '#domain/official/quarters.ts';
import { meanOfRents, RENT_CELL_SCHEMA, type RentRow, rentCell } from '#domain/official/rents.ts';
import { OFFICIAL_RULES } from '#domain/official/rules.ts';
import { dataResponse, defineEndpoint, type Parameter } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { readRents } from '#stores/postgres/official.ts';
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
  description: 'Property types. Defaults to all.',
  example: 'apartment,villa',
} as const satisfies Parameter;

const periodParameter = {
  name: 'period',
  schema: QUARTER_SCHEMA,
  description: 'Quarter, `YYYY-Qn`. Defaults to the latest published quarter.',
  example: '2024-Q4',
} as const satisfies Parameter;

export const registeredRents = defineEndpoint({
  ...OFFICIAL,
  path: '/v1/market/registered-rents',
  operationId: 'getRegisteredRents',
  summary: 'Get registered rents',
  description: `Returns the mean yearly rents of contracts that the Real Estate General Authority registered and published, by town or neighborhood and property type, for one quarter. Figures are means, not medians, and each includes its number of contracts. Rents for offices, shops and showrooms are published per square meter: \`mean_rent_sar\` is null for them, and \`mean_rent_per_sqm_sar\` is the yearly rent per square meter. Cells with fewer contracts than \`min_sample_size\` are not returned, but counted in \`coverage\`. \`city_totals\` include the contracts of these cells; totals of fewer than ${OFFICIAL_RULES.min_sample_size} contracts have no means. If a cell is not matched to a neighborhood, the place names are those of the publisher. ${OPEN_DATA_NOTE}`,
  parameters: [
    cityParameter,
    {
      ...neighborhoodParameter,
      description: 'Neighborhood ids. Cells without a matched neighborhood are not returned.',
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
          mean_rent_per_sqm_sar: amount,
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
    const requested = period === undefined ? null : parseQuarter(period);
    const { quarters, quarter, rows } = await readRents(services.pool, city, requested);
    if (quarter === null || !quarters.includes(quarter))
      throw new ApiError('period_not_found', {
        param: 'period',
        details: { available_periods: quarters.map(quarterLabel) },
      });
    const matching = rows.filter(
      (row) =>
        (neighborhood_id === undefined ||
          (row.neighborhood_id !== null && neighborhood_id.includes(row.neighborhood_id))) &&
        (property_type === undefined || property_type.includes(row.property_type)),
    );
    const served = matching.filter(({ contract_count }) => contract_count >= min_sample_size);
    const named = neighborhoodNames(services.places, city);
    return dataResponse({
      filters: { city, neighborhood_ids: neighborhood_id ?? [], property_types: property_type ?? [] },
      period: { label: quarterLabel(quarter), ...quarterDays(quarter) },
      available_periods: quarters.map(quarterLabel),
      price_source: 'registered',
      price_basis: 'yearly_rent',
      statistic: 'mean',
      min_sample_size,
      cells: served.map((row) => rentCell(row, named)),
      coverage: {
        cells: matching.length,
        cells_served: served.length,
        cells_withheld: matching.length - served.length,
        contracts: contracts(matching),
        contracts_withheld: contracts(matching) - contracts(served),
        cells_served_with_neighborhood_id: served.filter((row) => row.neighborhood_id !== null).length,
      },
      city_totals: totalsOf(matching),
      attribution: attributionOf('regulator_rent_index'),
    });
  },
});

const contracts = (rows: readonly RentRow[]): number => rows.reduce((sum, row) => sum + row.contract_count, 0);

/** Includes withheld cells: `min_sample_size` applies to cells, and the minimum of the service to totals. */
function totalsOf(rows: readonly RentRow[]) {
  return RENT_PROPERTY_TYPES.flatMap((type) => {
    const mine = rows.filter(({ property_type }) => property_type === type);
    if (mine.length === 0) return [];
    const contract_count = contracts(mine);
    const isWithheld = contract_count < OFFICIAL_RULES.min_sample_size;
    return [
      {
        property_type: type,
        contract_count,
        mean_rent_sar: isWithheld ? null : meanOfRents(mine, 'mean_rent_sar'),
        mean_rent_per_sqm_sar: isWithheld ? null : meanOfRents(mine, 'mean_rent_per_sqm_sar'),
        cells: mine.length,
        towns: new Set(mine.map(({ town_ar }) => town_ar)).size,
      },
    ];
  });
}
