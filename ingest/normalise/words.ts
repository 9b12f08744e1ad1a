import type {
  AdvertiserType,
  Amenity,
  ListingType,
  PropertyType,
  RentFrequency,
} from '../../src/listings/vocabulary.ts';
import { AMENITIES, PROPERTY_TYPE_TABLE, PROPERTY_TYPES } from '../../src/listings/vocabulary.ts';
import { foldText } from '../../src/text/fold.ts';
import { remember } from './remember.ts';

/**
 * What sources and advertisers call things, in both languages: for each value of the vocabulary the words for it. Spellings that folding
 * unites (hamza, ta marbuta, case, underscores) are written once.
 */
type WordList<Value extends string> = Readonly<Partial<Record<Value, readonly string[]>>>;

const PURPOSE_WORDS: WordList<ListingType> = {
  rent: ['rent', 'for rent', 'to rent', 'to let', 'rental', 'rentals', 'lease', 'for lease', 'leasing', 'r'].concat([
    'إيجار',
    'للإيجار',
    'الإيجار',
    'تأجير',
    'للتأجير',
    'أجار',
    'للأجار',
    'مؤجر',
    'كراء',
    'للكراء',
  ]),
  sale: ['sale', 'for sale', 'sell', 'selling', 'sales', 'buy', 'to buy', 'purchase', 's'].concat([
    'بيع',
    'للبيع',
    'البيع',
    'تمليك',
    'للتمليك',
    'شراء',
    'للشراء',
    'مبيع',
    'للمبيع',
  ]),
};

const PERIOD_WORDS: WordList<RentFrequency> = {
  daily: ['daily', 'day', 'per day', 'a day', 'night', 'nightly', 'per night', 'd'].concat([
    'يومي',
    'يوميا',
    'يومية',
    'يوم',
    'اليوم',
    'باليوم',
    'في اليوم',
    'ليلة',
    'لليلة',
    'ليلي',
  ]),
  weekly: ['weekly', 'week', 'per week', 'a week', 'w'].concat([
    'أسبوعي',
    'أسبوعيا',
    'أسبوعية',
    'أسبوع',
    'الأسبوع',
    'بالأسبوع',
    'في الأسبوع',
  ]),
  monthly: ['monthly', 'month', 'per month', 'a month', 'mo', 'm', 'pcm', 'p/m'].concat([
    'شهري',
    'شهريا',
    'شهرية',
    'شهر',
    'الشهر',
    'بالشهر',
    'في الشهر',
    'كل شهر',
  ]),
  quarterly: ['quarterly', 'quarter', 'per quarter', '3 months', 'three months', 'every 3 months', 'q'].concat([
    'ربع سنوي',
    'ربع سنويا',
    'ربع سنوية',
    'كل ثلاثة أشهر',
    'كل 3 أشهر',
    'كل 3 شهور',
    '3 أشهر',
    'ثلاثة أشهر',
    'ربعي',
  ]),
  semiannually: [
    'semiannually',
    'semi annually',
    'semi annual',
    'semiannual',
    'half yearly',
    'half year',
    'biannual',
    'biannually',
  ]
    .concat(['bi annually', '6 months', 'six months', 'every 6 months', 'h'])
    .concat([
      'نصف سنوي',
      'نصف سنويا',
      'نصف سنوية',
      'نصف سنة',
      'كل ستة أشهر',
      'كل 6 أشهر',
      'كل 6 شهور',
      '6 أشهر',
      'ستة أشهر',
      'نصفي',
    ]),
  yearly: ['yearly', 'year', 'per year', 'a year', 'annual', 'annually', 'per annum', 'pa', 'p.a.', 'yr', 'y'].concat([
    'سنوي',
    'سنويا',
    'سنوية',
    'سنة',
    'السنة',
    'بالسنة',
    'في السنة',
    'عام',
    'العام',
    'كل سنة',
    'دفعة واحدة',
  ]),
};

const TYPE_WORDS: WordList<PropertyType> = {
  apartment: [
    'apartments',
    'flat',
    'flats',
    'apt',
    'penthouse',
    'hotel apartment',
    'serviced apartment',
    'furnished apartment',
  ].concat(['شقق', 'شقة سكنية', 'شقة تمليك', 'شقة مفروشة', 'شقق مفروشة', 'شقة فندقية', 'بنتهاوس', 'ملحق', 'شقه']),
  villa: [
    'villas',
    'house',
    'houses',
    'home',
    'palace',
    'mansion',
    'detached house',
    'compound villa',
    'traditional house',
  ].concat(['فله', 'فلة', 'فلل', 'فيلات', 'فيلا سكنية', 'بيت', 'منزل', 'قصر', 'بيت شعبي', 'بيت عربي', 'فيلا درج صالة']),
  floor: ['floors', 'villa floor', 'whole floor', 'full floor', 'floor in villa'].concat([
    'أدوار',
    'دور في فيلا',
    'دور فيلا',
    'دور أرضي',
    'دور علوي',
    'دور كامل',
    'دور سكني',
    'طابق',
  ]),
  duplex: ['duplexes', 'duplex villa', 'duplex apartment'].concat([
    'دبلكس',
    'دوبليكس',
    'دبلوكس',
    'فيلا دوبلكس',
    'شقة دوبلكس',
  ]),
  townhouse: ['townhouses', 'town house', 'town houses', 'row house'].concat([
    'تاونهاوس',
    'تاون هاوسات',
    'فيلا تاون هاوس',
  ]),
  studio: ['studios', 'studio apartment', 'bedsit'].concat([
    'ستوديو',
    'أستديو',
    'ستديو',
    'شقة استوديو',
    'غرفة استوديو',
  ]),
  room: ['rooms', 'single room', 'shared room', 'driver room'].concat(['غرف', 'غرفة مفردة', 'غرفة سائق', 'غرفة عزاب']),
  residential_building: [
    'building',
    'buildings',
    'apartment building',
    'tower',
    'residential tower',
    'whole building',
  ].concat(['عمارة', 'عمائر', 'عمائر سكنية', 'مبنى', 'مبنى سكني', 'بناية', 'برج سكني', 'عمارة للبيع']),
  rest_house: ['resthouse', 'rest houses', 'istiraha', 'istirahah', 'lounge', 'camp'].concat(['استراحات', 'مخيم']),
  chalet: ['chalets', 'cabin', 'holiday home'].concat(['شاليهات', 'شالية', 'كوخ', 'منتجع']),
  farm: ['farms', 'farmhouse', 'agriculture plot', 'agricultural land', 'farm land'].concat([
    'مزارع',
    'أرض زراعية',
    'أراضي زراعية',
  ]),
  land: [
    'lands',
    'plot',
    'plots',
    'residential land',
    'residential lands',
    'residential plot',
    'land plot',
    'raw land',
    'block',
  ].concat(['أراضي', 'قطعة أرض', 'أرض سكنية', 'أراضي سكنية', 'أرض خام', 'بلك', 'بلوك']),
  commercial_land: [
    'commercial lands',
    'commercial plot',
    'mixed use land',
    'industrial land',
    'commercial residential land',
  ].concat(['أراضي تجارية', 'أرض تجارية سكنية', 'أرض سكنية تجارية', 'أرض صناعية', 'قطعة تجارية']),
  commercial_building: [
    'commercial buildings',
    'commercial tower',
    'office building',
    'mall',
    'hotel',
    'commercial center',
  ].concat([
    'عمائر تجارية',
    'مبنى تجاري',
    'مركز تجاري',
    'مجمع تجاري',
    'برج تجاري',
    'برج مكاتب',
    'فندق',
    'عمارة تجارية سكنية',
  ]),
  office: ['offices', 'office space', 'clinic', 'workspace', 'commercial office'].concat([
    'مكاتب',
    'مكتب تجاري',
    'مكتب إداري',
    'عيادة',
  ]),
  shop: ['shops', 'retail', 'retail shop', 'store', 'kiosk', 'restaurant', 'cafe', 'commercial shop'].concat([
    'محلات',
    'محل تجاري',
    'محلات تجارية',
    'دكان',
    'كشك',
    'مطعم',
    'بقالة',
  ]),
  showroom: ['showrooms', 'show room', 'commercial showroom'].concat(['معارض', 'معرض تجاري', 'صالة عرض']),
  warehouse: ['warehouses', 'storage', 'depot', 'factory', 'workshop', 'hangar', 'industrial warehouse'].concat([
    'مستودعات',
    'مخزن',
    'هنقر',
    'هنجر',
    'مصنع',
    'ورشة',
    'مستودع تجاري',
  ]),
};

const ADVERTISER_WORDS: WordList<AdvertiserType> = {
  company: [
    'company',
    'agency',
    'agencies',
    'agent',
    'real estate agent',
    'broker',
    'brokerage',
    'developer',
    'office',
    'marketer',
  ]
    .concat([
      'normal marketer',
      'exclusive marketer',
      'real estate office',
      'real estate company',
      'establishment',
      'business',
    ])
    .concat(['property manager', 'corporate', 'dealer', 'professional'])
    .concat([
      'شركة',
      'شركة عقارية',
      'مكتب',
      'مكتب عقاري',
      'وسيط',
      'وسيط عقاري',
      'مسوق',
      'مسوق عقاري',
      'مطور',
      'مطور عقاري',
      'مؤسسة',
      'منشأة',
    ])
    .concat(['وكالة', 'مدير أملاك']),
  individual: [
    'individual',
    'owner',
    'individual owner',
    'landlord',
    'private',
    'private owner',
    'person',
    'by owner',
    'homeowner',
  ].concat([
    'مالك',
    'المالك',
    'فرد',
    'أفراد',
    'مالك العقار',
    'المالك مباشرة',
    'من المالك',
    'مؤجر',
    'صاحب العقار',
    'وكيل المالك',
    'وكيل',
  ]),
};

const AMENITY_WORDS: WordList<Amenity> = {
  ac: ['air conditioning', 'air conditioner', 'air conditioned', 'a/c', 'central ac', 'split ac', 'aircon'].concat([
    'مكيف',
    'مكيفات',
    'تكييف',
    'تكييف مركزي',
    'مكيفات سبليت',
    'مكيفات راكبة',
    'مكيف راكب',
  ]),
  kitchen: ['fitted kitchen', 'equipped kitchen', 'kitchen installed', 'built in kitchen'].concat([
    'مطبخ',
    'مطبخ راكب',
    'مطبخ مجهز',
    'المطبخ',
  ]),
  balcony: ['balconies', 'terrace'].concat(['بلكونة', 'شرفة', 'بلكون', 'تراس', 'بلكونات']),
  keyless_entry: ['smart lock', 'smart entry', 'keyless', 'electronic lock', 'digital lock'].concat([
    'دخول ذكي',
    'قفل ذكي',
    'قفل إلكتروني',
    'دخول بدون مفتاح',
    'بصمة',
  ]),
  parking: [
    'car park',
    'garage',
    'car entrance',
    'private parking',
    'covered parking',
    'parking space',
    'parking spaces',
  ].concat(['موقف', 'مواقف', 'موقف سيارة', 'موقف خاص', 'كراج', 'مدخل سيارة', 'مواقف سيارات', 'موقف سيارات']),
  lift: ['elevator', 'lifts', 'elevators'].concat(['مصعد', 'أصنصير', 'مصاعد', 'المصعد']),
  pool: ['swimming pool', 'private pool', 'shared pool', 'pools'].concat([
    'مسبح',
    'مسبح خاص',
    'مسبح مشترك',
    'حوض سباحة',
    'مسابح',
  ]),
  gym: ['fitness', 'fitness center', 'gymnasium', 'health club'].concat([
    'نادي',
    'نادي رياضي',
    'صالة رياضية',
    'جيم',
    'نادي صحي',
  ]),
  garden: ['yard', 'front yard', 'frontyard', 'backyard', 'lawn', 'courtyard'].concat([
    'حديقة',
    'حوش',
    'فناء',
    'حديقة خاصة',
    'مسطحات خضراء',
  ]),
  maid_room: ['maid room', 'maids room', "maid's room", 'housemaid room', 'maid'].concat([
    'غرفة خادمة',
    'غرفة عاملة',
    'غرفة خدم',
    'غرفة شغالة',
    'خادمة',
  ]),
  driver_room: ['driver room', 'drivers room', "driver's room", 'driver'].concat([
    'غرفة سائق',
    'غرفة السائق',
    'سائق',
    'غرفة سواق',
  ]),
  laundry_room: ['laundry', 'laundry room', 'washing room'].concat(['غرفة غسيل', 'مغسلة ملابس', 'غسيل']),
  storage: ['storage room', 'store room', 'storeroom', 'storage'].concat(['مستودع', 'مخزن', 'غرفة تخزين', 'تخزين']),
  basement: ['cellar'].concat(['قبو', 'بدروم', 'سرداب']),
  roof: ['rooftop', 'roof terrace', 'private roof', 'shared roof'].concat(['سطح', 'سطح خاص', 'روف', 'سطح مستقل']),
  annex: ['annexe', 'extra unit', 'outbuilding', 'roof annex'].concat(['ملحق', 'ملحق علوي', 'ملحق خارجي']),
  private_entrance: ['private entrance', 'separate entrance', 'own entrance', 'two entrances'].concat([
    'مدخل خاص',
    'مدخل مستقل',
    'مدخلين',
    'بمدخل خاص',
  ]),
  security: ['security guard', 'guard', 'cctv', '24 7 security', 'surveillance', 'security cameras'].concat([
    'أمن',
    'حراسة',
    'حارس',
    'حارس أمن',
    'كاميرات مراقبة',
    'كاميرات',
    'أمن وحراسة',
  ]),
  playground: ['kids area', 'children play area', 'play area', 'kids play area'].concat([
    'ملعب',
    'ملعب أطفال',
    'ألعاب أطفال',
    'منطقة ألعاب',
    'منطقة ألعاب أطفال',
  ]),
  fireplace: ['fire place'].concat(['مدفأة', 'مشب', 'وجار']),
  internal_stairs: ['stairs', 'internal staircase', 'staircase', 'inner stairs'].concat([
    'درج داخلي',
    'درج',
    'درج صالة',
    'درج بالصالة',
  ]),
  majlis: ['guest room', 'sitting room', 'diwaniya'].concat(['مجلس', 'مجلس رجال', 'مجلس نساء', 'مجلس ضيوف', 'ديوانية']),
  fibre: [
    'fiber',
    'fiber optic',
    'fibre optic',
    'fibre optics',
    'fiber optics',
    'internet',
    'optical fiber',
    'high speed internet',
  ].concat(['ألياف', 'ألياف بصرية', 'ألياف ضوئية', 'فايبر', 'إنترنت']),
  smart_home: ['smart home system', 'smart house', 'home automation'].concat([
    'منزل ذكي',
    'نظام ذكي',
    'بيت ذكي',
    'سمارت هوم',
    'نظام المنزل الذكي',
  ]),
  pets_allowed: ['pets', 'pet friendly', 'pets ok', 'pets welcome'].concat([
    'حيوانات أليفة',
    'يسمح بالحيوانات',
    'مسموح بالحيوانات الأليفة',
    'يسمح بالحيوانات الأليفة',
  ]),
};

/** Underscores and hyphens in identifiers stand for spaces. */
function fold(word: string): string {
  return foldText(word.replace(/[_-]+/g, ' '));
}

function tableOf<Value extends string>(words: WordList<Value>): Map<string, Value> {
  const table = new Map<string, Value>();
  for (const [value, names] of Object.entries(words) as [Value, readonly string[]][]) {
    for (const name of [value, ...names]) if (!table.has(fold(name))) table.set(fold(name), value);
  }
  return table;
}

/** Looks a whole text up; failing that, the longest name that stands in it as words of its own (`شقة للإيجار بالرياض`). */
function lookup<Value extends string>(table: ReadonlyMap<string, Value>): (text: string) => Value | null {
  // One letter is a code of its own (`r`, `s`): inside a text it says nothing.
  const names = [...table.keys()].filter((name) => name.length > 2).sort((a, b) => b.length - a.length);
  return remember((text) => {
    const folded = fold(text);
    const exact = table.get(folded);
    if (exact !== undefined) return exact;
    const padded = ` ${folded.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
    const name = names.find((candidate) => padded.includes(` ${candidate} `));
    return name === undefined ? null : (table.get(name) ?? null);
  });
}

const types = tableOf(TYPE_WORDS);
for (const type of PROPERTY_TYPES) {
  types.set(fold(PROPERTY_TYPE_TABLE[type].name_ar), type);
  types.set(fold(PROPERTY_TYPE_TABLE[type].name_en), type);
}

/** Rent or sale; null when the word is neither. */
export const readPurpose = lookup(tableOf(PURPOSE_WORDS));
/** The property type; null when the word is none of ours. */
export const readPropertyType = lookup(types);
/** The rent's period; null when the word is none. */
export const readPeriod = lookup(tableOf(PERIOD_WORDS));
/** The class of the `advertiser_type` filter; null when the source's wording tells nothing. */
export const readAdvertiserType = lookup(tableOf(ADVERTISER_WORDS));

const readAmenity = lookup(tableOf(AMENITY_WORDS));
const amenityRank: ReadonlyMap<Amenity, number> = new Map(AMENITIES.map((amenity, rank) => [amenity, rank]));

/** `no parking`, `بدون مطبخ`: the amenity is named to say that it is missing. */
const MISSING = /^(?:no|not|without|بدون|بلا|لا|غير|ليس)(?![\p{L}\p{N}])/u;
const amenityOf = remember((word) => (MISSING.test(fold(word)) ? null : readAmenity(word)));

/** The amenities among the source's words, each once, in the vocabulary's order; other words are left out. */
export function readAmenities(words: readonly string[] | null | undefined): Amenity[] {
  if (!Array.isArray(words) || words.length === 0) return [];
  let found = 0;
  for (const word of words) {
    const amenity = typeof word === 'string' ? amenityOf(word) : null;
    if (amenity !== null) found |= 1 << (amenityRank.get(amenity) as number);
  }
  return AMENITIES.filter((_, rank) => (found & (1 << rank)) !== 0);
}
