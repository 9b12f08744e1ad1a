import type { RentFrequency } from '#domain/listings/vocabulary.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { record, scalar, split, text } from '#ingest/sources/kinds/fields.ts';
import type { Ad, Property } from './ad.ts';
import * as f from './feed-fields.ts';
import { arabicDigits, arabicThousands, isoRiyadh, isoUtc, looseSpelling, thousands } from './formats.ts';
import * as w from './words.ts';

/** A source in the sample: its feed format, and the properties that it advertises. */
interface SampleSource {
  source: string;
  kind: 'csv' | 'ndjson' | 'paged';
  /** Relative share of all ads. */
  weight: number;
  /** Rent periods that the source uses, most frequent first. */
  periods: readonly RentFrequency[];
  /** Share of the source's ads with a point. */
  points: number;
  /** Share of the source's ads that also have an English description. */
  english?: number;
  /** Only for CSV. Defaults to a comma. */
  delimiter?: ';' | '\t';
  byteOrderMark?: boolean;
  /** Only for paged feeds: the shape of a page. */
  envelope?: 'next_link' | 'total_pages' | 'result';
  /** Selects the properties that the source advertises; defaults to all. */
  takes?: (property: Property) => boolean;
  /** Whether rents are for short stays. In story samples they cost more and are listed on one source. */
  stays?: boolean;
  /** Weight in a story sample, if different. Prevents sources with few property types from being nearly empty. */
  storyWeight?: number;
  /** Whether the source exists only in story samples, so that benchmark samples do not change. */
  storyOnly?: boolean;
  /** Facts that apply to all of the source's ads but have no column. */
  always?: Partial<RawListing>;
  /** The columns of the feed, in order. */
  columns: readonly f.Field[];
}

export interface FeedLayout extends Omit<SampleSource, 'always' | 'columns'> {
  publishes_update_times: boolean;
  /** Required columns; a feed without them is refused. */
  required: readonly string[];
  /** Names of the columns in which faulty rows have their fault. */
  fields: { id: string; type: string; city: string | undefined };
  row: (ad: Ad) => Record<string, unknown>;
  read: (row: Readonly<Record<string, unknown>>) => RawListing;
}

const COMMERCIAL = new Set(['office', 'shop', 'showroom', 'warehouse', 'commercial_land', 'commercial_building']);
const COAST = new Set(['jeddah', 'dammam', 'khobar', 'dhahran', 'jubail', 'qatif', 'yanbu', 'jazan']);
const STAYS = new Set(['chalet', 'rest_house', 'studio', 'apartment', 'farm']);
const isHomeRent = (property: Property): boolean =>
  property.listing_type === 'rent' && !COMMERCIAL.has(property.property_type);
const yesAr = (yes: boolean): string => (yes ? 'نعم' : 'لا');
const furnishedAr = (furnished: boolean): string => (furnished ? 'مفروشة' : 'غير مفروشة');
const hayy = (name: string): string => `حي ${name}`;
const lower = (word: string): string => word.toLowerCase();
const OWNER_OR_FIRM = { owner: 'فرد', agency: 'منشأة', developer: 'منشأة', office: 'منشأة', agent: 'منشأة' };

/** `neighborhood, city` in one cell. */
const QASR_PLACE: f.Field = {
  column: 'Location',
  of: 'city',
  write: ({ property }) => `${property.neighborhood.name_en}, ${property.city.name_en}`,
  read: (value, raw) => {
    const place = split(text(value) ?? '', ',');
    raw.city = place.at(-1) ?? null;
    raw.neighborhood = place.length > 1 ? (place[0] ?? null) : null;
  },
};

/** Amount and period in one object. */
const SAFWAT_PRICE: f.Field = {
  column: 'price',
  of: 'price',
  write: ({ price, frequency }) =>
    price === null ? null : { value: price, unit: frequency?.toUpperCase() ?? 'TOTAL' },
  read: (value, raw) => {
    raw.price = scalar(record(value).value);
    raw.price_period = text(record(value).unit);
  },
};

/** All sample sources, which are invented. The generator writes their feeds by this table, and ingest reads them. */
// biome-ignore format: a source is a block of few lines
const TABLE: readonly SampleSource[] = [
  // Rents and sales, Arabic; numbers in Arabic digits, local times.
  { source: 'aqarna', kind: 'csv', byteOrderMark: true, weight: 14, points: 0.94, periods: ['yearly', 'semiannually', 'monthly'],
    columns: [
      f.id('id'), f.link('link', (id) => `https://aqarna.invalid/ads/${id}`), f.title('title'), f.description('body'),
      f.purpose('purpose', 'للإيجار', 'للبيع'), f.type('type', w.TYPES_AR), f.price('price', arabicThousands), f.period('period', w.PERIODS_AR),
      f.area('area', (area) => `${arabicDigits(area)} م²`), f.bedrooms('rooms', arabicDigits), f.bathrooms('baths'), f.livings('halls'),
      f.floor('floor', w.floorAr), f.age('age', (age) => age || 'جديد'), f.amenities('features', w.AMENITIES_AR, f.joined('،')),
      f.city('city', 'name_ar'), f.district('district', 'name_ar', hayy), f.lat('lat'), f.lng('lng'), f.street('street'), f.photos('images', f.joined('|')),
      f.advertiser('advertiser', w.ADVERTISERS_AR), f.advertiserKey('advertiser_id'), f.verified('verified', yesAr),
      f.created('created', isoRiyadh), f.updated('updated', isoRiyadh),
    ] },
  // Rents and sales, English words with the Arabic text in a second field.
  { source: 'diyar_gulf', kind: 'ndjson', weight: 12, points: 0.97, english: 0.5, periods: ['yearly', 'monthly', 'quarterly'],
    columns: [
      f.id('reference'), f.link('permalink', (id) => `https://diyar-gulf.invalid/property/${id}`), f.title('headline'),
      f.description('description_ar'), f.english('description_en'), f.purpose('purpose', 'For Rent', 'For Sale'), f.type('category', w.TYPES_EN),
      f.price('price'), f.period('rent_frequency', w.PERIODS_EN), f.area('size', (area) => `${thousands(area)} Sq. M.`), f.bedrooms('beds'), f.bathrooms('baths'),
      f.floor('floor', w.floorEn), f.age('completion_age'), f.furnished('furnishing', (furnished) => (furnished ? 'Furnished' : 'Unfurnished')),
      f.amenities('amenities', w.AMENITIES_EN), f.city('city', 'name_en'), f.district('district', 'name_en'), f.pointObject('geo', 'latitude', 'longitude'),
      f.compound('compound'), f.project('project_id'), f.photos('photo_urls'),
      f.inside('agent', [f.advertiser('type', w.ADVERTISERS_EN), f.advertiserKey('key'), f.verified('verified')]),
      f.bank('mortgage'), f.created('created_ts'), f.updated('updated_ts'),
    ] },
  // Rents and sales, Arabic, over HTTP; details of the home are in a nested object.
  { source: 'manzil_ksa', kind: 'paged', envelope: 'next_link', weight: 11, points: 0.96, periods: ['yearly', 'monthly'],
    columns: [
      f.id('ad_id', Number), f.title('title'), f.description('content'), f.purpose('offer', 'إيجار', 'بيع'), f.type('sub_category', w.TYPES_AR_PLURAL),
      f.price('price_text', (price) => `${thousands(price)} ريال`), f.period('pay_every', w.PERIODS_AR_NOUN),
      f.inside('attributes', [
        f.area('area', (area) => `${arabicDigits(area)} متر مربع`), f.bedrooms('bedrooms'), f.bathrooms('bathrooms'), f.livings('lounges'),
        f.floor('floor', w.floorAr), f.age('age', (age) => `${arabicDigits(age)} سنة`), f.furnished('furnished', Number),
        f.amenities('extras', w.AMENITIES_AR), f.street('street_width', (width) => `${width} م`),
      ]),
      f.city('city_name', 'name_ar'), f.district('area_name', 'name_ar'), f.pointPair('location', ['lng', 'lat']),
      f.photos('pictures', f.objects('url', (url, position) => ({ url, position }))),
      f.inside('owner', [f.advertiser('kind', w.ADVERTISERS_AR), f.advertiserKey('ref')]), f.verified('is_verified'), f.bank('bank_accepted', yesAr),
      f.created('created_at'), f.updated('last_update'),
    ] },
  // Rents and sales with an Arabic header and informal spelling; rents are yearly. No points, no update times.
  { source: 'dar_najd', kind: 'csv', delimiter: ';', weight: 7, points: 0, periods: ['yearly'], always: { price_period: 'yearly' },
    columns: [
      f.id('رقم الإعلان'), f.title('العنوان'), f.description('الوصف'), f.purpose('الغرض', 'ايجار', 'بيع'), f.type('نوع العقار', w.TYPES_AR_LOOSE),
      f.price('السعر', arabicThousands), f.area('المساحة', arabicDigits), f.bedrooms('عدد الغرف', arabicDigits), f.bathrooms('دورات المياه', arabicDigits),
      f.floor('الدور', w.floorAr), f.age('عمر العقار', arabicDigits), f.amenities('المميزات', w.AMENITIES_AR, f.joined(' - ')),
      f.city('المدينة', 'name_ar'), f.district('الحي', 'name_ar', (name) => looseSpelling(hayy(name))), f.street('عرض الشارع', arabicDigits),
      f.photos('الصور', f.joined(' ')), f.advertiser('المعلن', w.ADVERTISERS_AR), f.advertiserKey('رمز المعلن'),
      f.created('تاريخ الإضافة', (seconds) => isoUtc(seconds).slice(0, 10)),
    ] },
  // Rents and sales, in short English codes; the location is only a point.
  { source: 'hayyak_homes', kind: 'ndjson', weight: 7, points: 1, periods: ['yearly', 'monthly'],
    columns: [
      f.id('uid', (id) => `hh-${id}`), f.link('web', (id) => `https://hayyak.invalid/l/hh-${id}`), f.title('name'), f.description('about'),
      f.purpose('deal', 'rent', 'sale'), f.type('kind', w.TYPES_CODE), f.price('amount'), f.period('per', w.PERIODS_EN, lower), f.area('m2'),
      f.bedrooms('br'), f.bathrooms('ba'), f.floor('storey'), f.age('built_years_ago'), f.amenities('tags', w.AMENITIES_EN), f.lat('lat'), f.lng('lon'),
      f.photos('media'), f.advertiser('by', w.ADVERTISERS_EN), f.advertiserKey('by_id'), f.created('posted', isoUtc), f.updated('modified', isoUtc),
    ] },
  // Rents and sales, English codes in capitals, over HTTP; each amenity is a flag.
  { source: 'safwat_dur', kind: 'paged', envelope: 'total_pages', weight: 8, points: 0.9, english: 0.4, periods: ['monthly', 'yearly'],
    columns: [
      f.id('listingId'), f.title('titleAr'), f.description('textAr'), f.english('textEn'), f.purpose('transaction', 'RENT', 'SALE'),
      f.type('propertyType', w.TYPES_EN, (word) => word.toUpperCase().replaceAll(' ', '_')), SAFWAT_PRICE, f.area('areaSqm'), f.bedrooms('bedrooms'),
      f.bathrooms('bathrooms'), f.livings('livingRooms'), f.floor('floorNumber'), f.age('ageYears'), f.furnished('furnished'),
      ...f.amenityFlags({ hasAc: 'ac', hasKitchen: 'kitchen', hasElevator: 'lift', hasParking: 'parking', hasPool: 'pool', hasMaidRoom: 'maid_room', hasBalcony: 'balcony' }),
      f.city('cityName', 'name_en'), f.district('districtName', 'name_en', (name) => `${name} Dist.`), f.pointCell('coordinates', ','),
      f.compound('compoundName'), f.photos('images'), f.inside('publisher', [f.advertiserKey('id'), f.advertiser('type', w.ADVERTISERS_EN)]),
      f.payLater('payLaterMonthly'), f.verified('verified'), f.created('createdAt', isoUtc), f.updated('updatedAt', isoUtc),
    ] },
  // Rents and sales, English; rents are yearly. There are no points.
  { source: 'qasr_listings', kind: 'csv', weight: 6, points: 0, periods: ['yearly'], always: { price_period: 'yearly' },
    columns: [
      f.id('Ref'), f.title('Title'), f.description('Description'), f.purpose('Purpose', 'Rent', 'Sale'), f.type('Type', w.TYPES_EN), f.price('Price', thousands),
      f.area('Area', (area) => `${thousands(area)} Sq. M.`), f.bedrooms('Beds'), f.bathrooms('Baths'), f.floor('Floor', w.floorEn),
      f.amenities('Amenities', w.AMENITIES_EN, f.joined('; ')), QASR_PLACE, f.photos('Photos', f.joined(' | ')), f.advertiser('Agent Type', w.ADVERTISERS_EN),
      f.advertiserKey('Agent Key'), f.created('Added', isoUtc), f.updated('Updated', isoUtc),
    ] },
  // Rents and sales, Arabic with informal spelling, without titles; all numbers are text.
  { source: 'rukn_estates', kind: 'ndjson', weight: 6, points: 0.92, periods: ['yearly', 'quarterly', 'monthly'],
    columns: [
      f.id('id'), f.description('text'), f.purpose('purpose', 'تأجير', 'للبيع'), f.type('type', w.TYPES_AR_LOOSE), f.price('price', arabicThousands),
      f.period('cycle', w.PERIODS_AR), f.area('area', (area) => `${arabicDigits(area)}م`), f.bedrooms('rooms'), f.bathrooms('wc'), f.livings('salas'),
      f.floor('floor', w.floorAr), f.age('age'), f.furnished('furnished', furnishedAr), f.amenities('features', w.AMENITIES_AR), f.city('city', 'name_ar'),
      f.district('hay', 'name_ar', looseSpelling), f.lat('lat', String), f.lng('lng', String), f.photos('photos'), f.advertiserKey('office'),
      f.advertiser('office_kind', w.ADVERTISERS_AR), f.created('created', String), f.updated('updated', String),
    ] },
  // Rents and sales, Arabic, over HTTP; rooms, floor and age are a list of named values.
  { source: 'wateed_aqari', kind: 'paged', envelope: 'result', weight: 7, points: 0.95, periods: ['yearly', 'semiannually', 'monthly', 'weekly'],
    columns: [
      f.id('code', (id) => `W${id}`), f.title('subject'), f.description('details'), f.purpose('op', 'للايجار', 'للبيع'), f.type('unit', w.TYPES_AR), f.price('price'),
      f.period('rent_type', w.PERIODS_AR), f.area('space', String),
      f.named('specs', [f.bedrooms('غرف النوم'), f.bathrooms('دورات المياه'), f.livings('الصالات'), f.floor('الدور', w.floorAr), f.age('عمر العقار')]),
      f.amenities('services', w.AMENITIES_AR), f.city('city', 'name_ar'), f.district('district', 'name_ar', hayy), f.pointObject('map', 'y', 'x'),
      f.compound('compound'), f.photos('gallery'), f.inside('advertiser', [f.advertiserKey('code'), f.advertiser('role', w.ADVERTISERS_AR)]),
      f.verified('licensed', (verified) => (verified ? 'مرخص' : 'غير مرخص')), f.created('add_date', isoRiyadh), f.updated('edit_date', isoRiyadh),
    ] },
  // Rents and sales, separated by tabs, without titles or update times; some ads have points.
  { source: 'souq_buyut', kind: 'csv', delimiter: '\t', weight: 6, points: 0.6, periods: ['yearly', 'monthly'],
    columns: [
      f.id('ad'), f.description('text'), f.purpose('sell_or_rent', 'rent', 'sell'), f.type('what', w.TYPES_AR), f.price('price', (price) => `${price} ر.س`),
      f.period('every', w.PERIODS_AR_NOUN), f.area('area'), f.bedrooms('rooms'), f.bathrooms('wc'), f.city('city', 'name_ar'), f.district('district', 'name_ar'),
      f.pointCell('point', ';'), f.photos('pics', f.joined(',')), f.advertiser('who', OWNER_OR_FIRM), f.advertiserKey('who_id'), f.created('date'),
    ] },
  // Homes for rent, English words with the text in both languages.
  { source: 'jiwar_homes', kind: 'ndjson', weight: 4, points: 1, english: 0.5, periods: ['monthly', 'quarterly', 'yearly'],
    takes: isHomeRent, always: { purpose: 'rent' },
    columns: [
      f.id('home_id'), f.title('name'), f.inside('text', [f.description('ar'), f.english('en')]), f.type('home_type', w.TYPES_EN, lower), f.price('rent'),
      f.period('rent_per', w.PERIODS_PER), f.payLater('pay_later_from'), f.paymentPlans('payment_plans', w.PERIODS_EN), f.area('area_sqm'),
      f.field('bedrooms', 'bedrooms', (ad) => (ad.property.property_type === 'studio' ? 'Studio' : ad.bedrooms), scalar), f.bathrooms('bathrooms'), f.floor('floor'),
      f.furnishedOrNot('furnished'), f.amenities('features', w.AMENITIES_EN), f.city('city', 'name_en'),
      f.district('neighbourhood', 'name_en', (name) => name.replace(/^Al /, 'Al-')), f.compound('community'), f.pointObject('position'),
      f.photos('photos', f.objects('src', (src) => ({ src }))), f.advertiserKey('landlord'), f.advertiser('landlord_type', w.ADVERTISERS_EN), f.verified('checked'),
      f.created('listed_at', isoUtc), f.updated('refreshed_at', isoUtc),
    ] },
  // Rents and sales, English; rents are yearly, areas in square feet, amenities in one text.
  { source: 'tiraz_property', kind: 'ndjson', weight: 4, points: 0.9, english: 0.8, periods: ['yearly'], always: { price_period: 'yearly' },
    columns: [
      f.id('ref'), f.title('title'), f.description('description'), f.english('description_english'), f.purpose('offering', 'Lease', 'Sell'),
      f.type('type', w.TYPES_EN), f.price('price', (price) => `SAR ${thousands(price)}`), f.area('size', (area) => `${thousands(Math.round(area * 10.7639))} sqft`),
      f.bedrooms('bedrooms'), f.bathrooms('bathrooms'), f.floor('floor', w.floorEn), f.amenities('features', w.AMENITIES_EN, f.joined(', ')),
      f.city('emirate_or_city', 'name_en'), f.district('community', 'name_en', (name) => `${name} District`), f.lat('latitude'), f.lng('longitude'),
      f.photos('image_list'), f.advertiserKey('agent_id'), f.advertiser('agent_type', w.ADVERTISERS_EN), f.created('listed'), f.updated('updated'),
    ] },
  // Rents and sales, English words with Arabic city names; lists are JSON inside a cell.
  { source: 'nakhla_realty', kind: 'csv', weight: 4, points: 0.85, periods: ['yearly', 'semiannually'],
    columns: [
      f.id('listing_no', (id) => `NK/${id}`), f.title('title'), f.description('description'), f.purpose('for', 'Rent', 'Sale'), f.type('property', w.TYPES_EN),
      f.price('price_sar'), f.period('frequency', w.PERIODS_EN), f.area('area_m2'), f.bedrooms('bedrooms'), f.bathrooms('bathrooms'), f.livings('living_rooms'),
      f.floor('floor'), f.age('age'), f.city('city', 'name_ar'), f.district('district', 'name_en'), f.lat('latitude'), f.lng('longitude'), f.street('street_m'),
      f.photos('photos', f.JSON_CELL), f.amenities('features', w.AMENITIES_EN, f.JSON_CELL), f.advertiser('advertiser', w.ADVERTISERS_EN),
      f.advertiserKey('advertiser_no'), f.created('posted_on', isoUtc), f.updated('modified_on', isoUtc),
    ] },
  // Short-term and furnished rentals, English codes, over HTTP.
  { source: 'rimal_rentals', kind: 'paged', envelope: 'next_link', weight: 3, storyWeight: 9, points: 1, periods: ['daily', 'weekly', 'monthly'], stays: true,
    takes: (property) => property.listing_type === 'rent' && STAYS.has(property.property_type), always: { purpose: 'rent' },
    columns: [
      f.id('stay_id'), f.title('title'), f.description('description'), f.type('stay_type', w.TYPES_CODE), f.price('rate'), f.period('rate_unit', w.PERIODS_PER),
      f.area('sqm'), f.bedrooms('bedrooms'), f.bathrooms('bathrooms'), f.furnishedOrNot('furnished'), f.amenities('perks', w.AMENITIES_EN), f.city('city', 'slug'),
      f.pointObject('at'), f.photos('pictures'), f.advertiserKey('host'), f.advertiser('host_type', w.ADVERTISERS_EN), f.created('since', isoUtc), f.updated('changed', isoUtc),
    ] },
  // Offices, shops and other commercial property; rents are yearly.
  { source: 'zawaya_offices', kind: 'ndjson', weight: 2, storyWeight: 14, points: 0.95, periods: ['yearly'],
    takes: (property) => COMMERCIAL.has(property.property_type), always: { price_period: 'yearly' },
    columns: [
      f.id('space_id'), f.title('title'), f.description('description'), f.purpose('lease_or_sale', 'lease', 'sale'), f.type('space_type', w.TYPES_CODE),
      f.price('price_sar'), f.area('area', (area) => `${area} sqm`), f.floor('floor'), f.age('fit_out_age'), f.amenities('features', w.AMENITIES_EN),
      f.city('city_ar', 'name_ar'), f.district('district_ar', 'name_ar'), f.lat('lat'), f.lng('lng'), f.street('street_width'), f.photos('photos'),
      f.advertiserKey('broker'), f.advertiser('broker_type', w.ADVERTISERS_EN), f.created('created'), f.updated('updated'),
    ] },
  // Rents and sales of the coastal cities, Arabic; the point is one cell.
  { source: 'sadaf_coast', kind: 'csv', weight: 3, points: 0.9, periods: ['yearly', 'monthly'], takes: (property) => COAST.has(property.city.slug),
    columns: [
      f.id('id', (id) => `SC-${id}`), f.title('title'), f.description('description'), f.purpose('purpose', 'للإيجار', 'للبيع'), f.type('type', w.TYPES_AR_PLURAL),
      f.price('price', thousands), f.period('rent_period', w.PERIODS_AR_NOUN), f.area('size', (area) => `${area} م2`), f.bedrooms('bedrooms'), f.bathrooms('bathrooms'),
      f.city('city', 'name_ar'), f.district('district', 'name_ar', hayy), f.pointCell('geo', ' '), f.amenities('features', w.AMENITIES_AR, f.joined('|')),
      f.photos('pictures', f.joined('|')), f.advertiser('advertiser_type', w.ADVERTISERS_AR), f.advertiserKey('advertiser_ref'),
      f.created('created_epoch'), f.updated('updated_epoch'),
    ] },
  // Homes in towers and compounds, for rent and for sale; English words with the text in both languages.
  { source: 'burj_living', kind: 'ndjson', weight: 14, storyOnly: true, points: 1, english: 0.7, periods: ['yearly', 'quarterly', 'monthly'],
    takes: (property) => property.compound !== null,
    columns: [
      f.id('unit_id'), f.title('name'), f.inside('about', [f.description('ar'), f.english('en')]), f.purpose('offer', 'rent', 'sale'), f.type('unit_type', w.TYPES_EN),
      f.price('asking_price'), f.period('paid', w.PERIODS_EN), f.area('net_area'), f.bedrooms('bedrooms'), f.bathrooms('bathrooms'), f.floor('storey'),
      f.furnished('furnished'), f.amenities('facilities', w.AMENITIES_EN), f.city('city', 'name_en'), f.district('district', 'name_en'), f.compound('compound'),
      f.pointObject('position'), f.photos('pictures'), f.advertiserKey('operator'), f.advertiser('operator_type', w.ADVERTISERS_EN), f.verified('inspected'),
      f.created('created', isoUtc), f.updated('updated', isoUtc),
    ] },
  // Homes for rent, in Arabic words; some can be paid monthly through the source.
  { source: 'saknak_rent', kind: 'csv', weight: 5, storyOnly: true, points: 0.95, periods: ['yearly', 'semiannually', 'quarterly', 'monthly'],
    takes: isHomeRent, always: { purpose: 'rent' },
    columns: [
      f.id('رقم'), f.title('العنوان'), f.description('التفاصيل'), f.type('النوع', w.TYPES_AR), f.price('الإيجار', arabicThousands), f.period('الدفع', w.PERIODS_AR),
      f.payLater('قسط شهري'), f.area('المساحة'), f.bedrooms('الغرف'), f.bathrooms('الحمامات'), f.livings('الصالات'), f.floor('الدور', w.floorAr), f.age('العمر'),
      f.furnished('التأثيث', furnishedAr), f.amenities('المميزات', w.AMENITIES_AR, f.joined('،')), f.city('المدينة', 'name_ar'), f.district('الحي', 'name_ar'),
      f.pointCell('الموقع', ','), f.photos('الصور', f.joined(' ')), f.advertiser('المعلن', w.ADVERTISERS_AR), f.advertiserKey('رقم المعلن'),
      f.created('النشر', isoRiyadh), f.updated('التحديث', isoRiyadh),
    ] },
  // Homes and land for sale, with their project and whether bank financing is accepted.
  { source: 'tamleek_homes', kind: 'ndjson', weight: 6, storyOnly: true, points: 0.98, english: 0.3, periods: ['yearly'],
    takes: (property) => property.listing_type === 'sale', always: { purpose: 'sale' },
    columns: [
      f.id('no'), f.title('title'), f.description('text'), f.english('text_en'), f.type('kind', w.TYPES_CODE), f.price('total_sar'), f.area('sqm'),
      f.bedrooms('rooms'), f.bathrooms('baths'), f.livings('halls'), f.age('age'), f.street('street'), f.amenities('features', w.AMENITIES_EN), f.city('city', 'slug'),
      f.district('district', 'name_ar'), f.pointPair('at', ['lat', 'lng']), f.project('project'), f.bank('bank'), f.photos('images'),
      f.inside('seller', [f.advertiserKey('key'), f.advertiser('kind', w.ADVERTISERS_EN)]), f.verified('licensed'), f.created('listed'), f.updated('changed'),
    ] },
];

export const FEEDS: readonly FeedLayout[] = TABLE.map(({ always, columns, ...source }) => {
  const columnOf = (of: keyof RawListing): string | undefined => columns.find((field) => field.of === of)?.column;
  const [id = '', type = '', price = '', city, purpose] = (
    ['source_listing_id', 'property_type', 'price', 'city', 'purpose'] as const
  ).map(columnOf);
  return {
    ...source,
    publishes_update_times: columnOf('updated_at') !== undefined,
    required: [id, type, price, city, purpose].filter((column) => column !== undefined),
    fields: { id, type, city },
    row: (ad) => f.writeRow(columns, ad),
    read: (row) => {
      const raw: RawListing = { source_listing_id: '', purpose: '', property_type: '', ...always };
      for (const { column, read } of columns) read(row[column], raw);
      return raw;
    },
  };
});
