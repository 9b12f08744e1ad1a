import { type NamesOf, named } from '../named.ts';
import {
  type AdvertiserType,
  AMENITY_NAMES,
  type FloorClass,
  type ListingCategory,
  type ListingType,
  type PostedFrequency,
  PROPERTY_TYPE_TABLE,
  PROPERTY_TYPES,
  type PropertyType,
  QUALITY_FLAG_NAMES,
  type RentFrequency,
} from './vocabulary.ts';

const rentFrequencies: NamesOf<RentFrequency> = {
  daily: named('Daily', 'يومي'),
  weekly: named('Weekly', 'أسبوعي'),
  monthly: named('Monthly', 'شهري'),
  quarterly: named('Quarterly', 'ربع سنوي'),
  semiannually: named('Every six months', 'نصف سنوي'),
  yearly: named('Yearly', 'سنوي'),
};

const propertyTypes = Object.fromEntries(
  PROPERTY_TYPES.map((type) => [type, named(PROPERTY_TYPE_TABLE[type].name_en, PROPERTY_TYPE_TABLE[type].name_ar)]),
) as NamesOf<PropertyType>;

/** Names of the enum values in both languages. The types require names for every value. */
export const NAMES = {
  listing_types: {
    rent: named('For rent', 'للإيجار'),
    sale: named('For sale', 'للبيع'),
  } satisfies NamesOf<ListingType>,
  listing_categories: {
    residential: named('Residential', 'سكني'),
    commercial: named('Commercial', 'تجاري'),
  } satisfies NamesOf<ListingCategory>,
  property_types: propertyTypes,
  rent_frequencies: rentFrequencies,
  price_frequencies: {
    ...rentFrequencies,
    total: named('Total price', 'السعر الإجمالي'),
    per_sqm: named('Per square meter', 'للمتر المربع'),
  } satisfies NamesOf<PostedFrequency>,
  amenities: AMENITY_NAMES,
  floors: {
    basement: named('Basement', 'قبو'),
    ground: named('Ground floor', 'الدور الأرضي'),
    upper: named('Upper floor', 'دور علوي'),
    roof: named('Roof', 'السطح'),
  } satisfies NamesOf<FloorClass>,
  advertiser_types: {
    company: named('Company', 'شركة'),
    individual: named('Individual', 'فرد'),
  } satisfies NamesOf<AdvertiserType>,
  quality_flags: QUALITY_FLAG_NAMES,
} as const satisfies Readonly<Record<string, NamesOf<string>>>;
