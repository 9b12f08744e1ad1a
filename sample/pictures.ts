import type { Property } from './ad.ts';
import { photoFault } from './picture.ts';
import { factsName } from './pictures/facts.ts';
import { hashText } from './random.ts';

/** Assigns addresses to a property's photos. */
export interface Pictures {
  /** Maximum number per property. Further ones are not shown. */
  most: number;
  /** @param copy 0 for pictures that its advertisers share, from 1 for those of a single advertiser */
  address(property: Property, copy: number, number: number): string;
  /** Returns the photos of an ad that the last feed does not contain. */
  ofWithdrawn(photos: readonly string[]): readonly string[];
}

/** Assigns separate pictures to every property. */
export function ownPictures(hostUrl: string): Pictures {
  return {
    most: Number.POSITIVE_INFINITY,
    address: ({ id }, copy, number) => `${hostUrl}/photos/${id}-${copy * 100 + number}.jpg`,
    ofWithdrawn: (photos) => photos,
  };
}

/** Number of picture sets of projects, and of views that many homes share. */
export const SETS = 64;
const SET_SIZE = 6;
/** Pictures per home of the story sample: the neighborhood and the home, because each delays the first start. */
const OF_HOME = 2;

/** Assigns few pictures to each property, without faults: first a view of the neighborhood, which others share. */
export function fewPictures(hostUrl: string): Pictures {
  const views = Array.from({ length: SETS }, (_, set) => goodNames(String(set + 1), 1)[0]);
  return {
    most: OF_HOME,
    address(property, copy, number) {
      const { id, neighborhood, listing_type, property_type, bedrooms } = property;
      const alike = hashText(`${neighborhood.id} ${listing_type} ${property_type} ${bedrooms}`);
      const own = `${factsName(property)}-${id}-${copy}`;
      const name = number === 1 ? views[(alike + id + copy * 21) % SETS] : goodNames(own, number - 1).at(-1);
      return `${hostUrl}/photos/${name}`;
    },
    // The view of the neighborhood, because no page shows the home.
    ofWithdrawn: (photos) => photos.slice(-1),
  };
}

/** Returns names of pictures without simulated faults. */
export function goodNames(set: string, count = SET_SIZE): string[] {
  const names: string[] = [];
  for (let number = 1; names.length < count; number++) {
    const name = `${set}-${number}.jpg`;
    if (photoFault(name) === null) names.push(name);
  }
  return names;
}
