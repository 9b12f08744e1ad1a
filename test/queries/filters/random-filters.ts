import fc from 'fast-check';
import {
  ADVERTISER_TYPES,
  AMENITIES,
  FLOOR_CLASSES,
  LISTING_CATEGORIES,
  QUALITY_FLAGS,
  RENT_FREQUENCIES,
} from '#domain/listing-vocabulary.ts';
import type { Query } from './oracle.ts';
import * as varied from './varied-city.ts';

const one = (...values: readonly (string | number)[]) => fc.constantFrom(...values.map(String));
const some = (...values: readonly (string | number)[]) =>
  fc.uniqueArray(one(...values), { minLength: 1, maxLength: 3 }).map((chosen) => chosen.join(','));
const whole = one(0, 1, 2, 3, '٥', 6);
const flag = one('true', 'false');
const time = one('2026-06-01T12:00:00Z', '2026-05-25T15:00:01+03:00', '2026-05-25T12:00:00Z', '2026-04-02T12:00:00.5Z');

const word = fc.constantFrom(...varied.WORDS, 'Kradov', 'طنجف', 'nowhere');
const term = fc.oneof(
  { weight: 5, arbitrary: word },
  { weight: 1, arbitrary: fc.tuple(word, word).map((pair) => pair.join('-')) },
  { weight: 3, arbitrary: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`) },
);
const text = fc
  .array(fc.tuple(fc.array(term, { minLength: 1, maxLength: 3 }), one(' | ', '|', ' |')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((groups) => groups.map(([terms, either]) => terms.join(either)).join(' '));

/** Value generators by filter, except the filters in every query. */
export const TEXTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  neighborhood_id: some(...varied.NEIGHBORHOODS, 1099),
  neighborhood_id_exclude: some(...varied.NEIGHBORHOODS, '١٠٠١'),
  bbox: fc
    .tuple(...[varied.COORDINATES.lng, varied.COORDINATES.lat].map((from) => fc.tuple(one(...from), one(...from))))
    .map(([lng, lat]) => {
      const [[west, east], [south, north]] = [lng, lat].map((pair) =>
        [...(pair ?? [])].map(Number).sort((a, b) => a - b),
      ) as [number[], number[]];
      return [west, south, east, north].join(',');
    }),
  // No listing is on the border of these shapes.
  near: one('24.6,46.6', '24.7013,46.6987', '٢٤.٧٥,46.65', '24.5,46.5', '24.61, 46.55'),
  near_any: one('24.6,46.6;24.7013,46.6987', '24.5,46.5', '24.61,46.55;24.75,46.65;24.61,46.55'),
  radius_m: one(10, 900, 2_500, 9_000, 21_000, 50_000),
  polygon: one(
    '24.55,46.55;24.55,46.72;24.8,46.72;24.8,46.55',
    '24.45,46.45;24.95,46.63;24.45,46.85',
    '24.93,46.47;24.47,46.46;24.48,46.83;24.63,46.68;24.66,46.55',
    '24.68,46.63;24.72,46.63;24.72,46.82;24.68,46.82;24.68,46.63',
  ),
  compound: one('true', 'false', ...varied.COMPOUNDS, 'PALM court', 'Palm'),
  in_compound: flag,
  listing_category: one(...LISTING_CATEGORIES),
  // A type that is given twice has the bounds of one type.
  property_type: fc.oneof({ weight: 5, arbitrary: some(...varied.TYPES) }, one('villa,villa')),
  price_min: one(...varied.PRICES.filter((price) => price < 1e12), '٣٠٠٠٠'),
  price_max: one(...varied.PRICES, '90000.0'),
  rent_frequency: some(...RENT_FREQUENCIES),
  area_min: one(...varied.AREAS, '١٠٠'),
  area_max: one(...varied.AREAS),
  beds: some(0, 1, 2, 3, '٥', 6),
  bathrooms: some(0, 1, 2, 3, 5),
  beds_min: whole,
  beds_max: whole,
  bathrooms_min: whole,
  bathrooms_max: whole,
  livings_min: one(0, 1, 2),
  amenities: some(...AMENITIES.slice(0, 6)),
  amenities_exclude: some(...AMENITIES.slice(0, 7)),
  furnished: flag,
  floor: some(...FLOOR_CLASSES),
  max_age: one(0, 1, 10, 39),
  verified: flag,
  updated_since: time,
  modified_since: time,
  days_on_market_min: one(0, 1, 6, 7, 8, 60),
  days_on_market_max: one(0, 1, 6, 7, 8, 60),
  source: some(...varied.SOURCES, 'nobody'),
  source_exclude: some(...varied.SOURCES, 'nobody'),
  advertiser: some(...varied.COMPANIES, 'nobody'),
  direction_id: some(1, 3, 5),
  advertiser_type: some(...ADVERTISER_TYPES),
  quality: some(...QUALITY_FLAGS),
  quality_exclude: some(...QUALITY_FLAGS),
  q: text,
};

/** Parameters included in every query. */
export const ALWAYS_GIVEN = ['city', 'listing_type'];

/** Generates a random selection of filters with a value for each. */
export const chosenFilters = (maxLength: number) =>
  fc
    .uniqueArray(fc.oneof(...Object.entries(TEXTS).map(([name, texts]) => fc.tuple(fc.constant(name), texts))), {
      minLength: 0,
      maxLength,
      selector: ([name]) => name,
    })
    .map((entries): Query => Object.fromEntries(entries));
