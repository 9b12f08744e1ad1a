import { integer, nullable, string } from './json-schema.ts';

/** Fields that place a listing or project, with their schemas. */
export const PLACE_FIELDS = {
  city: string,
  city_name_en: string,
  neighborhood_id: nullable(integer),
  neighborhood_name_ar: nullable(string),
  neighborhood_name_en: nullable(string),
} as const;
