import type { Amenity, PropertyType } from '#domain/listings/vocabulary.ts';
import type { Property } from './ad.ts';
import { arabicDigits, looseSpelling, thousands } from './formats.ts';
import type { Random } from './random.ts';
import { floorAr, floorEn, TYPES_AR, TYPES_EN } from './words.ts';

/** What an advertiser writes about a home. Another advertiser of the same home writes something else. */
export interface AdText {
  title: string;
  description: string;
  description_en: string | null;
}

const ROOMS_AR = ['', 'غرفة', 'غرفتين', 'ثلاث غرف', 'أربع غرف', 'خمس غرف', 'ست غرف', 'سبع غرف', 'ثمان غرف'] as const;
const BATHS_AR = [
  '',
  'حمام',
  'حمامين',
  'ثلاث دورات مياه',
  'أربع دورات مياه',
  'خمس دورات مياه',
  'ست دورات مياه',
] as const;

const OPENINGS = [
  'السلام عليكم ورحمة الله وبركاته',
  'فرصة لا تعوض',
  'بسم الله الرحمن الرحيم',
  'عرض مميز لفترة محدودة',
  'مباشر من المالك',
  'لمحبي السكن الراقي',
  'للباحثين عن الهدوء والخصوصية',
  'نقدم لكم عبر مكتبنا',
  'حصرياً لدينا',
  '✨ عرض جديد ✨',
] as const;
const CONDITION_NEW = [
  'جديدة أول ساكن',
  'تشطيب فاخر لم تسكن بعد',
  'بناء شخصي بإشراف هندسي',
  'ضمانات على الهيكل الإنشائي والسباكة والكهرباء',
  'تشطيب سوبر ديلوكس',
  'عزل مائي وحراري',
] as const;
const CONDITION_USED = [
  'نظيفة جداً ومجددة بالكامل',
  'بحالة ممتازة',
  'تم تجديد الدهانات والسباكة',
  'صيانة دورية والمبنى هادئ',
  'مدخل مستقل وعداد كهرباء مستقل',
  'العمارة هادئة ويسكنها عوائل',
] as const;
const NEAR = [
  'قريبة من المدارس والمساجد وجميع الخدمات',
  'بجوار مسجد وحديقة',
  'قريبة من محطة المترو',
  'دقائق عن الطريق الدائري',
  'خلف الشارع التجاري مباشرة',
  'قريبة من الجامعة والمستشفى',
  'على شارعين شمالي وشرقي',
  'موقع استراتيجي وسهولة الوصول',
  'بالقرب من الكورنيش والمطاعم',
  'حي مخدوم ومكتمل الخدمات',
] as const;
const HOME_LINES = [
  'مجلس رجال ومقلط وصالة واسعة',
  'مطبخ راكب مع الأجهزة',
  'غرفة نوم ماستر بحمام خاص',
  'غرفة خادمة مع حمامها',
  'مكيفات اسبليت راكبة',
  'توزيع ممتاز واستغلال للمساحات',
  'صالة معيشة مفتوحة على المطبخ',
  'مصعد وموقف خاص وحارس',
  'نوافذ كبيرة وإضاءة طبيعية',
  'خزان ماء مستقل',
  'دخول ذكي وكاميرات مراقبة',
  'إنترنت ألياف بصرية',
] as const;
const RENT_LINES = [
  'الدفع شهري أو كل ستة أشهر',
  'عقد إلكتروني موثق',
  'للعوائل فقط',
  'تصلح لعرسان أو عائلة صغيرة',
  'يوجد نظام الدفع الميسر',
  'الإيجار شامل الماء',
  'الإيجار غير قابل للتفاوض',
  'متاحة من أول الشهر القادم',
  'التأمين مسترد',
  'بدون عمولة',
  'بدون سعي',
  'للعزاب المنضبطين',
] as const;
const SALE_LINES = [
  'تقبل البنك والتمويل العقاري',
  'الصك إلكتروني وجاهز للإفراغ',
  'السعر قابل للتفاوض البسيط',
  'البيع على السوم',
  'استثمار ممتاز ودخل ثابت',
  'مؤجرة بدخل سنوي جيد',
  'يوجد ضمان عشر سنوات',
  'السعي حسب النظام',
  'شامل ضريبة التصرفات العقارية',
  'للجادين فقط',
  'لا يوجد سعي',
] as const;
const LAND_LINES = [
  'الأرض مستوية وجاهزة للبناء',
  'ثلاثة شوارع وواجهة تجارية',
  'مخطط معتمد ومكتمل الخدمات',
  'أرض زاوية على شارعين',
  'بطن وشارع واحد',
  'تصلح لبناء فيلتين أو عمارة',
  'الكهرباء والماء والصرف واصلة',
  'نظام بناء ثلاثة أدوار ونصف',
] as const;
const TRADE_LINES = [
  'واجهة زجاجية على شارع رئيسي',
  'مواقف أمامية كافية',
  'تصلح لجميع الأنشطة التجارية',
  'رخصة دفاع مدني سارية',
  'كهرباء تجارية بقوة عالية',
  'دور ميزانين ومدخل مستقل',
  'مكيفات مركزية وسقف مستعار',
  'منطقة حيوية وكثافة سكانية',
] as const;
const LEISURE_LINES = [
  'مسبح ومسطحات خضراء وملعب',
  'بيت شعر ومشب',
  'قسمين رجال ونساء',
  'جلسات خارجية وشواء',
  'ألعاب أطفال ونطيطة',
  'للمناسبات والتجمعات العائلية',
] as const;
const CLOSINGS = [
  'للتواصل والمعاينة عبر المنصة',
  'المعاينة بموعد مسبق',
  'لا نستقبل الاتصال بعد العاشرة مساء',
  'الرجاء التواصل واتساب',
  'العرض مباشر ولا يوجد وسطاء',
  'يوجد لدينا عروض أخرى',
  'الله يبارك للجميع',
  'والله الموفق',
] as const;
const FAMILY = ['عوائل', 'عزاب', 'عوائل', 'عرسان', 'عوائل فقط'] as const;
const PRAISE = ['فاخرة', 'واسعة', 'مميزة', 'جديدة', 'نظيفة', 'راقية', 'مفروشة بالكامل', 'بسعر مناسب'] as const;

const BARE: ReadonlySet<PropertyType> = new Set(['land', 'commercial_land']);
const TRADE: ReadonlySet<PropertyType> = new Set(['office', 'shop', 'showroom', 'warehouse', 'commercial_building']);
const LEISURE: ReadonlySet<PropertyType> = new Set(['rest_house', 'chalet', 'farm']);

const AMENITY_PHRASES: Partial<Record<Amenity, string>> = {
  pool: 'مسبح خاص',
  maid_room: 'غرفة خادمة',
  driver_room: 'غرفة سائق',
  lift: 'مصعد',
  parking: 'موقف سيارة',
  balcony: 'بلكونة مطلة',
  roof: 'سطح خاص',
  annex: 'ملحق علوي',
  kitchen: 'مطبخ راكب',
  ac: 'مكيفات راكبة',
  garden: 'حديقة منسقة',
  majlis: 'مجلس رجال',
  storage: 'مستودع',
  security: 'حراسة على مدار الساعة',
  fireplace: 'مشب',
};

/** The text of one ad for a home; `english` is the share of ads that also have an English one. */
export function writeText(random: Random, property: Property, english: number): AdText {
  const style = random.next();
  const finish = (text: string): string => handwriting(random, text, style);
  const title = finish(titleOf(random, property));
  const description = finish(describe(random, property));
  return { title, description, description_en: random.chance(english) ? describeInEnglish(random, property) : null };
}

function titleOf(random: Random, property: Property): string {
  const type = TYPES_AR[property.property_type];
  const rent = property.listing_type === 'rent';
  const offer = rent ? 'للإيجار' : 'للبيع';
  const place = property.neighborhood.name_ar;
  const rooms = property.bedrooms === null ? '' : (ROOMS_AR[property.bedrooms] ?? `${property.bedrooms} غرف`);
  switch (random.int(0, 7)) {
    case 0:
      return `${type} ${offer} في حي ${place} ، ${property.city.name_ar}`;
    case 1:
      return `${offer} ${type} ${rent && rooms !== '' ? random.pick(FAMILY) : random.pick(PRAISE)} ${place}`;
    case 2:
      return rooms === ''
        ? `${type} ${property.area} متر ${offer} حي ${place}`
        : `${type} ${rooms} وصالة ${offer} حي ${place}`;
    case 3:
      return `${type} ${random.pick(PRAISE)} ${offer} ب${place} ${property.area}م`;
    case 4:
      return `${type} ${offer}`;
    case 5:
      return property.street_width === null
        ? `${offer} ${type} حي ${place} بدون عمولة`
        : `${type} ${offer} شارع ${property.street_width} حي ${place}`;
    case 6:
      return property.compound === null
        ? `${type} ${offer} ${property.city.name_ar} حي ${place}`
        : `${type} ${offer} في ${property.compound}`;
    default:
      return rooms === ''
        ? `فرصة ${type} ${offer} ${place}`
        : `${offer} ${type} ${rooms} ${property.furnished ? 'مفروشة' : 'وصالة'} ${place}`;
  }
}

function describe(random: Random, property: Property): string {
  const type = TYPES_AR[property.property_type];
  const lines: string[] = [];
  if (random.chance(0.55)) lines.push(random.pick(OPENINGS));
  lines.push(
    `${type} ${property.listing_type === 'rent' ? 'للإيجار' : 'للبيع'} في ${random.chance(0.6) ? 'حي ' : ''}${property.neighborhood.name_ar}${random.chance(0.5) ? ` ب${property.city.name_ar}` : ''}`,
  );
  if (property.compound !== null && random.chance(0.7)) lines.push(`ضمن ${property.compound}`);
  if (random.chance(0.7))
    lines.push(
      `المساحة ${random.chance(0.5) ? arabicDigits(property.area) : property.area} متر${random.chance(0.4) ? ' مربع' : ''}`,
    );
  if (property.bedrooms !== null) lines.push(roomsLine(random, property));
  if (property.floor !== null && random.chance(0.6))
    lines.push(`الدور ${floorAr(property.floor).replace(/^الدور /, '')}`);
  if (property.age !== null && random.chance(0.5))
    lines.push(
      property.age === 0
        ? random.pick(CONDITION_NEW)
        : random.chance(0.5)
          ? `عمر العقار ${property.age} سنوات`
          : random.pick(CONDITION_USED),
    );
  if (property.street_width !== null && random.chance(0.5))
    lines.push(
      `${random.pick(['شارع عرض', 'على شارع', 'واجهة شارع'])} ${property.street_width} ${random.pick(['متر', 'م', 'شمالي', 'شرقي', 'جنوبي', 'غربي'])}`,
    );
  const offered = property.amenities.flatMap((amenity) => AMENITY_PHRASES[amenity] ?? []);
  if (offered.length > 0 && random.chance(0.6)) lines.push(`يوجد ${offered.slice(0, random.int(1, 4)).join(' و')}`);
  const pool = BARE.has(property.property_type)
    ? LAND_LINES
    : TRADE.has(property.property_type)
      ? TRADE_LINES
      : LEISURE.has(property.property_type)
        ? LEISURE_LINES
        : HOME_LINES;
  for (let more = random.int(1, 3); more > 0; more--) {
    const line = random.pick<string>(pool);
    if (!lines.includes(line)) lines.push(line);
  }
  lines.push(random.pick(NEAR));
  lines.push(random.pick(property.listing_type === 'rent' ? RENT_LINES : SALE_LINES));
  if (random.chance(0.25)) lines.push(priceLine(random, property));
  if (random.chance(0.5)) lines.push(random.pick(CLOSINGS));
  return lines.join(random.pick(['\n', '\n', ' ، ', '\n- ', ' . ']));
}

function roomsLine(random: Random, property: Property): string {
  const rooms = ROOMS_AR[property.bedrooms ?? 0] ?? `${property.bedrooms} غرف`;
  const baths = property.bathrooms === null ? '' : (BATHS_AR[property.bathrooms] ?? `${property.bathrooms} دورات مياه`);
  switch (random.int(0, 3)) {
    case 0:
      return `مكونة من ${rooms} وصالة ومطبخ${baths === '' ? '' : ` و${baths}`}`;
    case 1:
      return `${rooms} وصالة${baths === '' ? '' : ` و${baths}`}`;
    case 2:
      return `عدد الغرف ${arabicDigits(property.bedrooms ?? 0)}`;
    default:
      return `${rooms} نوم ومجلس وصالة`;
  }
}

function priceLine(random: Random, property: Property): string {
  if (property.compound !== null) return `الأسعار تبدأ من ${thousands(property.price)} ريال`;
  if (property.listing_type === 'rent') return `الإيجار السنوي ${thousands(property.price)} ريال`;
  return random.chance(0.5)
    ? `السعر ${arabicDigits(Math.round(property.price / 1000))} ألف`
    : `المطلوب ${thousands(property.price)} ريال`;
}

function describeInEnglish(random: Random, property: Property): string {
  const type = TYPES_EN[property.property_type];
  const lines = [
    `${random.pick(['Spacious', 'Well kept', 'Bright', 'Modern', 'Family'])} ${type.toLowerCase()} for ${property.listing_type === 'rent' ? 'rent' : 'sale'} in ${property.neighborhood.name_en}, ${property.city.name_en}.`,
  ];
  if (property.bedrooms !== null)
    lines.push(
      `${property.bedrooms} bedroom${property.bedrooms === 1 ? '' : 's'}, ${property.bathrooms ?? 1} bathrooms, ${property.area} sqm.`,
    );
  else lines.push(`Area ${property.area} sqm.`);
  if (property.floor !== null) lines.push(`${floorEn(property.floor)}.`);
  lines.push(
    random.pick([
      'Close to schools, mosques and shops.',
      'Minutes from the ring road.',
      'Quiet street near a park.',
      'Walking distance to the metro station.',
      'Near the corniche and restaurants.',
    ]),
    random.pick([
      'No commission.',
      'Bank financing accepted.',
      'Viewing by appointment.',
      'Ready to move in.',
      'Direct from the owner.',
    ]),
  );
  return lines.join(' ');
}

/** As people write: other letters, a stretched word, a vowel mark. */
function handwriting(random: Random, text: string, style: number): string {
  let written = style < 0.25 ? looseSpelling(text) : text;
  if (random.chance(0.06)) written = written.replace(/(?<=\p{L})ـ?ي(?=\p{L})/u, 'ـــي');
  if (random.chance(0.05)) written = written.replace('شقة', 'شَقّة').replace('فيلا', 'فِيلّا').replace('للبيع', 'لِلبيع');
  return written;
}
