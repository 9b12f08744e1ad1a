import type { Subject } from '#domain/price-band.ts';
import { not } from '../clause.ts';
import { searchFilter } from '../listings/search.ts';
import { tdigestPercentiles } from '../market/percentiles.ts';
import { withinMeters } from './nearby.ts';

/** Comparables lie within so many meters of the listing. */
export const MAX_DISTANCE = 5_000;

/** They have between two thirds and one and a half times its area. */
export const areaRange = (area: number): { min: number; max: number } => ({ min: (area * 2) / 3, max: area * 1.5 });

/** The score has halved at this distance, and at this relative difference in area. */
const HALF_DISTANCE = '1500m';
const HALF_AREA = 0.15;

/**
 * The most similar listings first: those with the same bedrooms before others, then by distance and area in equal parts.
 * The response also has price percentiles of all listings that meet the criteria, and of those with the same bedrooms.
 */
export function comparablesBody(subject: Subject, limit: number, now: number): Record<string, unknown> {
  const { id, city, listing_type, property_type, bedrooms, area, lat, lng } = subject;
  const { min: area_min, max: area_max } = areaRange(area);
  const filters = { city, listing_type, property_type: [property_type], area_min, area_max };
  const sameBedrooms = bedrooms === null ? { match_none: {} } : { term: { 'filter.beds': bedrooms } };
  return {
    size: limit,
    track_total_hits: true,
    query: {
      function_score: {
        query: {
          bool: {
            filter: [
              ...searchFilter(filters, { now }),
              withinMeters(subject, MAX_DISTANCE),
              not({ term: { 'filter.id': id } }),
            ],
          },
        },
        functions: [
          { gauss: { 'filter.location': { origin: { lat, lon: lng }, scale: HALF_DISTANCE, decay: 0.5 } } },
          { gauss: { 'filter.area': { origin: area, scale: area * HALF_AREA, decay: 0.5 } } },
          // More than distance and area together can give.
          { filter: sameBedrooms, weight: 3 },
        ],
        score_mode: 'sum',
        boost_mode: 'replace',
      },
    },
    sort: [{ _score: 'desc' }, { 'filter.id': 'asc' }],
    aggs: {
      count: { value_count: { field: 'filter.id' } },
      price: tdigestPercentiles('filter.price'),
      same_bedrooms: { filter: sameBedrooms, aggs: { price: tdigestPercentiles('filter.price') } },
    },
  };
}
