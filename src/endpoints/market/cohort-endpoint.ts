import { type NeighborhoodNames, neighborhoodNames } from '#domain/geography/reference.ts';
import { type JsonSchema, object, single } from '#domain/json-schema.ts';
import { priceBasis as basisOf, SMALL_SAMPLE } from '#domain/statistics/figures.ts';
import type { FilterRow } from '#queries/filters/kinds.ts';
import { type CohortFilters, cohortOf, cohortRows, type Hour } from '#queries/market/cohort.ts';
import { defineEndpoint, type Endpoint, type Parameter } from '#src/http/endpoint.ts';
import { PRICES } from '#src/metering/prices.ts';
import { cachedAggregation } from '#stores/opensearch/aggregation-cache.ts';
import { toParameter } from '../listings/parameters.ts';
import { askingSchema, cohortSchema, sampleOf, sampleSchema, windowOf, windowSchema } from './schemas.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** `body` and `present` use the time truncated to the hour, so that results can be cached. */
interface CohortEndpoint<Aggregations, Response extends Properties>
  extends Pick<Endpoint, 'path' | 'operationId' | 'summary' | 'description' | 'area' | 'scope' | 'price'> {
  rows: readonly FilterRow[];
  /** Defaults to the parameters for `rows`. */
  parameters?: readonly Parameter[];
  response: Response;
  body(filters: CohortFilters, hour: Hour): Record<string, unknown>;
  present(aggregations: Aggregations, cohort: Cohort): object;
  /** Defaults to the basis of the listing type. */
  priceBasis?: string;
}

interface Cohort {
  filters: CohortFilters;
  /** The end of the statistics window. */
  hour: Hour;
  size: number;
  neighborhood(id: string | number): NeighborhoodNames;
}

interface AggregationResponse<Aggregations> {
  hits: { total: { value: number } };
  aggregations: Aggregations;
}

export function cohortEndpoint<Aggregations, const Response extends Properties>(
  definition: CohortEndpoint<Aggregations, Response>,
) {
  const { rows, parameters, response, body, present, priceBasis, ...shared } = definition;
  const read = cachedAggregation<CohortFilters, AggregationResponse<Aggregations>>({
    name: definition.operationId,
    body,
    present: ({ hits, aggregations }, { filters, hour, places }) => {
      const neighborhood = neighborhoodNames(places, filters.city);
      return present(aggregations, { filters, hour, size: hits.total.value, neighborhood });
    },
  });
  return defineEndpoint({
    ...shared,
    audience: 'data',
    caching: 'fresh',
    parameters: parameters ?? rows.map((row) => toParameter(row)),
    response: single(object({ cohort: cohortSchema(rows), window: windowSchema, ...response })),
    load: async (call) => {
      const filters = cohortOf(call.query as unknown as CohortFilters);
      return { filters, json: await read({ ...call, filters }) };
    },
    /** The cached statistics follow byte for byte. */
    present: ({ now }, { filters, json }) => {
      const head = {
        cohort: filters,
        window: windowOf(now),
        price_source: 'asking',
        price_basis: priceBasis ?? basisOf(filters.listing_type),
      };
      return { bytes: [Buffer.from(`{"data":${JSON.stringify(head).slice(0, -1)},${json.slice(1)}}`)] };
    },
  });
}

const MARKET_ROWS = cohortRows();

/** The response has the size of the sample. */
export const marketEndpoint = <Aggregations, const Response extends Properties>({
  description,
  response,
  present,
  ...shared
}: Omit<CohortEndpoint<Aggregations, Response>, 'area' | 'scope' | 'price' | 'rows'>) =>
  cohortEndpoint({
    ...shared,
    area: 'Market data',
    scope: 'market',
    price: PRICES.market,
    rows: MARKET_ROWS,
    description: `${description} Covers live listings updated in the last 30 days, except listings with an implausible price or size. Prices are asking prices. \`small_sample\` is true for figures based on fewer than ${SMALL_SAMPLE} listings.`,
    response: { ...askingSchema, ...sampleSchema, ...response },
    present: (aggregations: Aggregations, cohort) => ({ ...sampleOf(cohort.size), ...present(aggregations, cohort) }),
  });
