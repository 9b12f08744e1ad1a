import { PROPERTY_TYPES, type PropertyType } from '#domain/listings/vocabulary.ts';
import type { Property } from '../ad.ts';

const NUMBERS = { area: 0, bedrooms: 0, bathrooms: 0, livings: 0, floor: 0, age: 0 };
const FLAGS = ['unfurnished', 'tower', 'pool', 'garden', 'maid', 'majlis'] as const;

/** The facts of a home that its pictures show; 0 for numbers that it does not have. */
export type HomeFacts = { type: PropertyType } & Record<keyof typeof NUMBERS, number> &
  Record<(typeof FLAGS)[number], boolean>;

/** Returns the start of a photo name that states the facts of a home, such as `villa-area312-bedrooms5-age2-garden`. */
export function factsName(home: Property): string {
  const has = {
    unfurnished: home.furnished === false,
    tower: (home.floor ?? 0) > 6 || (home.compound?.startsWith('برج') ?? false),
    pool: home.amenities.includes('pool'),
    garden: home.amenities.includes('garden'),
    maid: home.amenities.includes('maid_room'),
    majlis: home.amenities.includes('majlis'),
  };
  const numbers = (Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]).flatMap((name) =>
    home[name] === null ? [] : [`${name}${Math.max(0, home[name])}`],
  );
  return [home.property_type, ...numbers, ...FLAGS.filter((flag) => has[flag])].join('-');
}

/** Returns the facts that a photo name states; null if it states none. */
export function readFacts(name: string): HomeFacts | null {
  const words = name.split('-');
  const type = PROPERTY_TYPES.find((each) => each === words[0]);
  if (type === undefined) return null;
  return {
    type,
    ...NUMBERS,
    ...Object.fromEntries([...name.matchAll(/-([a-z]+)(\d+)/g)].map(([, fact = '', value]) => [fact, Number(value)])),
    ...(Object.fromEntries(FLAGS.map((flag) => [flag, words.includes(flag)])) as Record<
      (typeof FLAGS)[number],
      boolean
    >),
  };
}
