import { type Home, pick, type Random } from './home.ts';

const arabicDigits = (text: string): string => text.replace(/[0-9]/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] as string);

const { format: grouped } = new Intl.NumberFormat('en-US');

/** Formats an amount in Arabic: digits, digits with separators, or thousands and millions in words. */
function arabicMoney(amount: number, random: Random): string {
  const millions = Math.floor(amount / 1_000_000);
  const rest = amount - millions * 1_000_000;
  const forms = [String(amount), `${grouped(amount)} ريال`, `${grouped(amount)} ر.س`, `${amount} ريال سعودي`];
  if (millions === 0 && amount >= 1_000 && amount % 1_000 === 0)
    forms.push(`${amount / 1_000} ألف`, `${amount / 1_000} الف ريال`);
  if (millions > 0 && amount % 10_000 === 0) forms.push(`${amount / 1_000_000} مليون`);
  if (millions > 0 && rest % 1_000 === 0) {
    const head = millions === 1 ? 'مليون' : millions === 2 ? 'مليونين' : `${millions} مليون`;
    forms.push(
      rest === 0 ? `${head} ريال` : `${head} و${rest / 1_000} ألف`,
      `${head}${rest ? ` و ${rest / 1_000} الف ريال` : ''}`,
    );
  }
  return pick(random, forms);
}

function englishMoney(amount: number, random: Random): string {
  const forms = [`SAR ${grouped(amount)}`, `${grouped(amount)} SAR`, `${amount} riyals`, `SR ${grouped(amount)}`];
  if (amount >= 10_000 && amount < 1_000_000 && amount % 1_000 === 0)
    forms.push(`${amount / 1_000}k SAR`, `SAR ${amount / 1_000}K`);
  if (amount >= 1_000_000 && amount % 10_000 === 0)
    forms.push(`SAR ${amount / 1_000_000} million`, `${amount / 1_000_000}M SAR`);
  return pick(random, forms);
}

const TYPES_AR: Readonly<Record<string, string>> = {
  apartment: 'شقة',
  villa: 'فيلا',
  floor: 'دور',
  studio: 'استوديو',
  land: 'أرض',
};
const TYPES_EN: Readonly<Record<string, string>> = {
  apartment: 'apartment',
  villa: 'villa',
  floor: 'floor',
  studio: 'studio',
  land: 'plot of land',
};

/**
 * Sentences in both languages. Names in braces are placeholders for facts: `{price}`, `{posted}`, `{area}` and others.
 */
export interface Wordings {
  ar: readonly string[];
  en: readonly string[];
}

/** Values of placeholders: amounts in SAR, and other numbers. */
export interface Facts {
  amounts: Readonly<Record<string, number>>;
  numbers: Readonly<Record<string, number>>;
}

/** Returns the `index`-th wording in the home's language, with its placeholders filled in. */
export function sentence(home: Home, wordings: Wordings, facts: Facts, index: number, random: Random): string {
  const { language, arabicDigits: eastern } = home.style;
  const english = language === 'en' || (language === 'mixed' && index % 2 === 1);
  const forms = english ? wordings.en : wordings.ar;
  const template = forms[index % forms.length] as string;
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'type') return (english ? TYPES_EN : TYPES_AR)[home.type] as string;
    if (name === 'place') return english ? home.neighborhood.name_en : home.neighborhood.name_ar;
    const amount = facts.amounts[name];
    if (amount !== undefined) return english ? englishMoney(amount, random) : arabicMoney(amount, random);
    const number = facts.numbers[name];
    if (number === undefined) throw new Error(`no fact ${name}`);
    return String(number);
  });
  return !english && eastern ? arabicDigits(filled) : filled;
}

/** Sentences that state a sale price. Half of the ordinary ads state their price. */
export const PRICE: Wordings = {
  ar: [
    'السعر {price}',
    'المطلوب {price}',
    'السعر: {price} شامل السعي',
    'البيع بـ {price} غير قابل للتفاوض',
    'السعر المطلوب {price} قابل للتفاوض',
  ],
  en: [
    'Price: {price}',
    'Asking price {price}',
    'The price is {price}, negotiable',
    '{price} excluding commission',
    'Asking {price}',
  ],
};
/** Sentences that state a yearly rent. */
export const RENT: Wordings = {
  ar: [
    'الإيجار السنوي {price}',
    'الإيجار {price} سنوي',
    'الايجار {price} في السنة',
    'السعر {price} سنويا',
    'المطلوب {price} في السنة',
  ],
  en: [
    'Rent: {price} per year',
    'Yearly rent {price}',
    '{price} a year',
    'Annual rent is {price}',
    'Rent {price} yearly',
  ],
};

const OPENINGS: Wordings = {
  ar: [
    '{type} في حي {place}',
    'فرصة مميزة {type} بحي {place}',
    'نقدم لكم {type} في موقع مميز',
    '{type} نظيفة جدا في {place}',
    'عرض مباشر من المالك',
    'بسم الله، {type} بتصميم عصري',
    'موقع هادئ وقريب من الخدمات',
    'تشطيب ممتاز وضمانات على السباكة والكهرباء',
  ],
  en: [
    '{type} in {place}',
    'Well kept {type} in a quiet street of {place}',
    'Direct from the owner',
    'Modern {type} close to all services',
    'Bright {type} with a good layout',
    'Great opportunity in {place}',
    'Clean {type} with all services',
    'Guarantees on plumbing and electricity',
  ],
};
const ROOMS: Wordings = {
  ar: [
    'تتكون من {bedrooms} غرف نوم وصالة ومطبخ',
    '{bedrooms} غرف وصالة ومجلس ومطبخ راكب',
    'عدد غرف النوم {bedrooms} مع غرفة خادمة',
    'مجلس ومقلط و{bedrooms} غرف نوم',
    '{bedrooms} غرف نوم كل غرفة بحمام',
  ],
  en: [
    '{bedrooms} bedrooms, living room and kitchen',
    'It has {bedrooms} bedrooms and a majlis',
    '{bedrooms} spacious bedrooms with a maid room',
    '{bedrooms} bedrooms, each with its bathroom',
    'Majlis, dining room and {bedrooms} bedrooms',
  ],
};
/** Sentences that state the area. */
export const AREA: Wordings = {
  ar: [
    'المساحة {area} متر',
    'مساحة {area} م2',
    'بمساحة {area}م',
    'المساحة: {area} متر مربع',
    'على شارع عرض 15 والمساحة {area} م',
  ],
  en: [
    'Area {area} sqm',
    '{area} m2',
    'The area is {area} square meters',
    'Total area: {area} sq m',
    '{area} sqm on a 15 m street',
  ],
};
const ENDINGS: Wordings = {
  ar: [
    'قريب من مسجد ومدارس',
    'بالقرب من طريق الملك سلمان',
    'مكيفات سبليت راكبة',
    'موقف خاص ومصعد',
    'الكهرباء مستقلة',
    'للتواصل واتساب فقط',
    'السعي على المشتري',
    'يوجد خزان مستقل',
    'واجهة شرقية',
    'واجهة شمالية',
    'على شارعين',
    'كاميرات مراقبة ودخول ذكي',
  ],
  en: [
    'Close to a mosque and schools',
    'Near King Salman Road',
    'Split air conditioning installed',
    'Private parking and lift',
    'Separate electricity meter',
    'Contact by WhatsApp only',
    'Commission is on the buyer',
    'Private water tank',
    'Facing east',
    'Facing north',
    'On two streets',
    'Cameras and smart entry',
  ],
};

/**
 * Returns the title and text of an ad: general sentences in its style, and the sentences in `says`, which come first if
 * `opens` is true.
 */
export function textOf(
  home: Home,
  says: readonly string[],
  opens: boolean,
  random: Random,
): { title: string; description: string } {
  const facts: Facts = { amounts: {}, numbers: { bedrooms: home.bedrooms ?? 0, area: home.area } };
  const any = (wordings: Wordings) => sentence(home, wordings, facts, Math.floor(random() * 1_000), random);
  const opening = any(OPENINGS);
  const lines = opens ? [...says] : [opening, ...says];
  if (home.bedrooms !== null && random() < 0.7) lines.splice(1, 0, any(ROOMS));
  // A random plan number makes it unlikely that two ads have the same text.
  lines.push(any(ENDINGS), any(ENDINGS), any(ENDINGS));
  const street = 1 + Math.floor(random() * 9_000);
  lines.push(home.style.language === 'en' ? `Plan ${street}` : `رقم المخطط ${street}`);
  const english = home.style.language === 'en';
  const title = english
    ? `${TYPES_EN[home.type]} for ${home.purpose} in ${home.neighborhood.name_en}, Riyadh`
    : `${TYPES_AR[home.type]} ${home.purpose === 'sale' ? 'للبيع' : 'للإيجار'} في حي ${home.neighborhood.name_ar}، الرياض`;
  return { title, description: lines.join(random() < 0.6 ? '\n' : ' - ') };
}
