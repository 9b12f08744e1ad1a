import type { LatLng } from '#domain/geography/places.ts';
import { areaRange, CIRCLES, type Circle, FRESH_DAYS, MAX_DISTANCE } from '#domain/statistics/deals.ts';
import type { Subject as BandSubject } from '#domain/statistics/price-band.ts';
import { aggregationBody, type Clause, not } from '../clause.ts';
import { searchFilter } from '../listings/search.ts';
import { hourOf, windowStart } from '../market/cohort.ts';
import { columnsClause } from '../market/collected.ts';
import { comparablePrice, withinMeters } from './nearby.ts';

/** Values at which a score component is halved: distance, and relative difference in area. */
const HALF_DISTANCE = '1500m';
const HALF_AREA = 0.15;

/** The listing to compare with others. Its age is not used. */
export type Subject = Omit<BandSubject<LatLng>, 'age'>;

function alike(
  { id, city, listing_type, property_type, area, lat, lng }: Subject,
  radius: number,
  now: number,
): Clause[] {
  const { min: area_min, max: area_max } = areaRange(area);
  const filters = { city, listing_type, property_type: [property_type], area_min, area_max };
  return [
    ...searchFilter(filters, { now }),
    { range: { 'filter.updated_at': { gte: windowStart(hourOf(now), FRESH_DAYS) } } },
    withinMeters({ lat, lng }, radius),
    comparablePrice,
    not({ term: { 'filter.id': id } }),
  ];
}

const sameBedrooms = ({ bedrooms }: Subject): Clause =>
  bedrooms === null ? not({ exists: { field: 'filter.beds' } }) : { term: { 'filter.beds': bedrooms } };

const within = (subject: Subject, circle: Circle): Clause[] => [
  ...(circle.radius < MAX_DISTANCE ? [withinMeters(subject, circle.radius)] : []),
  ...(circle.sameBedrooms ? [sameBedrooms(subject)] : []),
];

export function circlesBody(subject: Subject, now: number): Record<string, unknown> {
  const filters = CIRCLES.map((circle) => ({ bool: { filter: within(subject, circle) } }));
  return aggregationBody(alike(subject, MAX_DISTANCE, now), { circles: { filters: { filters } } });
}

/**
 * Requests the most similar listings in a circle: same number of bedrooms first; then distance and area count equally.
 * Also requests the prices of all listings in the circle.
 */
export function comparablesBody(subject: Subject, circle: Circle, limit: number, now: number): Record<string, unknown> {
  const { area, lat, lng } = subject;
  const same = sameBedrooms(subject);
  return {
    size: limit,
    track_total_hits: false,
    query: {
      function_score: {
        query: {
          bool: { filter: [...alike(subject, circle.radius, now), ...(circle.sameBedrooms ? [same] : [])] },
        },
        functions: [
          { gauss: { 'filter.location': { origin: { lat, lon: lng }, scale: HALF_DISTANCE, decay: 0.5 } } },
          { gauss: { 'filter.area': { origin: area, scale: area * HALF_AREA, decay: 0.5 } } },
          // The weight exceeds the maximum score of distance and area, so that bedrooms take precedence.
          { filter: same, weight: 3 },
        ],
        score_mode: 'sum',
        boost_mode: 'replace',
      },
    },
    sort: [{ _score: 'desc' }, { 'filter.id': 'asc' }],
    aggs: {
      prices: columnsClause([{ field: 'filter.price', type: 'Doubles' }]),
    },
  };
}
