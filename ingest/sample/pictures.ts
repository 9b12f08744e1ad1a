import type { Property } from './ad.ts';
import { photoFault } from './picture.ts';
import { hashText } from './random.ts';

/** Gives a property's photos their addresses. */
export interface Pictures {
  /** The most that a property has; what it has beyond these is not shown. */
  most: number;
  /** @param copy 0 for pictures that its advertisers share, from 1 for those of one alone */
  address(property: Property, copy: number, number: number): string;
}

/** Every property has pictures of its own. */
export function ownPictures(hostUrl: string): Pictures {
  return {
    most: Number.POSITIVE_INFINITY,
    address: ({ id }, copy, number) => `${hostUrl}/photos/${id}-${copy * 100 + number}.jpg`,
  };
}

/** Sets of pictures that many homes share. */
export const SETS = 64;
const SET_SIZE = 6;

/**
 * A few hundred pictures for any number of properties, each without a fault, so that loading a sample fetches little.
 * Ads that show the same pictures are taken for one property: the sets go round among the homes that could be confused.
 */
export function sharedPictures(hostUrl: string): Pictures {
  const sets = Array.from({ length: SETS }, (_, set) => goodNames(set + 1).map((name) => `${hostUrl}/photos/${name}`));
  const given = new Map<string, number>();
  const ofProperty = new Map<number, number>();
  return {
    most: SET_SIZE,
    address(property, copy, number) {
      let set = ofProperty.get(property.id);
      if (set === undefined) {
        const { neighborhood, listing_type, property_type, bedrooms } = property;
        const alike = `${neighborhood.id} ${listing_type} ${property_type} ${bedrooms}`;
        set = given.get(alike) ?? hashText(alike) % SETS;
        given.set(alike, set + 1);
        // Properties are made one after the other.
        ofProperty.clear();
        ofProperty.set(property.id, set);
      }
      return sets[(set + copy * 21) % SETS]?.[number - 1] ?? '';
    },
  };
}

/** The names of the pictures of a set, from 1, that the host has no fault with. */
export function goodNames(set: number): string[] {
  const names: string[] = [];
  for (let number = 1; names.length < SET_SIZE; number++) {
    const name = `${set}-${number}.jpg`;
    if (photoFault(name) === null) names.push(name);
  }
  return names;
}
