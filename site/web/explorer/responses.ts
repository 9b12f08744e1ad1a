import type { ParsedSentence } from '#domain/sentence/parse.ts';
import type { Ring } from '#site/server/explorer-place.ts';
import type {
  Distribution as DistributionData,
  FacetCounts,
  HomeEstimate,
  KeyLimits,
  MapCells,
  NeighborhoodRanking,
  RegisteredDeals,
  Trends,
} from '#site-data/responses.ts';

export type { Suggestion } from '#site-data/responses.ts';

/** API responses as the explorer reads them, without those that `src/domain` defines. */

export interface Named {
  name_en: string | null;
  name_ar: string | null;
}

export interface Boundaries {
  data: { features: { id: number; geometry: { coordinates: Ring[][] } | null }[] };
}

export interface Enums {
  sources: string[];
  names: Record<string, Record<string, Named>>;
}

export type Sentence = { data: ParsedSentence };
export type Facets = { data: FacetCounts };
export type PriceRange = Facets['data']['facets'][number]['ranges'][number];
export type Limits = { data: KeyLimits };
export type MapData = MapCells;
export type Trend = { data: Trends };
export type Estimate = { data: HomeEstimate };
export type Deals = { data: RegisteredDeals };

export interface Rows<Row> {
  data: Row[];
  pagination: { next_cursor?: string | null; has_more: boolean; result_window_reached?: boolean };
}

export type Distribution = { data: DistributionData };
export type Ranking = { data: NeighborhoodRanking };
