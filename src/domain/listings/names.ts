import { component, type JsonSchema, object, string } from '../json-schema.ts';
import {
  type AdvertiserType,
  type Amenity,
  type FloorClass,
  type ListingCategory,
  type ListingType,
  type PostedFrequency,
  PROPERTY_TYPE_TABLE,
  PROPERTY_TYPES,
  type PropertyType,
  type QualityFlag,
  type RentFrequency,
} from './vocabulary.ts';

export interface Names {
  name_en: string;
  name_ar: string;
}

/** Names of each value of an enumeration. */
export type NamesOf<Value extends string> = Readonly<Record<Value, Names>>;

export const NAMES_SCHEMA: JsonSchema = component('Names', {
  type: 'object',
  additionalProperties: object({ name_en: string, name_ar: string }),
});

export const named = (name_en: string, name_ar: string): Names => ({ name_en, name_ar });

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

/** Names of the enum values in both languages. The types require names for each value. */
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
  amenities: {
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
  } satisfies NamesOf<Amenity>,
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
  quality_flags: {
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
  } satisfies NamesOf<QualityFlag>,
} as const satisfies Readonly<Record<string, NamesOf<string>>>;
