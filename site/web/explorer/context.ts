import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import type { Ring } from '#site/server/explorer-place.ts';
import type { FacetCounts } from '#site-data/responses.ts';
import type { Named } from './page.ts';
import type { Changes, Search } from './state.ts';

/** API responses that `src/domain` does not define, as the explorer reads them. */
export interface Boundaries {
  features: { id: number; geometry: { coordinates: Ring[][] } | null }[];
}

export interface Enums {
  sources: string[];
  names: Record<string, Record<string, Named>>;
}

export interface Context {
  search: Search;
  /** Returns the latest search, which can be newer than `search`. */
  latest(): Search;
  go(to: Search): void;
  /** Changes filters of the latest search, and other properties of it. */
  change(changes: Changes, beside?: Partial<Search>): void;
  cities: readonly City[];
  neighborhoods: readonly Neighborhood[];
  boundaries: Readonly<Boundaries['features']>;
  enums: Enums | null;
  /** Returns the name of a value of an enumeration, or the value if it has none. */
  labelOf(enumeration: string, value: string): string;
  /** Returns the name of a city, or its slug until the names are loaded. */
  cityNameOf(slug: string): string;
  total: number | null;
  /** Number of listings if the filter had only this value; null if it is unknown. */
  countOf(filter: string, value: string): number | null;
  /** Number of listings by price range, without the price filter of the search. Empty until loaded. */
  prices: FacetCounts['facets'][number]['ranges'];
}

const Shared = createContext<Context | null>(null);
export const ExplorerContext = Shared.Provider;

export function useExplorer(): Context {
  const context = useContext(Shared);
  if (!context) throw new Error('outside of the explorer');
  return context;
}
