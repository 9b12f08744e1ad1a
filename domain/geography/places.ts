import type { Candidate } from '../suggestions/nearest.ts';

export interface LatLng {
  lat: number;
  lng: number;
}

export interface City {
  /** Matches `^[a-z_]+$`. */
  slug: string;
  name_en: string;
  name_ar: string;
  center: LatLng;
  aliases: string[];
}

/** A part of a city, such as the north. Ids are the same in all cities. */
export interface Direction {
  id: number;
  slug: string;
  name_en: string;
  name_ar: string;
}

export interface Neighborhood {
  /** Ids are never reused or renumbered. */
  id: number;
  city: string;
  slug: string;
  name_en: string;
  name_ar: string;
  direction_id: number | null;
  center: LatLng | null;
  aliases: string[];
}

export const DIRECTIONS: readonly Direction[] = [
  { id: 1, slug: 'north', name_en: 'North', name_ar: 'شمال' },
  { id: 2, slug: 'south', name_en: 'South', name_ar: 'جنوب' },
  { id: 3, slug: 'east', name_en: 'East', name_ar: 'شرق' },
  { id: 4, slug: 'west', name_en: 'West', name_ar: 'غرب' },
  { id: 5, slug: 'center', name_en: 'Center', name_ar: 'وسط' },
];

export interface PlaceCheck {
  hasCity(slug: string): boolean;
  cities(): readonly City[];
  neighborhoods(city: string): readonly Neighborhood[] | undefined;
  neighborhood(id: number, city?: string): Neighborhood | undefined;
}

export const CITY_SLUG = 'a city slug from GET /cities';

export const cityCandidates = (places: PlaceCheck): Candidate[] =>
  places
    .cities()
    .map(({ slug, name_en, name_ar, aliases }) => ({ value: slug, names: [name_en, name_ar, ...aliases] }));
