import { component } from '#domain/json-schema.ts';
import type { Clause } from '../clause.ts';

export interface Sort {
  /** The first sort key. The second is the id in the same order. The cursor has both values of the last row. */
  by: readonly [field: string, order: 'asc' | 'desc'];
  filter?: Clause;
  requires?: 'near';
  /** Whether the index has this order within one city and listing type. */
  indexOrder?: boolean;
  description: string;
}

export const DISTANCE = '_geo_distance';

export const SORTS = {
  newest: {
    by: ['filter.first_seen_at', 'desc'],
    indexOrder: true,
    description: 'most recently found first',
  },
  updated_asc: {
    by: ['filter.updated_at', 'asc'],
    description: 'least recently updated first',
  },
  modified_asc: {
    by: ['filter.modified', 'asc'],
    description:
      'least recently modified first, up to `pagination.watermark`; use it with `modified_since` to synchronize a copy',
  },
  price_drop: {
    by: ['filter.price_drop_pct', 'desc'],
    filter: { range: { 'filter.price_drop_pct': { gt: 0 } } },
    description: 'largest price drop in percent first; only listings with a price drop',
  },
  recommended: {
    by: ['stats.recommended', 'desc'],
    description: 'a ranking that changes between releases; not suitable for synchronization',
  },
  price_asc: {
    by: ['filter.price', 'asc'],
    description: 'lowest yearly rent or total price first',
  },
  price_desc: {
    by: ['filter.price', 'desc'],
    description: 'highest yearly rent or total price first',
  },
  distance: {
    by: [DISTANCE, 'asc'],
    requires: 'near',
    description: 'nearest to `near` first, which it requires',
  },
} as const satisfies Record<string, Sort>;

export type SortName = keyof typeof SORTS;
export const SORT_NAMES = component('ListingSort', Object.keys(SORTS) as SortName[]);
