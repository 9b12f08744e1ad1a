import type { ExplorerData } from '#site/explorer-data.ts';
import type { Formatter } from '#site/format.ts';
import type { Api } from './api.ts';
import type { Boundaries, City, Enums, Named, Neighborhood, PriceRange } from './responses.ts';

/** Context shared by all parts of the explorer. */
export interface Context {
  data: ExplorerData;
  texts: ExplorerData['texts'];
  format: Formatter;
  api: Api;
  cities: readonly City[];
  neighborhoods: readonly Neighborhood[];
  boundaries: readonly Boundaries['data']['features'][number][];
  enums: Enums | null;
  /** Number of listings of the search. Null until it is loaded. */
  total: number | null;
  /**
   * Returns the number of listings if a filter of the search had only this value. Null if the number is not loaded, or
   * if the filter has no counts.
   */
  countOf(filter: string, value: string): number | null;
  /** Number of listings by price range, without the price filter of the search. Empty until loaded. */
  prices: readonly PriceRange[];
  /** Returns a name in the language of the page. */
  nameOf(named: Named): string;
}
