import type { LatLng } from '#domain/geography/places.ts';
import { NOT_WHOLE_PRICE_FLAGS } from '#domain/listing-vocabulary.ts';
import type { Neighbor } from '#domain/statistics/estimate.ts';
import {
  AREA_TOLERANCE_PCT,
  LARGEST_RADIUS,
  LOOK_BACK_DAYS,
  MAX_NEARBY,
  SHORT_STAYS,
  type Subject,
} from '#domain/statistics/price-band.ts';
import { type Clause, not } from '../clause.ts';
import { distanceFrom, searchFilter } from '../listings/search.ts';
import { hourOf, windowStart } from '../market/cohort.ts';

/** Excludes prices that the text states not to be of the whole home. */
export const comparablePrice: Clause = not({ terms: { 'filter.quality': NOT_WHOLE_PRICE_FLAGS } });

export const withinMeters = ({ lat, lng }: LatLng, distance: number): Clause => ({
  geo_distance: { distance: `${distance}m`, 'filter.location': { lat, lon: lng } },
});

/** Fields that are read as doc values, because reading whole listings takes ten times as long. */
const NEARBY_FIELDS = [
  'filter.price',
  'filter.area',
  'filter.beds',
  'filter.bathrooms',
  'filter.age',
  'filter.lat',
  'filter.lng',
  'filter.compound',
  'stats.advertiser',
] as const;

/**
 * Requests candidates for a price band or an estimate, nearest first; without coordinates those of the neighborhood,
 * newest first.
 * @param before only listings first found before this time, in epoch milliseconds
 */
export function nearbyBody(subject: Subject, now: number, before?: number): Record<string, unknown> {
  const { id, city, listing_type, property_type, bedrooms, area } = subject;
  const point = 'lat' in subject ? { lat: subject.lat, lng: subject.lng } : null;
  const tolerance = (area * AREA_TOLERANCE_PCT) / 100;
  const filters = {
    city,
    listing_type,
    property_type: [property_type],
    area_min: area - tolerance,
    area_max: area + tolerance,
    ...(bedrooms === null ? {} : { beds: [bedrooms] }),
    ...('neighborhood_id' in subject ? { neighborhood_id: [subject.neighborhood_id] } : {}),
  };
  return {
    size: MAX_NEARBY,
    track_total_hits: false,
    _source: false,
    docvalue_fields: NEARBY_FIELDS,
    query: {
      bool: {
        filter: [
          ...searchFilter(filters, { now }),
          { range: { 'filter.updated_at': { gte: windowStart(hourOf(now), LOOK_BACK_DAYS) } } },
          ...(before === undefined ? [] : [{ range: { 'filter.first_seen_at': { lt: before } } }]),
          ...(point === null ? [] : [withinMeters(point, LARGEST_RADIUS)]),
          not({ terms: { 'filter.rent_frequency': SHORT_STAYS } }),
          comparablePrice,
          not({ term: { 'filter.id': id } }),
        ],
      },
    },
    sort: point === null ? [{ 'filter.id': 'desc' }] : [distanceFrom([point.lat, point.lng]), { 'filter.id': 'asc' }],
  };
}

export interface NearbyResponse {
  hits: {
    hits: readonly {
      fields: Readonly<Record<string, readonly unknown[]>>;
      /** Sort values of the hit: the distance in meters, if the search has a location, and the listing id. */
      sort: readonly number[];
    }[];
  };
}

export const readNearby = ({ hits }: NearbyResponse): Neighbor[] =>
  hits.hits.map(({ fields, sort }) => {
    const number = (field: string): number | null => (fields[field]?.[0] as number | undefined) ?? null;
    const text = (field: string): string | null => (fields[field]?.[0] as string | undefined) ?? null;
    return {
      id: sort.at(-1) as number,
      distance: sort.length > 1 ? (sort[0] as number) : 0,
      price: number('filter.price') ?? 0,
      area: number('filter.area') ?? 0,
      bedrooms: number('filter.beds'),
      bathrooms: number('filter.bathrooms'),
      age: number('filter.age'),
      lat: number('filter.lat'),
      lng: number('filter.lng'),
      compound: text('filter.compound'),
      advertiser: text('stats.advertiser'),
    };
  });

/** Number of new listings that are estimated each day. */
const MAX_FOUND = 1_000;

/** Requests a random sample of the homes first found between two times in epoch milliseconds. Equal for equal times. */
export function foundBody(from: number, to: number): Record<string, unknown> {
  return {
    size: MAX_FOUND,
    track_total_hits: false,
    _source: ['display'],
    query: {
      function_score: {
        query: {
          bool: {
            filter: [
              { range: { 'filter.first_seen_at': { gte: from, lt: to } } },
              { term: { 'filter.listing_category': 'residential' } },
              { term: { 'stats.plausible_typed': true } },
              comparablePrice,
            ],
          },
        },
        random_score: { seed: from / 86_400_000, field: 'filter.id' },
        boost_mode: 'replace',
      },
    },
  };
}
