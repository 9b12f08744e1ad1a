import type { PropertyType } from '#domain/listings/vocabulary.ts';

export type Segment =
  | 'flat_sale'
  | 'villa_sale'
  | 'floor_sale'
  | 'flat_rent'
  | 'villa_rent'
  | 'studio_rent'
  | 'land_sale';

/** Wording of ads: one or both languages, digits of either script, amounts in many forms. */
export type Language = 'ar' | 'en' | 'mixed';

interface Style {
  language: Language;
  arabicDigits: boolean;
}

/** The true facts of a home. Its ad may state others. */
export interface Home {
  key: string;
  segment: Segment;
  type: PropertyType;
  purpose: 'sale' | 'rent';
  neighborhood: { slug: string; name_ar: string; name_en: string };
  lat: number;
  lng: number;
  area: number;
  bedrooms: number | null;
  age: number | null;
  statesAge: boolean;
  /** Price of comparable homes. */
  expected: number;
  /** Price of this home. */
  price: number;
  style: Style;
}

export type Random = () => number;
export const between = (random: Random, min: number, max: number): number => min + random() * (max - min);
export const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
