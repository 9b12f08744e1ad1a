import type { Amenity, PropertyType, RentFrequency } from '#domain/listings/vocabulary.ts';
import { ordinal } from '../normalize/compose.ts';
import type { AdvertiserKind } from './ad.ts';

type Words<K extends string> = Readonly<Record<K, readonly string[]>>;

/** The words at one position of a table. */
function wordsAt<K extends string>(table: Words<K>, position: number): Readonly<Record<K, string>> {
  const words = Object.entries<readonly string[]>(table).map(([key, row]) => [key, row[position]]);
  return Object.fromEntries(words) as Record<K, string>;
}

/**
 * Words for property types as the sources write them; each source uses one list: Arabic, Arabic plurals, Arabic without hamza
 * and with ha for ta marbuta, English, codes.
 */
const TYPES: Words<PropertyType> = {
  apartment: ['شقة', 'شقق', 'شقه', 'Apartment', 'flat'],
  villa: ['فيلا', 'فلل', 'فيلا', 'Villa', 'villa'],
  floor: ['دور', 'أدوار', 'دور سكني', 'Floor', 'villa-floor'],
  duplex: ['دوبلكس', 'دوبلكسات', 'فيلا دوبلكس', 'Duplex', 'duplex'],
  townhouse: ['تاون هاوس', 'تاون هاوس', 'تاونهاوس', 'Townhouse', 'town-house'],
  studio: ['استوديو', 'ستوديو', 'ستديو', 'Studio', 'studio'],
  room: ['غرفة', 'غرف', 'غرفه', 'Room', 'single-room'],
  residential_building: ['عمارة سكنية', 'عمارات سكنية', 'عماره', 'Residential Building', 'building'],
  rest_house: ['استراحة', 'استراحات', 'استراحه', 'Rest House', 'istiraha'],
  chalet: ['شاليه', 'شاليهات', 'شالية', 'Chalet', 'chalet'],
  farm: ['مزرعة', 'مزارع', 'مزرعه', 'Farm', 'farm'],
  land: ['أرض', 'اراضي سكنية', 'ارض سكنيه', 'Residential Land', 'plot'],
  commercial_land: ['أرض تجارية', 'اراضي تجارية', 'ارض تجاريه', 'Commercial Land', 'commercial-plot'],
  commercial_building: ['عمارة تجارية', 'عمائر تجارية', 'عماره تجاريه', 'Commercial Building', 'commercial-building'],
  office: ['مكتب', 'مكاتب', 'مكتب تجاري', 'Office', 'office-space'],
  shop: ['محل', 'محلات تجارية', 'محل تجاري', 'Shop', 'retail'],
  showroom: ['معرض', 'معارض', 'صالة عرض', 'Showroom', 'show-room'],
  warehouse: ['مستودع', 'مستودعات', 'مستودع', 'Warehouse', 'warehouse'],
};
export const TYPES_AR = wordsAt(TYPES, 0);
export const TYPES_AR_PLURAL = wordsAt(TYPES, 1);
export const TYPES_AR_LOOSE = wordsAt(TYPES, 2);
export const TYPES_EN = wordsAt(TYPES, 3);
export const TYPES_CODE = wordsAt(TYPES, 4);

/** Arabic adjectives and adverbs, English adjectives and phrases. */
const PERIODS: Words<RentFrequency> = {
  daily: ['يومي', 'يوميا', 'Daily', 'per day'],
  weekly: ['أسبوعي', 'اسبوعيا', 'Weekly', 'per week'],
  monthly: ['شهري', 'شهريا', 'Monthly', 'per month'],
  quarterly: ['ربع سنوي', 'كل ثلاثة أشهر', 'Quarterly', 'per quarter'],
  semiannually: ['نصف سنوي', 'كل ستة أشهر', 'Semi-annually', 'every 6 months'],
  yearly: ['سنوي', 'سنويا', 'Yearly', 'per year'],
};
export const PERIODS_AR = wordsAt(PERIODS, 0);
export const PERIODS_AR_NOUN = wordsAt(PERIODS, 1);
export const PERIODS_EN = wordsAt(PERIODS, 2);
export const PERIODS_PER = wordsAt(PERIODS, 3);

const AMENITIES: Words<Amenity> = {
  ac: ['مكيف', 'Air conditioning'],
  kitchen: ['مطبخ', 'Fitted kitchen'],
  balcony: ['بلكونة', 'Balcony'],
  keyless_entry: ['دخول ذكي', 'Keyless entry'],
  parking: ['موقف سيارة', 'Parking'],
  lift: ['مصعد', 'Elevator'],
  pool: ['مسبح', 'Swimming pool'],
  gym: ['نادي رياضي', 'Gym'],
  garden: ['حديقة', 'Garden'],
  maid_room: ['غرفة خادمة', 'Maid room'],
  driver_room: ['غرفة سائق', 'Driver room'],
  laundry_room: ['غرفة غسيل', 'Laundry room'],
  storage: ['مخزن', 'Storage room'],
  basement: ['قبو', 'Basement'],
  roof: ['سطح', 'Roof'],
  annex: ['ملحق', 'Annex'],
  private_entrance: ['مدخل خاص', 'Private entrance'],
  security: ['حراسة أمنية', 'Security'],
  playground: ['ألعاب أطفال', 'Playground'],
  fireplace: ['مشب', 'Fireplace'],
  internal_stairs: ['درج داخلي', 'Internal stairs'],
  majlis: ['مجلس', 'Majlis'],
  fibre: ['ألياف بصرية', 'Fibre internet'],
  smart_home: ['منزل ذكي', 'Smart home'],
  pets_allowed: ['يسمح بالحيوانات الأليفة', 'Pets allowed'],
};
export const AMENITIES_AR = wordsAt(AMENITIES, 0);
export const AMENITIES_EN = wordsAt(AMENITIES, 1);

const ADVERTISERS: Words<AdvertiserKind> = {
  agency: ['شركة عقارية', 'agency'],
  developer: ['مطور عقاري', 'developer'],
  office: ['مكتب عقاري', 'office'],
  owner: ['مالك', 'individual_owner'],
  agent: ['وسيط عقاري', 'broker'],
};
export const ADVERTISERS_AR = wordsAt(ADVERTISERS, 0);
export const ADVERTISERS_EN = wordsAt(ADVERTISERS, 1);

/** Floors as advertisers name them, from the basement (-1) up; higher ones are written as numbers. */
export function floorAr(floor: number): string {
  return (
    ['قبو', 'أرضي', 'الأول', 'الثاني', 'الثالث', 'الرابع', 'الخامس', 'السادس', 'السابع', 'الثامن'][floor + 1] ??
    `الدور ${floor}`
  );
}

export function floorEn(floor: number): string {
  return floor < 0 ? 'Basement' : floor === 0 ? 'Ground floor' : `${ordinal(floor)} floor`;
}
