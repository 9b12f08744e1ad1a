import type { ExplorerData } from '#site/explorer-data.ts';

export const VIEWS = ['listings', 'prices', 'neighborhoods', 'trend', 'projects', 'deals'] as const;
export type View = (typeof VIEWS)[number];

/** A search, which is stored in the URL of the page as API parameters and `view`. */
export interface Search {
  view: View;
  values: URLSearchParams;
}

const FIRST = { city: 'riyadh', listing_type: 'rent' } as const;
/** Paging parameters are not part of the URL. */
const PAGING = ['limit', 'cursor'];

/** Reads a search from a URL. Unknown parameters are ignored. */
export function readSearch(query: string, { filters }: Pick<ExplorerData, 'filters'>): Search {
  const given = new URLSearchParams(query);
  const names = new Set(filters.map(({ name }) => name).filter((name) => !PAGING.includes(name)));
  const values = new URLSearchParams([...given].filter(([name, value]) => names.has(name) && value !== ''));
  for (const [name, value] of Object.entries(FIRST)) if (!values.has(name)) values.set(name, value);
  const view = VIEWS.find((each) => each === given.get('view')) ?? 'listings';
  return { view, values };
}

export function writeSearch({ view, values }: Search): string {
  const query = new URLSearchParams(values);
  if (view !== 'listings') query.set('view', view);
  return `?${query.toString().replaceAll('%2C', ',')}`;
}

/**
 * Returns the search with one value changed. An empty value removes it. Changing the city also removes values that refer to
 * the previous city.
 */
export function withValue({ view, values }: Search, name: string, value: string): Search {
  const changed = new URLSearchParams(values);
  if (value === '') changed.delete(name);
  else changed.set(name, value);
  if (name === 'city')
    for (const bound of ['neighborhood_id', 'neighborhood_id_exclude', 'bbox', 'near', 'radius_m', 'polygon'])
      changed.delete(bound);
  return { view, values: changed };
}
