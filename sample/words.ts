import { NAMES, PROPERTY_TYPE_TABLE, type PropertyType, type RentFrequency } from '#domain/listings/vocabulary.ts';
import type { Names } from '#domain/named.ts';
import { ordinal } from '#ingest/normalize/compose.ts';
import type { AdvertiserKind } from './ad.ts';

type Words<K extends string> = Readonly<Record<K, readonly string[]>>;

function wordsAt<K extends string>(table: Words<K>, position: number): Readonly<Record<K, string>> {
  const words = Object.entries<readonly string[]>(table).map(([key, row]) => [key, row[position]]);
  return Object.fromEntries(words) as Record<K, string>;
}

/** Returns the service's names of vocabulary values, except where sources use other words. */
function namesOf<K extends string>(
  names: Readonly<Record<K, Names>>,
  language: keyof Names,
  others: Partial<Record<K, string>> = {},
): Readonly<Record<K, string>> {
  const words = Object.entries<Names>(names).map(([key, name]) => [key, name[language]]);
  return { ...Object.fromEntries(words), ...others };
}

/** Words for property types in some sources: Arabic plurals; Arabic without hamza and with ha for ta marbuta; codes. */
const TYPES: Words<PropertyType> = {
  apartment: ['شقق', 'شقه', 'flat'],
  villa: ['فلل', 'فيلا', 'villa'],
  floor: ['أدوار', 'دور سكني', 'villa-floor'],
  duplex: ['دوبلكسات', 'فيلا دوبلكس', 'duplex'],
  townhouse: ['تاون هاوس', 'تاونهاوس', 'town-house'],
  studio: ['ستوديو', 'ستديو', 'studio'],
  room: ['غرف', 'غرفه', 'single-room'],
  residential_building: ['عمارات سكنية', 'عماره', 'building'],
  rest_house: ['استراحات', 'استراحه', 'istiraha'],
  chalet: ['شاليهات', 'شالية', 'chalet'],
  farm: ['مزارع', 'مزرعه', 'farm'],
  land: ['اراضي سكنية', 'ارض سكنيه', 'plot'],
  commercial_land: ['اراضي تجارية', 'ارض تجاريه', 'commercial-plot'],
  commercial_building: ['عمائر تجارية', 'عماره تجاريه', 'commercial-building'],
  office: ['مكاتب', 'مكتب تجاري', 'office-space'],
  shop: ['محلات تجارية', 'محل تجاري', 'retail'],
  showroom: ['معارض', 'صالة عرض', 'show-room'],
  warehouse: ['مستودعات', 'مستودع', 'warehouse'],
};
export const TYPES_AR = namesOf(PROPERTY_TYPE_TABLE, 'name_ar');
export const TYPES_AR_PLURAL = wordsAt(TYPES, 0);
export const TYPES_AR_LOOSE = wordsAt(TYPES, 1);
export const TYPES_EN = namesOf(PROPERTY_TYPE_TABLE, 'name_en', {
  residential_building: 'Residential Building',
  rest_house: 'Rest House',
  land: 'Residential Land',
  commercial_land: 'Commercial Land',
  commercial_building: 'Commercial Building',
});
export const TYPES_CODE = wordsAt(TYPES, 2);

/** Arabic adverbs and English phrases of rent periods. */
const PERIODS: Words<RentFrequency> = {
  daily: ['يوميا', 'per day'],
  weekly: ['اسبوعيا', 'per week'],
  monthly: ['شهريا', 'per month'],
  quarterly: ['كل ثلاثة أشهر', 'per quarter'],
  semiannually: ['كل ستة أشهر', 'every 6 months'],
  yearly: ['سنويا', 'per year'],
};
export const PERIODS_AR = namesOf(NAMES.rent_frequencies, 'name_ar');
export const PERIODS_AR_NOUN = wordsAt(PERIODS, 0);
export const PERIODS_EN = namesOf(NAMES.rent_frequencies, 'name_en', { semiannually: 'Semi-annually' });
export const PERIODS_PER = wordsAt(PERIODS, 1);

export const AMENITIES_AR = namesOf(NAMES.amenities, 'name_ar', {
  ac: 'مكيف',
  kitchen: 'مطبخ',
  balcony: 'بلكونة',
  parking: 'موقف سيارة',
  storage: 'مخزن',
  roof: 'سطح',
  playground: 'ألعاب أطفال',
  fireplace: 'مشب',
});
export const AMENITIES_EN = namesOf(NAMES.amenities, 'name_en', {
  lift: 'Elevator',
  maid_room: 'Maid room',
  driver_room: 'Driver room',
  roof: 'Roof',
});

const ADVERTISERS: Words<AdvertiserKind> = {
  agency: ['شركة عقارية', 'agency'],
  developer: ['مطور عقاري', 'developer'],
  office: ['مكتب عقاري', 'office'],
  owner: ['مالك', 'individual_owner'],
  agent: ['وسيط عقاري', 'broker'],
};
export const ADVERTISERS_AR = wordsAt(ADVERTISERS, 0);
export const ADVERTISERS_EN = wordsAt(ADVERTISERS, 1);

/** Returns the name that advertisers use for a floor, from the basement (-1) up; higher floors are numbers. */
export function floorAr(floor: number): string {
  return (
    ['قبو', 'أرضي', 'الأول', 'الثاني', 'الثالث', 'الرابع', 'الخامس', 'السادس', 'السابع', 'الثامن'][floor + 1] ??
    `الدور ${floor}`
  );
}

export function floorEn(floor: number): string {
  return floor < 0 ? 'Basement' : floor === 0 ? 'Ground floor' : `${ordinal(floor)} floor`;
}
