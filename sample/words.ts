import { NAMES, PROPERTY_TYPE_TABLE } from '#domain/listing-vocabulary.ts';
import type { Names } from '#domain/named.ts';
import { ordinal } from '#ingest/normalize/compose.ts';
import words from './words.json' with { type: 'json' };

type Words<K extends string> = Readonly<Record<K, string>>;

function namesOf<K extends string>(
  names: Readonly<Record<K, Names>>,
  language: keyof Names,
  others: Partial<Words<K>> = {},
): Words<K> {
  const own = Object.entries<Names>(names).map(([key, name]) => [key, name[language]]);
  return { ...Object.fromEntries(own), ...others };
}

export const {
  types_plural: TYPES_PLURAL,
  types_loose: TYPES_LOOSE,
  types_code: TYPES_CODE,
  periods_noun: PERIODS_NOUN,
  periods_per: PERIODS_PER,
  advertisers_ar: ADVERTISERS_AR,
  advertisers_en: ADVERTISERS_EN,
} = words;
export const TYPES_AR = namesOf(PROPERTY_TYPE_TABLE, 'name_ar');
export const TYPES_EN = namesOf(PROPERTY_TYPE_TABLE, 'name_en', words.types_en);
export const PERIODS_AR = namesOf(NAMES.rent_frequencies, 'name_ar');
export const PERIODS_EN = namesOf(NAMES.rent_frequencies, 'name_en', { semiannually: 'Semi-annually' });
export const AMENITIES_AR = namesOf(NAMES.amenities, 'name_ar', words.amenities_ar);
export const AMENITIES_EN = namesOf(NAMES.amenities, 'name_en', words.amenities_en);

/** From the basement (-1) up. */
export const floorAr = (floor: number): string => words.floors[floor + 1] ?? `الدور ${floor}`;
export const floorEn = (floor: number): string =>
  floor < 0 ? 'Basement' : floor === 0 ? 'Ground floor' : `${ordinal(floor)} floor`;

export const arabicDigits = (value: number | string): string =>
  String(value).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)));
export const thousands = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
/** Formats 1200000 as `١٬٢٠٠٬٠٠٠`. */
export const arabicThousands = (value: number): string => arabicDigits(thousands(value)).replaceAll(',', '٬');
/** Formats epoch seconds as `2026-03-09T05:00:00Z`. */
export const isoUtc = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
/** Formats epoch seconds as Riyadh time with its offset, `2026-03-09T08:00:00+03:00`. */
export const isoRiyadh = (seconds: number): string => isoUtc(seconds + 3 * 3600).replace('Z', '+03:00');
/** Converts text to informal spelling: alef without hamza, ha for ta marbuta. */
export const looseSpelling = (text: string): string => text.replace(/[أإآ]/g, 'ا').replace(/ة/g, 'ه');
