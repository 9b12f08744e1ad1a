import { type NamesOf, named } from '../named.ts';

/** `GET /enums`, the schemas, the OpenAPI document and the normalizer use these values. */

const LISTING_TYPE_NAMES = { rent: named('For rent', 'للإيجار'), sale: named('For sale', 'للبيع') } as const;
export type ListingType = keyof typeof LISTING_TYPE_NAMES;
export const LISTING_TYPES = Object.keys(LISTING_TYPE_NAMES) as ListingType[];

const CATEGORY_NAMES = {
  residential: named('Residential', 'سكني'),
  commercial: named('Commercial', 'تجاري'),
} as const;
export type ListingCategory = keyof typeof CATEGORY_NAMES;
export const LISTING_CATEGORIES = Object.keys(CATEGORY_NAMES) as ListingCategory[];

/** Listings of `land` types need no photo and have no rooms. */
export const PROPERTY_TYPE_TABLE = {
  apartment: { category: 'residential', name_en: 'Apartment', name_ar: 'شقة' },
  villa: { category: 'residential', name_en: 'Villa', name_ar: 'فيلا' },
  floor: { category: 'residential', name_en: 'Floor', name_ar: 'دور' },
  duplex: { category: 'residential', name_en: 'Duplex', name_ar: 'دوبلكس' },
  townhouse: { category: 'residential', name_en: 'Townhouse', name_ar: 'تاون هاوس' },
  studio: { category: 'residential', name_en: 'Studio', name_ar: 'استوديو' },
  room: { category: 'residential', name_en: 'Room', name_ar: 'غرفة' },
  residential_building: { category: 'residential', name_en: 'Residential building', name_ar: 'عمارة سكنية' },
  rest_house: { category: 'residential', name_en: 'Rest house', name_ar: 'استراحة' },
  chalet: { category: 'residential', name_en: 'Chalet', name_ar: 'شاليه' },
  farm: { category: 'residential', name_en: 'Farm', name_ar: 'مزرعة' },
  land: { category: 'residential', name_en: 'Land', name_ar: 'أرض' },
  commercial_land: { category: 'commercial', name_en: 'Commercial land', name_ar: 'أرض تجارية' },
  commercial_building: { category: 'commercial', name_en: 'Commercial building', name_ar: 'عمارة تجارية' },
  office: { category: 'commercial', name_en: 'Office', name_ar: 'مكتب' },
  shop: { category: 'commercial', name_en: 'Shop', name_ar: 'محل' },
  showroom: { category: 'commercial', name_en: 'Showroom', name_ar: 'معرض' },
  warehouse: { category: 'commercial', name_en: 'Warehouse', name_ar: 'مستودع' },
} as const satisfies Record<string, { category: ListingCategory; name_en: string; name_ar: string }>;

export type PropertyType = keyof typeof PROPERTY_TYPE_TABLE;
export const PROPERTY_TYPES = Object.keys(PROPERTY_TYPE_TABLE) as PropertyType[];

/** Types with one household per unit. Rental yields cover these by default. */
export const HOME_TYPES = [
  'apartment',
  'villa',
  'floor',
  'duplex',
  'townhouse',
  'studio',
] as const satisfies readonly PropertyType[];

/** Listings of these types need no photo. */
export const LAND_TYPES: ReadonlySet<PropertyType> = new Set<PropertyType>(['land', 'commercial_land']);

const RENT_FREQUENCY_NAMES = {
  daily: named('Daily', 'يومي'),
  weekly: named('Weekly', 'أسبوعي'),
  monthly: named('Monthly', 'شهري'),
  quarterly: named('Quarterly', 'ربع سنوي'),
  semiannually: named('Every six months', 'نصف سنوي'),
  yearly: named('Yearly', 'سنوي'),
} as const;
export type RentFrequency = keyof typeof RENT_FREQUENCY_NAMES;
export const RENT_FREQUENCIES = Object.keys(RENT_FREQUENCY_NAMES) as RentFrequency[];

/** Payments per year. The posted amount multiplied by this number is `price.yearly_sar`. */
export const PAYMENTS_PER_YEAR: Readonly<Record<RentFrequency, number>> = {
  daily: 365,
  weekly: 52,
  monthly: 12,
  quarterly: 4,
  semiannually: 2,
  yearly: 1,
};

/** Value of `price.as_posted.frequency` for the total price of a sale. */
export const SALE_FREQUENCY = 'total';
/** `price.as_posted.frequency` of an amount per square meter: a sale price or a yearly rent. */
export const PER_SQM = 'per_sqm';
export const POSTED_FREQUENCIES = [...RENT_FREQUENCIES, SALE_FREQUENCY, PER_SQM] as const;
export type PostedFrequency = (typeof POSTED_FREQUENCIES)[number];

/** Findings that users need before they decide. All flags up to `sold` are detected in the advertiser's text. */
const QUALITY_FLAG_NAMES = {
  text_price_differs: named('Text states another price', 'السعر في النص مختلف'),
  partial_price: named('Price of a part', 'السعر لجزء من العقار'),
  starting_price: named('Starting price', 'سعر يبدأ من'),
  area_from_text: named('Area corrected from the text', 'المساحة مصححة من النص'),
  text_contradicts: named('Text of something else', 'النص لعقار آخر'),
  sold: named('Sold or let', 'مباع أو مؤجر'),
  shared_photos: named('Photos of another property', 'صور مشتركة مع عقار آخر'),
  price_per_sqm_converted: named('Price converted from square meters', 'سعر محسوب من سعر المتر'),
  relisted: named('Relisted', 'معاد نشره'),
  far_below_comparables: named('Far below comparables', 'أقل كثيرا من العقارات المشابهة'),
} as const;
export type QualityFlag = keyof typeof QUALITY_FLAG_NAMES;
export const QUALITY_FLAGS = Object.keys(QUALITY_FLAG_NAMES) as QualityFlag[];
/** In ads with these flags, the text contradicts the posted price. They are excluded from deals. */
export const NOT_WHOLE_PRICE_FLAGS = [
  'text_price_differs',
  'partial_price',
  'starting_price',
  'text_contradicts',
  'sold',
] as const satisfies readonly QualityFlag[];

const AMENITY_NAMES = {
  ac: named('Air conditioning', 'تكييف'),
  kitchen: named('Fitted kitchen', 'مطبخ راكب'),
  balcony: named('Balcony', 'شرفة'),
  keyless_entry: named('Keyless entry', 'دخول ذكي'),
  parking: named('Parking', 'موقف سيارات'),
  lift: named('Lift', 'مصعد'),
  pool: named('Swimming pool', 'مسبح'),
  gym: named('Gym', 'نادي رياضي'),
  garden: named('Garden', 'حديقة'),
  maid_room: named("Maid's room", 'غرفة خادمة'),
  driver_room: named("Driver's room", 'غرفة سائق'),
  laundry_room: named('Laundry room', 'غرفة غسيل'),
  storage: named('Storage room', 'مستودع'),
  basement: named('Basement', 'قبو'),
  roof: named('Private roof', 'سطح خاص'),
  annex: named('Annex', 'ملحق'),
  private_entrance: named('Private entrance', 'مدخل خاص'),
  security: named('Security', 'حراسة أمنية'),
  playground: named('Playground', 'ملعب أطفال'),
  fireplace: named('Fireplace', 'مدفأة'),
  internal_stairs: named('Internal stairs', 'درج داخلي'),
  majlis: named('Majlis', 'مجلس'),
  fibre: named('Fibre internet', 'ألياف بصرية'),
  smart_home: named('Smart home', 'منزل ذكي'),
  pets_allowed: named('Pets allowed', 'يسمح بالحيوانات الأليفة'),
} as const;
export type Amenity = keyof typeof AMENITY_NAMES;
export const AMENITIES = Object.keys(AMENITY_NAMES) as Amenity[];

/** A listing may have several (a roof annex is also upper) or none. */
const FLOOR_NAMES = {
  basement: named('Basement', 'قبو'),
  ground: named('Ground floor', 'الدور الأرضي'),
  upper: named('Upper floor', 'دور علوي'),
  roof: named('Roof', 'السطح'),
} as const;
export type FloorClass = keyof typeof FLOOR_NAMES;
export const FLOOR_CLASSES = Object.keys(FLOOR_NAMES) as FloorClass[];

/** Derived types. In contrast, `advertiser.type` in a listing is the source's own wording. */
const ADVERTISER_NAMES = { company: named('Company', 'شركة'), individual: named('Individual', 'فرد') } as const;
export type AdvertiserType = keyof typeof ADVERTISER_NAMES;
export const ADVERTISER_TYPES = Object.keys(ADVERTISER_NAMES) as AdvertiserType[];

export const NAMES = {
  listing_types: LISTING_TYPE_NAMES,
  listing_categories: CATEGORY_NAMES,
  property_types: Object.fromEntries(
    Object.entries(PROPERTY_TYPE_TABLE).map(([type, { name_en, name_ar }]) => [type, named(name_en, name_ar)]),
  ) as NamesOf<PropertyType>,
  rent_frequencies: RENT_FREQUENCY_NAMES,
  price_frequencies: {
    ...RENT_FREQUENCY_NAMES,
    total: named('Total price', 'السعر الإجمالي'),
    per_sqm: named('Per square meter', 'للمتر المربع'),
  } satisfies NamesOf<PostedFrequency>,
  amenities: AMENITY_NAMES,
  floors: FLOOR_NAMES,
  advertiser_types: ADVERTISER_NAMES,
  quality_flags: QUALITY_FLAG_NAMES,
} as const satisfies Readonly<Record<string, NamesOf<string>>>;
