import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { City, LatLng, Neighborhood } from '#domain/geography/places.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import examples from './examples.json' with { type: 'json' };
import { APARTMENT, moved, type Property, posted } from './homes.ts';
import type { Random } from './random.ts';

/** Homes on one source from the first to the last day. */
export interface Example {
  property: Property;
  source: string;
  /** Factors by step; null for a step without a price. */
  prices?: Readonly<Record<string, number | null>>;
  /** Odd spellings, as feeds write them. */
  odd?: Partial<Record<keyof RawListing, unknown>>;
  refused?: boolean;
}

/** Odd columns, and true facts where they differ; null for a refused row. */
type OddRow = readonly [spellings: NonNullable<Example['odd']>, facts?: Partial<Property> | null];

const RIYADH = CITIES.find(({ slug }) => slug === 'riyadh') as City;
/** Neighborhoods with similar homes, near which examples of the documentation search for deals. */
const LIKE_PLACES = [0, 1, 2, 6];
/** Similar homes in a neighborhood; those below market, and their share of the usual rent. */
const LIKE_HOMES = 20;
const URGENT = { homes: 2, share: 0.68 };

/**
 * Returns three homes at the middle of the market and one in a tower far below it; one whose price pauses before it
 * falls, and one that is mistyped in one feed; similar apartments, of which a few
 * are deals; homes with odd spellings, which differ in area.
 */
export function exampleHomes(random: Random, nextId: () => number): Example[] {
  const places = neighborhoodsOf('riyadh');
  const home = (at: number, facts: Partial<Property>, distance = 0): Property => {
    const neighborhood = places[at] as Neighborhood;
    const point = distance === 0 ? neighborhood.center : moved(random, neighborhood.center as LatLng, distance);
    const advertiser = { key: `owner-${neighborhood.id}-${facts.area}`, kind: 'owner' } as const;
    return { ...APARTMENT, city: RIYADH, ...(point as LatLng), neighborhood, advertiser, ...facts, id: nextId() };
  };
  const first = examples.homes.map(({ place, source, facts, prices = examples.prices }) => {
    return { property: home(place, facts as Partial<Property>), source, prices };
  });
  const alike = Array.from({ length: LIKE_PLACES.length * LIKE_HOMES }, (_, number): Example => {
    const [place, at] = [LIKE_PLACES[Math.floor(number / LIKE_HOMES)] as number, number % LIKE_HOMES];
    const rent = 64_000 * random.between(0.94, 1.06) * (at < URGENT.homes ? URGENT.share : 1);
    const compound = at === 0 ? 'مساكن الواحة' : null;
    const facts = { price: posted(rent, null), area: 125 + at, floor: at % 5, compound };
    return { property: home(place, facts, random.between(50, 700)), source: compound ? 'burj_living' : 'aqarna' };
  });
  const odd = (examples.odd as unknown as OddRow[]).map(([spellings, facts], at): Example => {
    const usual = { listing_type: 'sale', price: 850_000, area: 90 + at * 3, floor: at % 7 } as const;
    const property = home(0, { ...usual, ...facts }, random.between(100, 1_500));
    return { property, source: examples.odd_source, odd: spellings, refused: facts === null };
  });
  return [...first, ...alike, ...odd];
}
