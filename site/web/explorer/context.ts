import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import type { Ring } from '#site/server/explorer-place.ts';
import type { FacetCounts } from '#src/site-data/responses.ts';
import type { SearchHistory } from './search-history.ts';

export interface Boundaries {
  features: { id: number; geometry: { coordinates: Ring[][] } | null; properties: { approximate: boolean } }[];
}

export interface Context extends SearchHistory {
  cities: readonly Omit<City, 'aliases'>[];
  neighborhoods: readonly Neighborhood[];
  boundaries: Readonly<Boundaries['features']>;
  cityNameOf(slug: string): string;
  total: number | null;
  /** Listings if the filter had only this value; null if unknown. */
  countOf(filter: string, value: string): number | null;
  /** Listings by price range, without the price filter of the search. Empty until loaded. */
  prices: FacetCounts['facets'][number]['ranges'];
}

const Shared = createContext<Context | null>(null);
export const ExplorerContext = Shared.Provider;

export function useExplorer(): Context {
  const context = useContext(Shared);
  if (!context) throw new Error('outside of the explorer');
  return context;
}
