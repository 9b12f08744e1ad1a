import type { ExplorerData } from '#site/explorer-data.ts';

export const VIEWS = ['listings', 'prices', 'neighborhoods', 'trend', 'projects', 'deals'] as const;
export type View = (typeof VIEWS)[number];

/** The whole search, as the address bar holds it: parameters of the API, and `view`, which is ours. */
export interface Search {
  view: View;
  values: URLSearchParams;
}

const FIRST = { city: 'riyadh', listing_type: 'rent' } as const;
/** Parameters of a page, which belong to no address. */
const PAGING = ['limit', 'cursor'];

/** Reads a search from an address; what no parameter is called is left out. */
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

/** With one value changed; an empty one takes it away. What belongs to one city goes with the city. */
export function withValue({ view, values }: Search, name: string, value: string): Search {
  const changed = new URLSearchParams(values);
  if (value === '') changed.delete(name);
  else changed.set(name, value);
  if (name === 'city')
    for (const bound of ['neighborhood_id', 'neighborhood_id_exclude', 'bbox']) changed.delete(bound);
  return { view, values: changed };
}

/** Where a visitor is in the results of a search. It is kept with the entry of the browser's history. */
export interface Position {
  /** Pages of listings that are open. */
  pages: number;
  /** Pixels that the page is scrolled by. */
  y: number;
}

/** As many pages as are loaded again when the visitor comes back. */
const MAX_PAGES = 10;

/** Reads a position from the state of a history entry, which can be anything. */
export function readPosition(state: unknown): Position {
  const { pages, y } = (state ?? {}) as Partial<Record<keyof Position, unknown>>;
  return {
    pages: Number.isInteger(pages) ? Math.min(Math.max(pages as number, 1), MAX_PAGES) : 1,
    y: typeof y === 'number' && y > 0 ? y : 0,
  };
}

/** Reads `min_lng,min_lat,max_lng,max_lat`; null if it is no such area. */
export function readBox(text: string | null): [west: number, south: number, east: number, north: number] | null {
  const [west, south, east, north, ...rest] = (text ?? '').split(',').map(Number);
  if (west === undefined || south === undefined || east === undefined || north === undefined || rest.length > 0)
    return null;
  const valid = west < east && south < north && west >= -180 && east <= 180 && south >= -90 && north <= 90;
  return valid ? [west, south, east, north] : null;
}
