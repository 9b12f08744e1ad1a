import type { JsonSchema } from '#domain/json-schema.ts';
import { object, single } from '#domain/json-schema.ts';
import { priceBasis, SMALL_SAMPLE } from '#domain/statistics/figures.ts';
import { defineEndpoint, type Endpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';
import { cohortRows } from '#queries/market/cohort.ts';
import { toParameter } from '../listings/parameters.ts';
import { type CohortStatistics, serveCohortStatistics } from './cohort-statistics.ts';
import { askingSchema, cohortSchema, sampleOf, sampleSchema, windowSchema } from './schemas.ts';

export interface MarketEndpointDefinition<Aggregations>
  extends Pick<CohortStatistics<Aggregations>, 'cost' | 'body' | 'present'> {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** Response properties for the statistics, in addition to those common to all cohort responses. */
  response: Readonly<Record<string, JsonSchema>>;
}

const rows = cohortRows();

/** Defines a market endpoint, which returns statistics for the cohort that the filters select. */
export function marketEndpoint<Aggregations>(definition: MarketEndpointDefinition<Aggregations>): Endpoint {
  const { path, operationId, summary, description, response, cost, body, present } = definition;
  return defineEndpoint({
    path,
    operationId,
    area: 'Market data',
    summary,
    description: `${description} Covers live listings updated in the last 30 days, except listings with an implausible price or size. Prices are asking prices. \`small_sample\` is true for figures based on fewer than ${SMALL_SAMPLE} listings.`,
    audience: 'data',
    scope: 'market',
    price: PRICES.market,
    load: 'shared',
    parameters: rows.map((row) => toParameter(row)),
    response: single(
      object({ cohort: cohortSchema(rows), window: windowSchema, ...askingSchema, ...sampleSchema, ...response }),
    ),
    ...serveCohortStatistics<Aggregations>({
      name: operationId,
      cost,
      body,
      present: (aggregations, cohort) => ({
        ...sampleOf(cohort.size),
        ...present(aggregations, cohort),
      }),
      priceBasis: ({ listing_type }) => priceBasis(listing_type),
    }),
  });
}
