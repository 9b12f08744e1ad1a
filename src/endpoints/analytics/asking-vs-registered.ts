import { neighborhoodNames } from '#domain/geography/neighborhood-names.ts';
import { arrayOf, component, integer, object, oneOf, single, string } from '#domain/json-schema.ts';
import { ATTRIBUTION_SCHEMA, attributionOf } from '#domain/official/attribution.ts';
import { quarterLabel } from '#domain/official/quarters.ts';
import { coverageOfCity, OFFICIAL_RULES } from '#domain/official/rules.ts';
import { dataResponse, defineEndpoint, type Parameter } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';
import { COMPARED_TYPES, MAX_SERIES } from '#queries/analytics/asking-vs-registered.ts';
import {
  cityParameter,
  coverageSchema,
  minSampleSizeParameter,
  neighborhoodNamesSchema,
  neighborhoodParameter,
  periodSchema,
  quarterParameters,
  quarterRange,
} from '../official/common.ts';
import { quartersOfHistory, RELATION, readRelations } from './relation.ts';

const [fromParameter, toParameter] = quarterParameters;
const parameters = [
  cityParameter,
  {
    ...neighborhoodParameter,
    schema: { ...neighborhoodParameter.schema, maxItems: MAX_SERIES },
    description: `Neighborhood ids, up to ${MAX_SERIES}, each with its own series. Defaults to one series of the city.`,
  },
  fromParameter,
  { ...toParameter, description: 'Last quarter, `YYYY-Qn`. Defaults to the last complete quarter.' },
  {
    ...minSampleSizeParameter,
    description: `Minimum number of listings or deals for which a side has a price, at least ${OFFICIAL_RULES.min_sample_size.value}.`,
  },
] as const satisfies readonly Parameter[];

const DESCRIPTION = `Returns asking and registered prices per square meter and their ratio by quarter, for a city or for up to ${MAX_SERIES} neighborhoods. Covers sales only, of plots (\`land\`) and flats (\`apartment\`), in complete quarters of the listing history. \`asking\` is the median of the first prices of listings first found in the quarter. \`registered\` is, for plots, the median of the ministry's deals of residential land use, as in \`/market/land-prices\`; for flats, the regulator's mean for a neighborhood, or the median of these means for a city. \`ratio\` is the asking divided by the registered figure, and \`ratio_interval\` its 95% confidence interval. The two sides are different properties, so that a ratio is not a discount. A side with fewer than \`min_sample_size\` listings or deals has no price, and \`status\` states why there is no ratio. \`coverage\` applies to plots; the regulator's figures do not have these gaps. Publish the \`attribution\` with the data.`;

export const askingVsRegistered = defineEndpoint({
  path: '/v1/market/asking-vs-registered',
  operationId: 'getAskingVsRegistered',
  area: 'Market data',
  audience: 'data',
  scope: 'market',
  price: PRICES.market,
  caching: 'fresh',
  summary: 'Compare asking with registered prices',
  description: DESCRIPTION,
  parameters,
  response: single(
    object({
      filters: object({ city: string, neighborhood_ids: arrayOf(integer) }),
      period: periodSchema,
      min_sample_size: integer,
      price_basis: oneOf(['price_per_sqm']),
      series: arrayOf(
        object({
          ...neighborhoodNamesSchema,
          property_type: oneOf(component('ComparedPropertyType', COMPARED_TYPES)),
          points: arrayOf(object(RELATION)),
        }),
      ),
      coverage: object(coverageSchema),
      attribution: ATTRIBUTION_SCHEMA,
    }),
  ),
  errors: ['period_not_found'],
  load: async (call) => {
    const { query, services } = call;
    const { city, neighborhood_id, min_sample_size } = query;
    const available = quartersOfHistory(call);
    const { from, to } = quarterRange(query, available);
    const quarters = available.filter((quarter) => quarter >= from && quarter <= to);
    const input = { city, neighborhood_id, quarters, types: COMPARED_TYPES, least: min_sample_size };
    const [relations, loaded] = await Promise.all([readRelations(call, input), services.loadedQuarters.read()]);
    const named = neighborhoodNames(services.places, city);
    const places =
      neighborhood_id === undefined
        ? [{ neighborhood_id: null, name_en: null, name_ar: null }]
        : [...new Set(neighborhood_id)].map((id) => named(id));
    return dataResponse({
      filters: { city, neighborhood_ids: neighborhood_id ?? [] },
      period: { quarter_from: quarterLabel(from), quarter_to: quarterLabel(to) },
      min_sample_size,
      price_basis: 'price_per_sqm',
      series: places.flatMap((place) =>
        COMPARED_TYPES.map((type) => ({
          ...place,
          property_type: type,
          points: relations(place.neighborhood_id, type),
        })),
      ),
      coverage: coverageOfCity(services.officialRules, city, loaded),
      attribution: attributionOf('justice_transactions'),
    });
  },
  present: (_call, response) => response,
});
