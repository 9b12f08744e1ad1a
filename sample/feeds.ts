import type { RentFrequency } from '#domain/listing-vocabulary.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { amenities, created, type Field, f, inside, part, photos, word, writeRow } from './fields.ts';
import type { Ad, Property } from './homes.ts';
import * as w from './words.ts';

interface SampleSource {
  source: string;
  kind: 'csv' | 'ndjson';
  /** Relative share of ads; 0 for units of off-plan projects. */
  weight: number;
  /** Rent periods, most frequent first. */
  periods: readonly RentFrequency[];
  /** Share of ads with a point. */
  points: number;
  /** Share of ads with an English description. */
  english?: number;
  delimiter?: ';' | '\t';
  byteOrderMark?: boolean;
  /** Selects the properties that the source advertises; defaults to all. */
  takes?: (property: Property) => boolean;
  /** Short stays, which cost more and are listed on one source. */
  stays?: boolean;
  /** Facts of all ads that have no column. */
  always?: Partial<RawListing>;
  columns: readonly Field[];
}

const COMMERCIAL = new Set(['office', 'shop', 'showroom', 'warehouse', 'commercial_land', 'commercial_building']);
const STAYS = new Set(['chalet', 'rest_house', 'studio', 'apartment', 'farm']);
const YEARLY = { price_period: 'yearly' };
const lower = (text: string): string => text.toLowerCase();
const named =
  (name: 'name_ar' | 'name_en' | 'slug') =>
  (place: Record<typeof name, string>): string =>
    place[name];
const hayy = ({ name_ar }: { name_ar: string }): string => `حي ${name_ar}`;
const purpose = (column: string, rent: string, sale: string): Field => f(column, 'purpose', word({ rent, sale }));
const city = (column: string, name: 'name_ar' | 'name_en' | 'slug'): Field => f(column, 'city', named(name));
const hay = (column: string, name: 'name_ar' | 'name_en'): Field => f(column, 'neighborhood', named(name));
const agent = (kind: string, key: string, words = w.ADVERTISERS_EN): Field[] => [
  f(kind, 'advertiser_type', word(words)),
  f(key, 'advertiser_key'),
];

/** Invented sources. The generator writes their feeds by this table, and ingest reads them. */
// biome-ignore format: a source is a block of few lines
const TABLE: readonly SampleSource[] = [
  // Arabic; numbers in Arabic digits, local times.
  { source: 'aqarna', kind: 'csv', byteOrderMark: true, weight: 15, points: 0.94, periods: ['yearly', 'semiannually', 'monthly'], columns: [
    f('id', 'source_listing_id'), f('link', 'url', (id) => `https://aqarna.invalid/ads/${id}`), f('title', 'title'), f('body', 'description'), purpose('purpose', 'للإيجار', 'للبيع'),
    f('type', 'property_type', word(w.TYPES_AR)), f('price', 'price', w.arabicThousands), f('period', 'price_period', word(w.PERIODS_AR)), f('area', 'area', (area) => `${w.arabicDigits(area)} م²`),
    f('rooms', 'bedrooms', w.arabicDigits), f('baths', 'bathrooms'), f('halls', 'livings'), f('floor', 'floor', w.floorAr), f('age', 'age_years', (age) => age || 'جديد'),
    amenities('features', w.AMENITIES_AR, '،'), city('city', 'name_ar'), f('district', 'neighborhood', hayy), f('lat', 'lat'), f('lng', 'lng'), f('street', 'street_width'), photos('images', '|'),
    ...agent('advertiser', 'advertiser_id', w.ADVERTISERS_AR), f('verified', 'verified', (yes) => (yes ? 'نعم' : 'لا')), created('created', w.isoRiyadh), f('updated', 'updated_at', w.isoRiyadh) ] },
  // English words with the Arabic text in a second field.
  { source: 'diyar_gulf', kind: 'ndjson', weight: 13, points: 0.97, english: 0.5, periods: ['yearly', 'monthly', 'quarterly'], columns: [
    f('reference', 'source_listing_id'), f('permalink', 'url', (id) => `https://diyar-gulf.invalid/property/${id}`), f('headline', 'title'), f('description_ar', 'description'),
    f('description_en', 'description_en'), purpose('purpose', 'For Rent', 'For Sale'), f('category', 'property_type', word(w.TYPES_EN)), f('price', 'price'), f('rent_frequency', 'price_period', word(w.PERIODS_EN)),
    f('size', 'area', (area) => `${w.thousands(area)} Sq. M.`), f('beds', 'bedrooms'), f('baths', 'bathrooms'), f('floor', 'floor', w.floorEn), f('completion_age', 'age_years'),
    f('furnishing', 'furnished', (furnished) => (furnished ? 'Furnished' : 'Unfurnished')), amenities('amenities', w.AMENITIES_EN), city('city', 'name_en'), hay('district', 'name_en'),
    inside('geo', f('latitude', 'lat'), f('longitude', 'lng')), f('compound', 'compound_name'), part('project_id', 'project_id'), photos('photo_urls'),
    inside('agent', ...agent('type', 'key'), f('verified', 'verified')), part('mortgage', 'bank'), created('created_ts'), f('updated_ts', 'updated_at') ] },
  // Arabic; details of the home are in a nested object.
  { source: 'manzil_ksa', kind: 'ndjson', weight: 12, points: 0.96, periods: ['yearly', 'monthly'], columns: [
    f('ad_id', 'source_listing_id', Number), f('title', 'title'), f('content', 'description'), purpose('offer', 'إيجار', 'بيع'), f('sub_category', 'property_type', word(w.TYPES_PLURAL)),
    f('price_text', 'price', (price) => `${w.thousands(price)} ريال`), f('pay_every', 'price_period', word(w.PERIODS_NOUN)),
    inside('attributes', f('area', 'area', (area) => `${w.arabicDigits(area)} متر مربع`), f('bedrooms', 'bedrooms'), f('bathrooms', 'bathrooms'), f('lounges', 'livings'), f('floor', 'floor', w.floorAr),
      f('age', 'age_years', (age) => `${w.arabicDigits(age)} سنة`), f('furnished', 'furnished', Number), amenities('extras', w.AMENITIES_AR), f('street_width', 'street_width', (width) => `${width} م`)),
    city('city_name', 'name_ar'), hay('area_name', 'name_ar'), inside('location', f('lng', 'lng'), f('lat', 'lat')), photos('pictures'), inside('owner', ...agent('kind', 'ref', w.ADVERTISERS_AR)),
    f('is_verified', 'verified'), part('bank_accepted', 'bank'), created('created_at'), f('last_update', 'updated_at') ] },
  // An Arabic header and informal spelling; rents are yearly. No points, no update times.
  { source: 'dar_najd', kind: 'csv', delimiter: ';', weight: 7, points: 0, periods: ['yearly'], always: YEARLY, columns: [
    f('رقم الإعلان', 'source_listing_id'), f('العنوان', 'title'), f('الوصف', 'description'), purpose('الغرض', 'ايجار', 'بيع'), f('نوع العقار', 'property_type', word(w.TYPES_LOOSE)),
    f('السعر', 'price', w.arabicThousands), f('المساحة', 'area', w.arabicDigits), f('عدد الغرف', 'bedrooms', w.arabicDigits), f('دورات المياه', 'bathrooms', w.arabicDigits), f('الدور', 'floor', w.floorAr),
    f('عمر العقار', 'age_years', w.arabicDigits), amenities('المميزات', w.AMENITIES_AR, ' - '), city('المدينة', 'name_ar'), f('الحي', 'neighborhood', (place) => w.looseSpelling(hayy(place))),
    f('عرض الشارع', 'street_width', w.arabicDigits), photos('الصور', ' '), ...agent('المعلن', 'رمز المعلن', w.ADVERTISERS_AR), created('تاريخ الإضافة', (seconds) => w.isoUtc(seconds).slice(0, 10)) ] },
  // Short English codes; the location is only a point.
  { source: 'hayyak_homes', kind: 'ndjson', weight: 8, points: 1, periods: ['yearly', 'monthly'], columns: [
    f('uid', 'source_listing_id', (id) => `hh-${id}`), f('web', 'url', (id) => `https://hayyak.invalid/l/hh-${id}`), f('name', 'title'), f('about', 'description'), purpose('deal', 'rent', 'sale'),
    f('kind', 'property_type', word(w.TYPES_CODE)), f('amount', 'price'), f('per', 'price_period', word(w.PERIODS_EN, lower)), f('m2', 'area'), f('br', 'bedrooms'), f('ba', 'bathrooms'), f('storey', 'floor'),
    f('built_years_ago', 'age_years'), amenities('tags', w.AMENITIES_EN), f('lat', 'lat'), f('lon', 'lng'), photos('media'), ...agent('by', 'by_id'), created('posted', w.isoUtc), f('modified', 'updated_at', w.isoUtc) ] },
  // English codes in capitals.
  { source: 'safwat_dur', kind: 'ndjson', weight: 9, points: 0.9, english: 0.4, periods: ['monthly', 'yearly'], columns: [
    f('listingId', 'source_listing_id'), f('titleAr', 'title'), f('textAr', 'description'), f('textEn', 'description_en'), purpose('transaction', 'RENT', 'SALE'),
    f('propertyType', 'property_type', word(w.TYPES_EN, (word) => word.toUpperCase().replaceAll(' ', '_'))), f('price', 'price'), f('priceUnit', 'price_period', (period) => period.toUpperCase()), f('areaSqm', 'area'), f('bedrooms', 'bedrooms'), f('bathrooms', 'bathrooms'),
    f('livingRooms', 'livings'), f('floorNumber', 'floor'), f('ageYears', 'age_years'), f('furnished', 'furnished'), amenities('features', w.AMENITIES_EN), city('cityName', 'name_en'),
    f('districtName', 'neighborhood', ({ name_en }) => `${name_en} Dist.`), f('latitude', 'lat'), f('longitude', 'lng'), f('compoundName', 'compound_name'), photos('images'), inside('publisher', ...agent('type', 'id')),
    part('payLaterMonthly', 'pay_later'), f('verified', 'verified'), created('createdAt', w.isoUtc), f('updatedAt', 'updated_at', w.isoUtc) ] },
  // English; rents are yearly. There are no points.
  { source: 'qasr_listings', kind: 'csv', weight: 6, points: 0, periods: ['yearly'], always: YEARLY, columns: [
    f('Ref', 'source_listing_id'), f('Title', 'title'), f('Description', 'description'), purpose('Purpose', 'Rent', 'Sale'), f('Type', 'property_type', word(w.TYPES_EN)), f('Price', 'price', w.thousands),
    f('Area', 'area', (area) => `${w.thousands(area)} Sq. M.`), f('Beds', 'bedrooms'), f('Baths', 'bathrooms'), f('Floor', 'floor', w.floorEn), amenities('Amenities', w.AMENITIES_EN, '; '), city('City', 'name_en'), hay('District', 'name_en'),
    photos('Photos', ' | '), ...agent('Agent Type', 'Agent Key'), created('Added', w.isoUtc), f('Updated', 'updated_at', w.isoUtc) ] },
  // Informal spelling, without titles; all numbers are text.
  { source: 'rukn_estates', kind: 'ndjson', weight: 7, points: 0.92, periods: ['yearly', 'quarterly', 'monthly'], columns: [
    f('id', 'source_listing_id'), f('url', 'url', (id) => `https://rukn.invalid/${id}`), f('text', 'description'), purpose('purpose', 'تأجير', 'للبيع'), f('type', 'property_type', word(w.TYPES_LOOSE)),
    f('price', 'price', w.arabicThousands), f('cycle', 'price_period', word(w.PERIODS_AR)), f('area', 'area', (area) => `${w.arabicDigits(area)}م`), f('rooms', 'bedrooms'), f('wc', 'bathrooms'),
    f('salas', 'livings'), f('floor', 'floor', w.floorAr), f('age', 'age_years'), f('furnished', 'furnished', (furnished) => (furnished ? 'مفروشة' : 'غير مفروشة')), amenities('features', w.AMENITIES_AR),
    city('city', 'name_ar'), f('hay', 'neighborhood', ({ name_ar }) => w.looseSpelling(name_ar)), f('lat', 'lat', String), f('lng', 'lng', String), photos('photos'),
    ...agent('office_kind', 'office', w.ADVERTISERS_AR), created('created', String), f('updated', 'updated_at', String) ] },
  // Arabic; the floor and age are in an object with Arabic keys.
  { source: 'wateed_aqari', kind: 'ndjson', weight: 8, points: 0.95, periods: ['yearly', 'semiannually', 'monthly', 'weekly'], columns: [
    f('code', 'source_listing_id', (id) => `W${id}`), f('subject', 'title'), f('details', 'description'), purpose('op', 'للايجار', 'للبيع'), f('unit', 'property_type', word(w.TYPES_AR)), f('price', 'price'),
    f('rent_type', 'price_period', word(w.PERIODS_AR)), f('space', 'area', String),
    inside('specs', f('غرف النوم', 'bedrooms'), f('دورات المياه', 'bathrooms'), f('الصالات', 'livings'), f('الدور', 'floor', w.floorAr), f('عمر العقار', 'age_years')),
    amenities('services', w.AMENITIES_AR), city('city', 'name_ar'), f('district', 'neighborhood', hayy), inside('map', f('y', 'lat'), f('x', 'lng')), f('compound', 'compound_name'), photos('gallery'),
    inside('advertiser', ...agent('role', 'code', w.ADVERTISERS_AR)), f('licensed', 'verified', (yes) => (yes ? 'مرخص' : 'غير مرخص')), created('add_date', w.isoRiyadh), f('edit_date', 'updated_at', w.isoRiyadh) ] },
  // English; rents are yearly, areas in square feet, amenities in one text.
  { source: 'tiraz_property', kind: 'ndjson', weight: 5, points: 0.9, english: 0.8, periods: ['yearly'], always: YEARLY, columns: [
    f('ref', 'source_listing_id'), f('title', 'title'), f('description', 'description'), f('description_english', 'description_en'), purpose('offering', 'Lease', 'Sell'), f('type', 'property_type', word(w.TYPES_EN)),
    f('price', 'price', (price) => `SAR ${w.thousands(price)}`), f('size', 'area', (area) => `${w.thousands(Math.round(area * 10.7639))} sqft`), f('bedrooms', 'bedrooms'), f('bathrooms', 'bathrooms'),
    f('floor', 'floor', w.floorEn), amenities('features', w.AMENITIES_EN, ', '), city('emirate_or_city', 'name_en'), f('community', 'neighborhood', ({ name_en }) => `${name_en} District`), f('latitude', 'lat'),
    f('longitude', 'lng'), photos('image_list'), ...agent('agent_type', 'agent_id'), created('listed'), f('updated', 'updated_at') ] },
  // Short-term rentals, English codes.
  { source: 'rimal_rentals', kind: 'ndjson', weight: 9, points: 1, periods: ['daily', 'weekly', 'monthly'], stays: true, always: { purpose: 'rent' },
    takes: ({ listing_type, property_type }) => listing_type === 'rent' && STAYS.has(property_type), columns: [
    f('stay_id', 'source_listing_id'), f('title', 'title'), f('description', 'description'), f('stay_type', 'property_type', word(w.TYPES_CODE)), f('rate', 'price'), f('rate_unit', 'price_period', word(w.PERIODS_PER)),
    f('sqm', 'area'), f('bedrooms', 'bedrooms'), f('bathrooms', 'bathrooms'), f('furnished', 'furnished'), amenities('perks', w.AMENITIES_EN), city('city', 'slug'), inside('at', f('lat', 'lat'), f('lng', 'lng')),
    photos('pictures'), ...agent('host_type', 'host'), created('since', w.isoUtc), f('changed', 'updated_at', w.isoUtc) ] },
  // Commercial property; rents are yearly.
  { source: 'zawaya_offices', kind: 'ndjson', weight: 10, points: 0.95, periods: ['yearly'], takes: ({ property_type }) => COMMERCIAL.has(property_type), always: YEARLY, columns: [
    f('space_id', 'source_listing_id'), f('title', 'title'), f('description', 'description'), purpose('lease_or_sale', 'lease', 'sale'), f('space_type', 'property_type', word(w.TYPES_CODE)), f('price_sar', 'price'),
    f('area', 'area', (area) => `${area} sqm`), f('floor', 'floor'), f('fit_out_age', 'age_years'), amenities('features', w.AMENITIES_EN), city('city_ar', 'name_ar'), hay('district_ar', 'name_ar'), f('lat', 'lat'),
    f('lng', 'lng'), f('street_width', 'street_width'), photos('photos'), ...agent('broker_type', 'broker'), created('created'), f('updated', 'updated_at') ] },
  // Homes in towers and compounds, with the periods in which the rent may be paid.
  { source: 'burj_living', kind: 'ndjson', weight: 14, points: 1, english: 0.7, periods: ['yearly', 'quarterly', 'monthly'], takes: ({ compound }) => compound !== null, columns: [
    f('unit_id', 'source_listing_id'), f('name', 'title'), inside('about', f('ar', 'description'), f('en', 'description_en')), purpose('offer', 'rent', 'sale'), f('unit_type', 'property_type', word(w.TYPES_EN)),
    f('asking_price', 'price'), f('paid', 'price_period', word(w.PERIODS_EN)), part('payment_plans', 'payment_plans'), part('pay_later_from', 'pay_later'), f('net_area', 'area'), f('bedrooms', 'bedrooms'), f('bathrooms', 'bathrooms'),
    f('storey', 'floor'), f('furnished', 'furnished'), amenities('facilities', w.AMENITIES_EN), city('city', 'name_en'), hay('district', 'name_en'), f('compound', 'compound_name'),
    inside('position', f('lat', 'lat'), f('lng', 'lng')), photos('pictures'), ...agent('operator_type', 'operator'), f('inspected', 'verified'), created('created', w.isoUtc), f('updated', 'updated_at', w.isoUtc) ] },
  // Homes and land for sale, with their project and whether bank financing is accepted.
  { source: 'tamleek_homes', kind: 'ndjson', weight: 7, points: 0.98, english: 0.3, periods: ['yearly'], takes: ({ listing_type }) => listing_type === 'sale', always: { purpose: 'sale' }, columns: [
    f('no', 'source_listing_id'), f('title', 'title'), f('text', 'description'), f('text_en', 'description_en'), f('kind', 'property_type', word(w.TYPES_CODE)), f('total_sar', 'price'), f('sqm', 'area'), f('rooms', 'bedrooms'),
    f('baths', 'bathrooms'), f('halls', 'livings'), f('age', 'age_years'), f('street', 'street_width'), amenities('features', w.AMENITIES_EN), city('city', 'slug'), hay('district', 'name_ar'), f('lat', 'lat'), f('lng', 'lng'),
    part('project', 'project_id'), part('bank', 'bank'), photos('images'), inside('seller', ...agent('kind', 'key')), f('licensed', 'verified'), created('listed'), f('changed', 'updated_at') ] },
  // Units of off-plan projects, which they reference by the ids in the source's project feed.
  { source: 'masar_projects', kind: 'ndjson', weight: 0, points: 1, periods: ['yearly'], always: { ...YEARLY, advertiser_type: 'developer' }, columns: [
    f('unit_no', 'source_listing_id'), part('project_no', 'project_id'), f('title', 'title'), f('description', 'description'), purpose('offer', 'for rent', 'for sale'), f('kind', 'property_type', word(w.TYPES_EN)), f('price', 'price'),
    f('area', 'area'), f('bedrooms', 'bedrooms'), f('bathrooms', 'bathrooms'), f('living_rooms', 'livings'), f('floor', 'floor'), f('age', 'age_years'), amenities('amenities', w.AMENITIES_EN), city('city', 'name_en'),
    hay('district', 'name_en'), f('lat', 'lat'), f('lng', 'lng'), photos('photos') ] },
  // Units of new developments from brokers, with the name and developer of the project. No update times.
  { source: 'bayt_jadid', kind: 'csv', weight: 0, points: 1, periods: ['yearly'], always: YEARLY, columns: [
    f('id', 'source_listing_id'), f('title', 'title'), f('text', 'description'), purpose('offer', 'للإيجار', 'للبيع'), f('type', 'property_type', word(w.TYPES_AR)), f('price', 'price'), f('area', 'area'), f('rooms', 'bedrooms'),
    f('baths', 'bathrooms'), f('floor', 'floor'), amenities('features', w.AMENITIES_AR, '،'), city('city', 'name_ar'), hay('district', 'name_ar'), f('lat', 'lat'), f('lng', 'lng'), part('project', 'project_name'), part('developer', 'developer'),
    photos('images', '|'), f('advertiser', 'advertiser_type', word(w.ADVERTISERS_AR)) ] },
];

export type FeedLayout = SampleSource & ReturnType<typeof accessTo>;

export const FEEDS: readonly FeedLayout[] = TABLE.map((source) => ({ ...source, ...accessTo(source) }));

export const feedOf = (name: string): FeedLayout => FEEDS.find(({ source }) => source === name) as FeedLayout;

function accessTo({ source, always, columns }: SampleSource) {
  const columnOf = (of: keyof RawListing): string | undefined => columns.find((field) => field.of === of)?.column;
  const required = (['source_listing_id', 'property_type', 'price', 'city', 'purpose'] as const).map(columnOf);
  return {
    required: required.filter((column) => column !== undefined),
    columnOf,
    row: (ad: Ad) => writeRow(columns, ad),
    read: (row: Readonly<Record<string, unknown>>): RawListing => {
      const raw: RawListing = { source_listing_id: '', purpose: '', property_type: '', ...always };
      for (const { column, read } of columns) read(row[column], raw);
      // Not every feed has a column for it.
      raw.url ||= `https://${source.replaceAll('_', '-')}.example/ads/${encodeURIComponent(raw.source_listing_id)}`;
      return raw;
    },
  };
}
