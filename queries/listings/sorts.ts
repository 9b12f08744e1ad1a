import type { Clause } from '../clause.ts';

type Order = 'asc' | 'desc';

/** A sort order for search results. The last key is the id, which makes the order unique. */
export interface Sort {
  /** Sort keys, `[field, order]`. The cursor contains their values for the last row. */
  keys: readonly [readonly [string, Order], readonly [string, Order]];
  /** Clause that restricts the results when this sort is selected. */
  filter?: Clause;
  /** Filter that the sort order requires. */
  requires?: 'near';
  /** Whether the index is sorted in this order within one city and listing type. */
  indexOrder?: boolean;
  description: string;
}

/** Sort key for the distance from `near`. */
export const DISTANCE = '_geo_distance';

export const SORTS = {
  newest: {
    keys: [
      ['filter.first_seen_at', 'desc'],
      ['filter.id', 'desc'],
    ],
    indexOrder: true,
    description: 'most recently found first',
  },
  updated_asc: {
    keys: [
      ['filter.updated_at', 'asc'],
      ['filter.id', 'asc'],
    ],
    description: 'least recently updated first',
  },
  modified_asc: {
    keys: [
      ['filter.modified', 'asc'],
      ['filter.id', 'asc'],
    ],
    description:
      'least recently modified first, up to `pagination.watermark`; use it with `modified_since` to synchronize a copy',
  },
  price_drop: {
    keys: [
      ['filter.price_drop_pct', 'desc'],
      ['filter.id', 'desc'],
    ],
    filter: { range: { 'filter.price_drop_pct': { gt: 0 } } },
    description: 'largest price drop in percent first; only listings with a price drop',
  },
  recommended: {
    keys: [
      ['stats.recommended', 'desc'],
      ['filter.id', 'desc'],
    ],
    description: 'a ranking that changes between releases; not suitable for synchronization',
  },
  price_asc: {
    keys: [
      ['filter.price', 'asc'],
      ['filter.id', 'asc'],
    ],
    description: 'lowest yearly rent or total price first',
  },
  price_desc: {
    keys: [
      ['filter.price', 'desc'],
      ['filter.id', 'desc'],
    ],
    description: 'highest yearly rent or total price first',
  },
  distance: {
    keys: [
      [DISTANCE, 'asc'],
      ['filter.id', 'asc'],
    ],
    requires: 'near',
    description: 'nearest to `near` first, which it requires',
  },
} as const satisfies Record<string, Sort>;

export type SortName = keyof typeof SORTS;
export const SORT_NAMES = Object.keys(SORTS) as SortName[];
