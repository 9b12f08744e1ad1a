import type { PropertyType } from '#domain/listings/vocabulary.ts';

export type Segment =
  | 'flat_sale'
  | 'villa_sale'
  | 'floor_sale'
  | 'flat_rent'
  | 'villa_rent'
  | 'studio_rent'
  | 'land_sale';

/** Language of an ad. A mixed ad has sentences in both languages. */
export type Language = 'ar' | 'en' | 'mixed';

interface Style {
  language: Language;
  arabicDigits: boolean;
}

/** True facts of a home. Its ad may state different values. */
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
  /** Price of comparable homes in SAR: sale price or yearly rent. */
  expected: number;
  price: number;
  style: Style;
}

export type Random = () => number;
export const between = (random: Random, min: number, max: number): number => min + random() * (max - min);
export const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
