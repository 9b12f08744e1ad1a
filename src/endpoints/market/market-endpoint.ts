import type { JsonSchema } from '#domain/json-schema.ts';
import { object, single } from '#domain/json-schema.ts';
import { isSmall, priceBasis } from '#domain/statistics/figures.ts';
import { defineEndpoint, type Endpoint, type UnchargedCall } from '#http/endpoint.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import { cohortRows } from '#queries/market/cohort.ts';
import { cachedAggregation } from '#search/aggregation-cache.ts';
import { toParameter } from '../listings/parameters.ts';
import { type CohortStatistics, cohortAnswer } from './cohort-answer.ts';
import { cohortFilters } from './request.ts';
import { askingSchema, cohortSchema, sampleSchema, windowSchema } from './schemas.ts';

/** Every answer has the exact number of listings looked at. */
export interface AggregateAnswer {
  hits: { total: { value: number } };
}

export interface MarketQuestion<Aggregations> {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** The statistics of the answer, beside what every one of them has. */
  response: Readonly<Record<string, JsonSchema>>;
  body(filters: FilterValues, now: number): Record<string, unknown>;
  present(aggregations: Aggregations, asked: { size: number; filters: FilterValues; question: UnchargedCall }): object;
}

const rows = cohortRows();

/** One question about a cohort: a body compiled from its filters, asked once, and what is told of the answer. */
export function marketEndpoint<Aggregations>(question: MarketQuestion<Aggregations>): Endpoint {
  const { path, operationId, summary, description, response, body, present } = question;
  return defineEndpoint<object, FilterValues, unknown, CohortStatistics>({
    method: 'GET',
    path,
    operationId,
    area: 'Market data',
    summary,
    description: `${description} Of live listings updated in the last 30 days, without those whose price or size is implausible. Prices are asking prices. \`small_sample\` marks figures that rest on few listings.`,
    audience: 'data',
    scope: 'market',
    units: () => 1,
    pathParameters: [],
    parameters: rows.map(toParameter),
    response: single(
      object({ cohort: cohortSchema(rows), window: windowSchema, ...askingSchema, ...sampleSchema, ...response }),
    ),
    errors: ['unknown_city', 'neighborhood_not_found'],
    prefetch: async (question) => {
      const filters = cohortFilters(question);
      const cachedJson = await cachedAggregation<AggregateAnswer & { aggregations: Aggregations }>(
        question.services,
        operationId,
        body(filters, question.now),
        ({ hits, aggregations }) => {
          const size = hits.total.value;
          return {
            sample_size: size,
            small_sample: isSmall(size),
            ...present(aggregations, { size, filters, question: question as UnchargedCall }),
          };
        },
      );
      return { filters, cachedJson };
    },
    handle: async ({ now }, prefetch) => {
      const found = await prefetch;
      return cohortAnswer(found, now, priceBasis(found.filters.listing_type));
    },
  });
}
