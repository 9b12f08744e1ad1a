import type { ParsedSentence } from '#domain/sentence/parse.ts';
import type { marketTrends } from '#endpoints/analytics/trends.ts';
import type { listFacets } from '#endpoints/listings/counts.ts';
import type { marketNeighborhoods, priceDistribution } from '#endpoints/market/statistics.ts';
import type { marketTransactions } from '#endpoints/official/market-transactions.ts';
import type { limits } from '#endpoints/reference/limits.ts';
import type { suggest } from '#endpoints/reference/suggest.ts';
import type { DataOf } from '#http/endpoint.ts';
import type { readMap } from '#queries/market/map.ts';
import type { Ring } from '#site/explorer-place.ts';

/** API responses as the explorer reads them, without those that `src/domain` defines. */

export interface Named {
  name_en: string | null;
  name_ar: string | null;
}

/** Simplified boundaries of neighborhoods. */
export interface Boundaries {
  data: { features: { id: number; geometry: { coordinates: Ring[][] } | null }[] };
}

export interface Enums {
  sources: string[];
  names: Record<string, Record<string, Named>>;
}

export type Suggestion = DataOf<typeof suggest>[number];
export type Sentence = { data: ParsedSentence };
export type Facets = { data: DataOf<typeof listFacets> };
export type PriceRange = Facets['data']['facets'][number]['ranges'][number];
export type Limits = { data: DataOf<typeof limits> };
export type MapData = ReturnType<typeof readMap>;
export type Trend = { data: DataOf<typeof marketTrends> };
export type Deals = { data: DataOf<typeof marketTransactions> };

export interface Rows<Row> {
  data: Row[];
  pagination: { next_cursor?: string | null; has_more: boolean; result_window_reached?: boolean };
}

export type Distribution = { data: DataOf<typeof priceDistribution> };
export type Ranking = { data: DataOf<typeof marketNeighborhoods> };
