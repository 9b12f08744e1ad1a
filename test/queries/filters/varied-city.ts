import {
  ADVERTISER_TYPES,
  AMENITIES,
  type LISTING_CATEGORIES,
  LISTING_TYPES,
  PROPERTY_TYPE_TABLE,
  PROPERTY_TYPES,
  QUALITY_FLAGS,
  RENT_FREQUENCIES,
  SALE_FREQUENCY,
} from '#domain/listing-vocabulary.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { MODIFIED_STEP } from '#domain/listings/modified.ts';
import { timestamp } from '#domain/listings/present.ts';
import { makeListing } from '#test/factories.ts';

/** Listing values in a varied city. Queries use these and adjacent values. */
export const PRICES = [0, 1, 29_999.99, 30_000, 30_000.01, 45_000, 60_000, 90_000, 1_250_000.5, 7e9];
export const AREAS = [0.5, 60, 99.9, 100, 100.1, 250, 251, 12_000.25];
/** Of the gazetteer: in the north, the west, the center and the east. */
export const NEIGHBORHOODS = [1001, 1028, 1029, 1035];
/** The neighborhoods of a varied city. The last one has no listings. */
export const ITS_NEIGHBORHOODS = [...NEIGHBORHOODS, 1099].map((id) => ({ id }));
export const SOURCES = ['aqarna', 'souq dar', 'بيوت', 'Aqarna'];
export const COMPANIES = ['adv_a', 'adv_b'];
export const COMPOUNDS = ['Palm Court', 'palm  COURT', 'واحة الياسمين', 'واحه الياسمين', 'Gate 7', 'بوابة ٧'];
export const TYPES = PROPERTY_TYPES.slice(0, 5).concat('office', 'land');
export const COORDINATES = { lng: [46.5, 46.6, 46.65, 46.7, 46.8], lat: [24.5, 24.6, 24.7, 24.75, 24.9] };
const FLOORS = [
  '0',
  '1',
  '7',
  '-1',
  'ground',
  'upper',
  'ground,upper',
  'roof',
  'basement',
  'basement,ground',
  '2, roof',
];
/** Invented words without stems, synonyms or stop words, in equivalent spellings. */
export const WORDS = ['zorq', 'Blint', 'kradov', 'زغرط', 'قلمشد', 'حنتوشة', 'أطنجف', '3', '٤٢'];
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  zorq: ['Zorq', 'ZORQ', 'zorq'],
  زغرط: ['زَغْرط', 'زغـــرط', 'زغرط'],
  حنتوشة: ['حنتوشه', 'حنتوشة'],
  أطنجف: ['اطنجف', 'إطنجف', 'أطنجف'],
  '3': ['٣', '3', '۳'],
  '٤٢': ['42', '٤٢'],
};

/**
 * Generates listings with random missing optional fields, values at the limits that queries use, and many equal timestamps
 * and prices. `now` is in epoch seconds.
 */
export function variedListings(city: string, count: number, now: number, random: () => number): StoredListing[] {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const chance = (share: number): boolean => random() < share;
  const maybe = <T>(values: readonly T[]): T | null => (chance(0.25) ? null : pick(values));
  const flag = (): boolean | null => pick([true, false, null]);
  const text = (): string => {
    const words = Array.from({ length: Math.floor(random() * 5) }, () => {
      const word = pick(WORDS);
      return pick(SPELLINGS[word] ?? [word]);
    });
    return words.map((word) => word + pick([' ', ' ', ' ', ', ', '، ', '. ', '-', '\n'])).join('');
  };
  // Timestamps that many listings share: exact days before `now`, one second later, and 20 seconds after `now`.
  const moments = [0, 1, 7, 8, 60, 61]
    .flatMap((days) => [now - days * 86_400, now - days * 86_400 + 1])
    .concat(now + 20);
  return Array.from({ length: count }, (_, at) => {
    const type = pick(LISTING_TYPES);
    const property = pick(TYPES);
    const category: (typeof LISTING_CATEGORIES)[number] = PROPERTY_TYPE_TABLE[property].category;
    const price = chance(0.06) ? null : pick(PRICES);
    const located = chance(0.85);
    const first = pick(moments);
    return makeListing(
      {
        title: chance(0.3) ? null : text(),
        description: text(),
        headline: 'zorq زغرط kradov',
        description_en: 'Blint 42',
        listing_type: type,
        listing_category: category,
        property_type: property,
        price: {
          yearly_sar: price,
          as_posted:
            price === null
              ? null
              : { amount: price, frequency: type === 'rent' ? pick(RENT_FREQUENCIES) : SALE_FREQUENCY },
          previous_yearly_sar: maybe(PRICES),
        },
        bedrooms: maybe([0, 1, 2, 3, 5, 6]),
        bathrooms: maybe([0, 1, 2, 3, 5]),
        livings: maybe([0, 1, 2]),
        area_sqm: maybe(AREAS),
        floor: maybe(FLOORS),
        age_years: maybe([0, 1, 10, 11, 40]),
        furnished: flag(),
        amenities: AMENITIES.slice(0, 6).filter(() => chance(0.4)),
        compound_name: chance(0.6) ? null : pick(COMPOUNDS),
        verified_by_source: flag(),
        also_listed_on: chance(0.2) ? [pick(SOURCES)] : [],
        updated_at: timestamp(pick(moments)),
        advertiser: { type: maybe(['agency', 'company', 'individual_owner']) },
        location: {
          city,
          neighborhood_id: maybe(NEIGHBORHOODS),
          lat: located ? pick(COORDINATES.lat) : null,
          lng: located ? pick(COORDINATES.lng) : null,
        },
      },
      {
        source: pick(SOURCES),
        first_seen: first,
        // Unique, in microseconds.
        modified: pick(moments) * 1_000_000 + at * MODIFIED_STEP,
        advertiser_type: maybe(ADVERTISER_TYPES),
        ...(chance(0.5) ? {} : { advertiser_ref: pick(COMPANIES) }),
        ...(chance(0.6) ? {} : { quality: QUALITY_FLAGS.filter(() => chance(0.3)) }),
        plausible_typed: chance(0.9),
        plausible_pooled: chance(0.9),
      },
    );
  });
}
