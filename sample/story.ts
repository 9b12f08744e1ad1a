import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import type { RentFrequency } from '#domain/listings/vocabulary.ts';
import type { Property } from './ad.ts';
import { moved, roundPrice } from './market.ts';
import type { Random } from './random.ts';

/**
 * The events of a story sample: prices that rise and fall by city, short stays that cost more than their share of the
 * yearly rent, and example homes for every operation.
 */

/** Returns the source of an example home: the first to be read, for ids from 1, or that of tower homes. */
export const exampleSource = ({ compound }: Property): string => (compound === null ? 'aqarna' : 'burj_living');

/** Relative price changes of an example, by step. */
export const EXAMPLE_PRICES: Readonly<Record<number, number>> = { 2: 0.95, 5: 1.03, 7: 0.96 };

/** Returns three homes at the middle of the market and one in a tower far below it, listed from first to last day. */
export function exampleHomes(nextId: () => number): Property[] {
  const riyadh = CITIES.find(({ slug }) => slug === 'riyadh') as City;
  const [malqa, yasmin, narjis, , , , , hittin] = neighborhoodsOf('riyadh');
  const placedIn = (place: Neighborhood | undefined) => {
    if (!place?.center) throw new Error('the gazetteer has no Riyadh');
    return { ...place.center, id: nextId(), neighborhood: place };
  };
  const apartment = {
    city: riyadh,
    ...placedIn(malqa),
    listing_type: 'rent',
    property_type: 'apartment',
    price: 66_000,
    area: 145,
    bedrooms: 3,
    bathrooms: 3,
    livings: 1,
    floor: 2,
    age: 3,
    furnished: false,
    amenities: ['ac', 'kitchen', 'balcony', 'parking', 'lift'],
    street_width: 20,
    compound: null,
    project_id: null,
    photos: 6,
    bank: null,
    advertiser: { key: 'example-office', kind: 'office' },
  } as const satisfies Property;
  return [
    apartment,
    {
      ...apartment,
      ...placedIn(yasmin),
      listing_type: 'sale',
      property_type: 'villa',
      price: 2_450_000,
      area: 312,
      bedrooms: 5,
      bathrooms: 5,
      livings: 2,
      floor: null,
      age: 2,
      amenities: ['ac', 'kitchen', 'parking', 'maid_room', 'majlis', 'garden'],
      bank: true,
      advertiser: { key: 'example-agency', kind: 'agency' },
    },
    {
      ...apartment,
      ...placedIn(narjis),
      price: 58_000,
      area: 104,
      bedrooms: 2,
      bathrooms: 2,
      floor: 1,
      age: 5,
      advertiser: { key: 'example-agent', kind: 'agent' },
    },
    {
      ...apartment,
      ...placedIn(hittin),
      compound: 'برج المها',
      price: 39_000,
      area: 138,
      bathrooms: 2,
      floor: 9,
      age: 1,
      advertiser: { key: 'example-developer', kind: 'developer' },
    },
  ];
}

/** Number of similar homes in a neighborhood, number of those below market, and their share of the usual rent. */
const LIKE_HOMES = 20;
const URGENT = { homes: 2, share: 0.68 };

/** Generates similar apartments for rent in Riyadh, a few of them so far below the others that they become deals. */
export function likeHomes(random: Random, nextId: () => number): Property[] {
  const [apartment] = exampleHomes(() => 0) as [Property];
  return neighborhoodsOf('riyadh')
    .slice(0, 3)
    .flatMap((neighborhood) =>
      Array.from({ length: LIKE_HOMES }, (_, at): Property => {
        const rent = 64_000 * random.between(0.94, 1.06) * (at < URGENT.homes ? URGENT.share : 1);
        return {
          ...apartment,
          ...moved(random, neighborhood.center ?? apartment, random.between(50, 700)),
          id: nextId(),
          neighborhood,
          price: roundPrice(rent, 'rent'),
          area: 126 + at,
          floor: at % 5,
          compound: at === 0 ? 'مساكن الواحة' : null,
          photos: 3,
          advertiser: { key: `like-${neighborhood.id}-${at}`, kind: 'owner' },
        };
      }),
    );
}

/** Monthly change in percent of rents and of sale prices. */
const DRIFT: Readonly<Record<string, readonly [rent: number, sale: number]>> = {
  riyadh: [1.6, 0.8],
  jeddah: [0.9, 1.2],
  dammam: [-0.7, 0.4],
  khobar: [0.6, -0.5],
  makkah: [0.9, 0.5],
  madinah: [1.1, 0.9],
};
const OTHER_DRIFT = [0.5, 0.2] as const;
const MONTH_DAYS = 30.44;

function driftOf({ city, listing_type }: Property): number {
  const [rent, sale] = DRIFT[city.slug] ?? OTHER_DRIFT;
  return listing_type === 'rent' ? rent : sale;
}

/** Returns the ratio of a price `days` before the last day to the price on the last day. */
export function levelBefore(property: Property, days: number): number {
  return (1 + driftOf(property) / 100) ** (-days / MONTH_DAYS);
}

/** Returns the share of price changes that are reductions: lower in a rising market. */
export function fallingShare(property: Property): number {
  return Math.min(0.85, Math.max(0.4, 0.65 - driftOf(property) / 5));
}

/** Factor by which a short stay costs more than its share of the yearly rent. */
const STAY_PREMIUM: Partial<Record<RentFrequency, number>> = { daily: 2.4, weekly: 1.7, monthly: 1.15 };

/** Returns the price of a stay, rounded to tens. */
export function stayPrice(yearly: number, frequency: RentFrequency, paymentsPerYear: number): number {
  const price = (yearly / paymentsPerYear) * (STAY_PREMIUM[frequency] ?? 1);
  return Math.max(50, Math.round(price / 10) * 10);
}
