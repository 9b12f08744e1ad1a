import { SHORT_STAYS, type Subject } from '#domain/price-band.ts';
import type { Clause } from '../clause.ts';
import { not } from '../clause.ts';
import { searchFilter } from '../listings/search.ts';
import { marketWindow } from '../market/window.ts';

export const withinMeters = ({ lat, lng }: Pick<Subject, 'lat' | 'lng'>, distance: number): Clause => ({
  geo_distance: { distance: `${distance}m`, 'filter.location': { lat, lon: lng } },
});

export interface NearbyOptions {
  radius: number;
  lookBackDays: number;
  areaTolerancePct: number;
  most: number;
}

/** What a comparison is drawn from, as doc values: whole listings would take ten times as long. */
export const NEARBY_FIELDS = [
  'filter.price',
  'filter.area',
  'filter.bathrooms',
  'filter.lat',
  'filter.lng',
  'filter.compound',
  'stats.advertiser',
] as const;

/** The listings that a price band may be drawn from, nearest first; distance in meters is the first sort value. */
export function nearbyBody(
  { id, city, listing_type, property_type, bedrooms, area, lat, lng }: Subject,
  { radius, lookBackDays, areaTolerancePct, most }: NearbyOptions,
  now: number,
): Record<string, unknown> {
  const tolerance = (area * areaTolerancePct) / 100;
  const filters = {
    city,
    listing_type,
    property_type: [property_type],
    area_min: area - tolerance,
    area_max: area + tolerance,
    ...(bedrooms === null ? {} : { beds: [bedrooms] }),
  };
  return {
    size: most,
    track_total_hits: false,
    _source: false,
    docvalue_fields: NEARBY_FIELDS,
    query: {
      bool: {
        filter: [
          ...searchFilter(filters, { now }),
          { range: { 'filter.updated_at': { gte: marketWindow(now, lookBackDays).from } } },
          withinMeters({ lat, lng }, radius),
          not({ terms: { 'filter.rent_frequency': SHORT_STAYS } }),
          not({ term: { 'filter.id': id } }),
        ],
      },
    },
    sort: [
      { _geo_distance: { 'filter.location': { lat, lon: lng }, order: 'asc', unit: 'm', distance_type: 'arc' } },
      { 'filter.id': 'asc' },
    ],
  };
}
