import { component } from '../json-schema.ts';
import type { PropertyType } from '../listing-vocabulary.ts';

export const LAND_USE_CLASSES = component('LandUseClass', [
  'residential',
  'commercial',
  'agricultural',
  'industrial',
  'mixed_use',
  'other',
] as const);
export type LandUseClass = (typeof LAND_USE_CLASSES)[number];

export const LAND_PRICE_CLASSES = component('LandPriceClass', [
  'residential',
  'commercial',
] as const satisfies readonly LandUseClass[]);

export const RENT_PROPERTY_TYPES = component('RentPropertyType', [
  'apartment',
  'studio',
  'floor',
  'villa',
  'duplex',
  'office',
  'shop',
  'showroom',
] as const satisfies readonly PropertyType[]);
export type RentPropertyType = (typeof RENT_PROPERTY_TYPES)[number];

/** Types in the regulator's sales indicators, which are stored for the property index and not served. */
const INDICATOR_TYPES = ['land', 'apartment', 'floor', 'villa', 'duplex', 'building', 'other'] as const;
export type IndicatorType = (typeof INDICATOR_TYPES)[number];

/** Item codes of the statistics office. In the 2023 base, `015` means floors; in earlier bases it means houses. */
export const INDEX_ITEM_CODES = {
  '0': 'general',
  '01': 'residential',
  '011': 'residential_land',
  '012': 'residential_building',
  '013': 'villa',
  '014': 'apartment',
  '015': 'house',
  '02': 'commercial',
  '021': 'commercial_land',
  '022': 'commercial_building',
  '023': 'shop',
  '024': 'commercial_center',
  '03': 'agricultural',
  '031': 'agricultural_land',
} as const;
export type IndexItem = (typeof INDEX_ITEM_CODES)[keyof typeof INDEX_ITEM_CODES] | 'floor';
export const INDEX_ITEMS: readonly IndexItem[] = component('IndexItem', [...Object.values(INDEX_ITEM_CODES), 'floor']);

/** Regions by the region code of the statistics office. `kingdom` is the whole country. */
export const REGIONS = {
  '1': { slug: 'riyadh', name_ar: 'الرياض', name_en: 'Riyadh' },
  '2': { slug: 'makkah', name_ar: 'مكة المكرمة', name_en: 'Makkah' },
  '3': { slug: 'madinah', name_ar: 'المدينة المنورة', name_en: 'Madinah' },
  '4': { slug: 'qassim', name_ar: 'القصيم', name_en: 'Qassim' },
  '5': { slug: 'eastern', name_ar: 'المنطقة الشرقية', name_en: 'Eastern Province' },
  '6': { slug: 'asir', name_ar: 'عسير', name_en: 'Asir' },
  '7': { slug: 'tabuk', name_ar: 'تبوك', name_en: 'Tabuk' },
  '8': { slug: 'hail', name_ar: 'حائل', name_en: 'Hail' },
  '9': { slug: 'northern_borders', name_ar: 'الحدود الشمالية', name_en: 'Northern Borders' },
  '10': { slug: 'jazan', name_ar: 'جازان', name_en: 'Jazan' },
  '11': { slug: 'najran', name_ar: 'نجران', name_en: 'Najran' },
  '12': { slug: 'baha', name_ar: 'الباحة', name_en: 'Al Baha' },
  '13': { slug: 'jawf', name_ar: 'الجوف', name_en: 'Al Jawf' },
  '99': { slug: 'kingdom', name_ar: 'المملكة', name_en: 'Kingdom' },
} as const satisfies Record<string, { slug: string; name_ar: string; name_en: string }>;
export type RegionSlug = (typeof REGIONS)[keyof typeof REGIONS]['slug'];

const CITIES_BY_REGION: readonly (readonly [RegionSlug, readonly string[]])[] = [
  ['riyadh', ['riyadh', 'kharj']],
  ['makkah', ['jeddah', 'makkah', 'taif']],
  ['madinah', ['madinah', 'yanbu']],
  ['qassim', ['buraidah']],
  ['eastern', ['dammam', 'khobar', 'dhahran', 'jubail', 'ahsa', 'qatif']],
  ['asir', ['abha', 'khamis_mushait']],
  ['tabuk', ['tabuk']],
  ['hail', ['hail']],
  ['jazan', ['jazan']],
];
export const REGION_OF_CITY: Readonly<Record<string, RegionSlug>> = Object.fromEntries(
  CITIES_BY_REGION.flatMap(([region, cities]) => cities.map((city) => [city, region])),
);
