import { EVERY_CITY, FIRST } from '#site/server/explorer-place.ts';
import { data } from './page-data.ts';

export const VIEWS = ['listings', 'prices', 'neighborhoods', 'trend', 'projects', 'deals', 'estimate'] as const;
export type View = (typeof VIEWS)[number];

/** Registered deals and off-plan projects are sales, whatever the offer of the search. */
export const isOfSales = (view: View): boolean => view === 'deals' || view === 'projects';

/** The URL stores `values` as API parameters, and the other properties by name. */
export interface Search {
  view: View;
  values: URLSearchParams;
  sentence: string;
  /** Position of the map as `lat,lng,zoom`. Empty until the visitor moves the map. */
  map: string;
  /** Whether the list shows the visible part of the map. */
  follows: boolean;
  /** Id of the open card. Empty if there is none. */
  selected: string;
}

const PAGING = ['limit', 'cursor'];
/** Filters of projects that searches of listings do not have. */
const OF_PROJECTS = ['developer_id'];
/** Attributes of a home to estimate, besides filters of listings. */
const OF_ESTIMATES = ['area', 'age'];
/** A search has one of these. */
export const SHAPES: readonly string[] = ['bbox', 'near', 'near_any', 'polygon'];
export const OF_CITY = [
  ...SHAPES,
  'neighborhood_id',
  'neighborhood_id_exclude',
  'direction_id',
  'compound',
  ...OF_PROJECTS,
];
const PLACES = [...SHAPES, 'city', 'neighborhood_id'];

export function readSearch(query: string): Search {
  const given = new URLSearchParams(query);
  const names = [
    ...data.filters.map(({ name }) => name).filter((name) => !PAGING.includes(name)),
    ...OF_PROJECTS,
    ...OF_ESTIMATES,
  ];
  const values = new URLSearchParams([...valuesOf(given, names)].filter(([, value]) => value !== ''));
  for (const [name, value] of Object.entries(FIRST)) if (!values.has(name)) values.set(name, value);
  if (values.get('city') === EVERY_CITY) values.delete('city');
  return {
    view: VIEWS.find((each) => each === given.get('view')) ?? 'listings',
    values,
    sentence: given.get('sentence') ?? '',
    map: given.get('map') ?? '',
    follows: given.get('follows') !== 'no',
    selected: given.get('selected') ?? '',
  };
}

export function writeSearch({ view, values, sentence, map, follows, selected }: Search): string {
  const query = withValues(values, {
    city: values.get('city') ?? EVERY_CITY,
    view: view === 'listings' ? '' : view,
    sentence,
    map,
    follows: follows ? '' : 'no',
    selected,
  });
  return `?${query.toString().replaceAll('%2C', ',').replaceAll('%3B', ';')}`;
}

/** Values by parameter. An empty value removes the parameter. */
export type Changes = Readonly<Record<string, string>>;

export function withValues(values: URLSearchParams, changes: Changes): URLSearchParams {
  const changed = new URLSearchParams(values);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}

export const valuesOf = (values: URLSearchParams, names: readonly string[]): URLSearchParams =>
  new URLSearchParams([...values].filter(([name]) => names.includes(name)));

/**
 * A change of the city removes values that are valid in one city only. A shape replaces the previous one, and a new
 * place resets the map.
 */
export function withChanges(search: Search, changes: Changes): Search {
  const isNew = (name: string): boolean => Boolean(changes[name]) && changes[name] !== search.values.get(name);
  const isOtherCity = changes.city !== undefined && changes.city !== (search.values.get('city') ?? '');
  const removed = [...(isOtherCity ? OF_CITY : []), ...(SHAPES.some(isNew) ? SHAPES : [])];
  const kept = new URLSearchParams([...search.values].filter(([name]) => !removed.includes(name)));
  const values = withValues(kept, changes);
  if (!values.has('near') && !values.has('near_any')) values.delete('radius_m');
  if (!values.has('near') && values.get('sort') === 'distance') values.delete('sort');
  return { ...search, values, map: isOtherCity || PLACES.some(isNew) ? '' : search.map, selected: '' };
}

/** A shape takes precedence over the visible part of the map. */
export const hasShape = (values: URLSearchParams): boolean => SHAPES.some((name) => values.has(name));
