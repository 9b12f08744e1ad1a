import type { Amenity, PropertyType, RentFrequency } from '#domain/listings/vocabulary.ts';
import type { AdvertiserKind } from './ad.ts';

/** Words for property types as the sources write them; each source uses one list. */
export type TypeWords = Readonly<Record<PropertyType, string>>;

export const TYPES_AR: TypeWords = {
  apartment: 'شقة',
  villa: 'فيلا',
  floor: 'دور',
  duplex: 'دوبلكس',
  townhouse: 'تاون هاوس',
  studio: 'استوديو',
  room: 'غرفة',
  residential_building: 'عمارة سكنية',
  rest_house: 'استراحة',
  chalet: 'شاليه',
  farm: 'مزرعة',
  land: 'أرض',
  commercial_land: 'أرض تجارية',
  commercial_building: 'عمارة تجارية',
  office: 'مكتب',
  shop: 'محل',
  showroom: 'معرض',
  warehouse: 'مستودع',
};

/** Plurals and spellings without hamza and with ha for ta marbuta. */
export const TYPES_AR_PLURAL: TypeWords = {
  apartment: 'شقق',
  villa: 'فلل',
  floor: 'أدوار',
  duplex: 'دوبلكسات',
  townhouse: 'تاون هاوس',
  studio: 'ستوديو',
  room: 'غرف',
  residential_building: 'عمارات سكنية',
  rest_house: 'استراحات',
  chalet: 'شاليهات',
  farm: 'مزارع',
  land: 'اراضي سكنية',
  commercial_land: 'اراضي تجارية',
  commercial_building: 'عمائر تجارية',
  office: 'مكاتب',
  shop: 'محلات تجارية',
  showroom: 'معارض',
  warehouse: 'مستودعات',
};

export const TYPES_AR_LOOSE: TypeWords = {
  apartment: 'شقه',
  villa: 'فيلا',
  floor: 'دور سكني',
  duplex: 'فيلا دوبلكس',
  townhouse: 'تاونهاوس',
  studio: 'ستديو',
  room: 'غرفه',
  residential_building: 'عماره',
  rest_house: 'استراحه',
  chalet: 'شالية',
  farm: 'مزرعه',
  land: 'ارض سكنيه',
  commercial_land: 'ارض تجاريه',
  commercial_building: 'عماره تجاريه',
  office: 'مكتب تجاري',
  shop: 'محل تجاري',
  showroom: 'صالة عرض',
  warehouse: 'مستودع',
};

export const TYPES_EN: TypeWords = {
  apartment: 'Apartment',
  villa: 'Villa',
  floor: 'Floor',
  duplex: 'Duplex',
  townhouse: 'Townhouse',
  studio: 'Studio',
  room: 'Room',
  residential_building: 'Residential Building',
  rest_house: 'Rest House',
  chalet: 'Chalet',
  farm: 'Farm',
  land: 'Residential Land',
  commercial_land: 'Commercial Land',
  commercial_building: 'Commercial Building',
  office: 'Office',
  shop: 'Shop',
  showroom: 'Showroom',
  warehouse: 'Warehouse',
};

export const TYPES_CODE: TypeWords = {
  apartment: 'flat',
  villa: 'villa',
  floor: 'villa-floor',
  duplex: 'duplex',
  townhouse: 'town-house',
  studio: 'studio',
  room: 'single-room',
  residential_building: 'building',
  rest_house: 'istiraha',
  chalet: 'chalet',
  farm: 'farm',
  land: 'plot',
  commercial_land: 'commercial-plot',
  commercial_building: 'commercial-building',
  office: 'office-space',
  shop: 'retail',
  showroom: 'show-room',
  warehouse: 'warehouse',
};

export type PeriodWords = Readonly<Record<RentFrequency, string>>;

export const PERIODS_AR: PeriodWords = {
  daily: 'يومي',
  weekly: 'أسبوعي',
  monthly: 'شهري',
  quarterly: 'ربع سنوي',
  semiannually: 'نصف سنوي',
  yearly: 'سنوي',
};

export const PERIODS_AR_NOUN: PeriodWords = {
  daily: 'يوميا',
  weekly: 'اسبوعيا',
  monthly: 'شهريا',
  quarterly: 'كل ثلاثة أشهر',
  semiannually: 'كل ستة أشهر',
  yearly: 'سنويا',
};

export const PERIODS_EN: PeriodWords = {
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  semiannually: 'Semi-annually',
  yearly: 'Yearly',
};

export const PERIODS_PER: PeriodWords = {
  daily: 'per day',
  weekly: 'per week',
  monthly: 'per month',
  quarterly: 'per quarter',
  semiannually: 'every 6 months',
  yearly: 'per year',
};

export type AmenityWords = Readonly<Record<Amenity, string>>;

export const AMENITIES_AR: AmenityWords = {
  ac: 'مكيف',
  kitchen: 'مطبخ',
  balcony: 'بلكونة',
  keyless_entry: 'دخول ذكي',
  parking: 'موقف سيارة',
  lift: 'مصعد',
  pool: 'مسبح',
  gym: 'نادي رياضي',
  garden: 'حديقة',
  maid_room: 'غرفة خادمة',
  driver_room: 'غرفة سائق',
  laundry_room: 'غرفة غسيل',
  storage: 'مخزن',
  basement: 'قبو',
  roof: 'سطح',
  annex: 'ملحق',
  private_entrance: 'مدخل خاص',
  security: 'حراسة أمنية',
  playground: 'ألعاب أطفال',
  fireplace: 'مشب',
  internal_stairs: 'درج داخلي',
  majlis: 'مجلس',
  fibre: 'ألياف بصرية',
  smart_home: 'منزل ذكي',
  pets_allowed: 'يسمح بالحيوانات الأليفة',
};

export const AMENITIES_EN: AmenityWords = {
  ac: 'Air conditioning',
  kitchen: 'Fitted kitchen',
  balcony: 'Balcony',
  keyless_entry: 'Keyless entry',
  parking: 'Parking',
  lift: 'Elevator',
  pool: 'Swimming pool',
  gym: 'Gym',
  garden: 'Garden',
  maid_room: 'Maid room',
  driver_room: 'Driver room',
  laundry_room: 'Laundry room',
  storage: 'Storage room',
  basement: 'Basement',
  roof: 'Roof',
  annex: 'Annex',
  private_entrance: 'Private entrance',
  security: 'Security',
  playground: 'Playground',
  fireplace: 'Fireplace',
  internal_stairs: 'Internal stairs',
  majlis: 'Majlis',
  fibre: 'Fibre internet',
  smart_home: 'Smart home',
  pets_allowed: 'Pets allowed',
};

export type AdvertiserWords = Readonly<Record<AdvertiserKind, string>>;

export const ADVERTISERS_AR: AdvertiserWords = {
  agency: 'شركة عقارية',
  developer: 'مطور عقاري',
  office: 'مكتب عقاري',
  owner: 'مالك',
  agent: 'وسيط عقاري',
};

export const ADVERTISERS_EN: AdvertiserWords = {
  agency: 'agency',
  developer: 'developer',
  office: 'office',
  owner: 'individual_owner',
  agent: 'broker',
};

/** Floors as advertisers name them, from the basement (-1) up; higher ones are written as numbers. */
export function floorAr(floor: number): string {
  return (
    ['قبو', 'أرضي', 'الأول', 'الثاني', 'الثالث', 'الرابع', 'الخامس', 'السادس', 'السابع', 'الثامن'][floor + 1] ??
    `الدور ${floor}`
  );
}

export function floorEn(floor: number): string {
  if (floor < 0) return 'Basement';
  if (floor === 0) return 'Ground floor';
  const suffix =
    floor % 10 === 1 && floor !== 11
      ? 'st'
      : floor % 10 === 2 && floor !== 12
        ? 'nd'
        : floor % 10 === 3 && floor !== 13
          ? 'rd'
          : 'th';
  return `${floor}${suffix} floor`;
}
