import type { ValueOf } from '#domain/json-schema.ts';
import type { readMap } from '#queries/market/map.ts';
import type { listingEstimate, marketEstimate } from '#src/endpoints/analytics/estimate.ts';
import type { estimateAccuracy } from '#src/endpoints/analytics/estimate-accuracy.ts';
import type { rentalYield } from '#src/endpoints/analytics/rental-yield.ts';
import type { marketTrends } from '#src/endpoints/analytics/trends.ts';
import type { listFacets } from '#src/endpoints/listings/counts.ts';
import type { getPriceHistory } from '#src/endpoints/listings/price-history.ts';
import type { marketNeighborhoods, marketSummary, priceDistribution } from '#src/endpoints/market/statistics.ts';
import type { marketTransactions } from '#src/endpoints/official/market-transactions.ts';
import type { limits } from '#src/endpoints/reference/limits.ts';
import type { suggest } from '#src/endpoints/reference/suggest.ts';
import type { Endpoint } from '#src/http/endpoint.ts';

/** `data` of the responses that the site shows, typed by the schemas of their endpoints. */
type DataOf<Described extends Pick<Endpoint, 'response'>> =
  ValueOf<Described['response']> extends { data: infer Data } ? Data : unknown;

export type PriceHistory = DataOf<typeof getPriceHistory>;
export type MarketSummary = DataOf<typeof marketSummary>;
export type HomeEstimate = DataOf<typeof marketEstimate>;
export type ListingEstimate = DataOf<typeof listingEstimate>;
export type EstimateAccuracy = DataOf<typeof estimateAccuracy>;
export type FacetCounts = DataOf<typeof listFacets>;
export type Distribution = DataOf<typeof priceDistribution>;
export type NeighborhoodRanking = DataOf<typeof marketNeighborhoods>;
export type RentalYield = DataOf<typeof rentalYield>;
export type Trends = DataOf<typeof marketTrends>;
export type RegisteredDeals = DataOf<typeof marketTransactions>;
export type KeyLimits = DataOf<typeof limits>;
export type Suggestion = DataOf<typeof suggest>[number];
export type MapCells = ReturnType<typeof readMap>;
export interface ReadinessReport {
  opensearch: 'ok' | 'unavailable';
  postgres: 'ok' | 'unavailable';
}
