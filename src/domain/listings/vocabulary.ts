/**
 * The closed vocabularies of the service: all enumerated values of listings and filters. `GET /enums`, the ajv schemas, the
 * OpenAPI document and the normalizer use these definitions.
 */

export const LISTING_TYPES = ['rent', 'sale'] as const;
export type ListingType = (typeof LISTING_TYPES)[number];

export const LISTING_CATEGORIES = ['residential', 'commercial'] as const;
export type ListingCategory = (typeof LISTING_CATEGORIES)[number];

/** Every property type with its category and its names; `land` types need no photo and have no rooms. */
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

/** Types with one household per unit. Rental yields without a `property_type` cover these types. */
export const HOME_TYPES = [
  'apartment',
  'villa',
  'floor',
  'duplex',
  'townhouse',
  'studio',
] as const satisfies readonly PropertyType[];

/** Land is exempt from the photo requirement. */
export const LAND_TYPES: ReadonlySet<PropertyType> = new Set<PropertyType>(['land', 'commercial_land']);

export const RENT_FREQUENCIES = ['daily', 'weekly', 'monthly', 'quarterly', 'semiannually', 'yearly'] as const;
export type RentFrequency = (typeof RENT_FREQUENCIES)[number];

/** Payments per year of each rent frequency: the factor from the posted amount to `price.yearly_sar`. */
export const PAYMENTS_PER_YEAR: Readonly<Record<RentFrequency, number>> = {
  daily: 365,
  weekly: 52,
  monthly: 12,
  quarterly: 4,
  semiannually: 2,
  yearly: 1,
};

/** `price.as_posted.frequency` of a sale: the total price. */
export const SALE_FREQUENCY = 'total';
/** `price.as_posted.frequency` of an amount per square meter: of a sale, or of a yearly rent. */
export const PER_SQM = 'per_sqm';
export const POSTED_FREQUENCIES = [...RENT_FREQUENCIES, SALE_FREQUENCY, PER_SQM] as const;
export type PostedFrequency = (typeof POSTED_FREQUENCIES)[number];

/** Quality flags: findings that users should know before deciding. All up to `sold` are read from the advertiser's text. */
export const QUALITY_FLAGS = [
  'text_price_differs',
  'partial_price',
  'starting_price',
  'area_from_text',
  'text_contradicts',
  'sold',
  'shared_photos',
  'price_per_sqm_converted',
  'relisted',
  'far_below_comparables',
] as const;
/** Flags of ads whose text contradicts the posted price. These ads are not deals. */
export const NOT_WHOLE_PRICE_FLAGS = [
  'text_price_differs',
  'partial_price',
  'starting_price',
  'text_contradicts',
  'sold',
] as const satisfies readonly (typeof QUALITY_FLAGS)[number][];
export type QualityFlag = (typeof QUALITY_FLAGS)[number];

export const AMENITIES = [
  'ac',
  'kitchen',
  'balcony',
  'keyless_entry',
  'parking',
  'lift',
  'pool',
  'gym',
  'garden',
  'maid_room',
  'driver_room',
  'laundry_room',
  'storage',
  'basement',
  'roof',
  'annex',
  'private_entrance',
  'security',
  'playground',
  'fireplace',
  'internal_stairs',
  'majlis',
  'fibre',
  'smart_home',
  'pets_allowed',
] as const;
export type Amenity = (typeof AMENITIES)[number];

/** Values of the `floor` filter. A listing may have several (a roof annex is also upper) or none. */
export const FLOOR_CLASSES = ['basement', 'ground', 'upper', 'roof'] as const;
export type FloorClass = (typeof FLOOR_CLASSES)[number];

/** Values of the `advertiser_type` filter; `advertiser.type` in a listing is the source's own wording. */
export const ADVERTISER_TYPES = ['company', 'individual'] as const;
export type AdvertiserType = (typeof ADVERTISER_TYPES)[number];
