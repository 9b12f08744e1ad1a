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

/** A sentence in both languages. Names in braces are placeholders for facts: `{price}`, `{posted}`, `{area}` and others. */
export type Wording = readonly [ar: string, en: string];

/** Values of placeholders: amounts in SAR, and other numbers. */
export interface Facts {
  amounts: Readonly<Record<string, number>>;
  numbers: Readonly<Record<string, number>>;
}

/** Returns the wording in the home's language, or of a mixed ad in that of the `index`, with its placeholders filled in. */
export function sentence(home: Home, wording: Wording, facts: Facts, index: number, random: Random): string {
  const { language, arabicDigits: eastern } = home.style;
  const english = language === 'en' || (language === 'mixed' && index % 2 === 1);
  const template = wording[english ? 1 : 0];
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

/** Sentences that state a sale price, a yearly rent and the area. Half of the ordinary ads state them. */
export const PRICE: readonly Wording[] = [
  ['السعر {price}', 'Price: {price}'],
  ['البيع بـ {price} غير قابل للتفاوض', 'Asking price {price}'],
  ['المطلوب {price}', '{price} excluding commission'],
];
export const RENT: readonly Wording[] = [
  ['الإيجار السنوي {price}', 'Rent: {price} per year'],
  ['السعر {price} سنويا', '{price} a year'],
];
export const AREA: readonly Wording[] = [
  ['المساحة {area} متر', 'Area {area} sqm'],
  ['على شارع عرض 15 والمساحة {area} م', '{area} sqm on a 15 m street'],
];

const OPENINGS: readonly Wording[] = [
  ['{type} في حي {place}', '{type} in {place}'],
  ['نقدم لكم {type} في موقع مميز', 'Great opportunity in {place}'],
  ['تشطيب ممتاز وضمانات على السباكة والكهرباء', 'Guarantees on plumbing and electricity'],
];
const ROOMS: readonly Wording[] = [
  ['تتكون من {bedrooms} غرف نوم وصالة ومطبخ', '{bedrooms} bedrooms, living room and kitchen'],
  ['مجلس ومقلط و{bedrooms} غرف نوم', 'Majlis, dining room and {bedrooms} bedrooms'],
];
const ENDINGS: readonly Wording[] = [
  ['قريب من مسجد ومدارس', 'Close to a mosque and schools'],
  ['مكيفات سبليت راكبة', 'Split air conditioning installed'],
  ['السعي على المشتري', 'Commission is on the buyer'],
  ['على شارعين', 'On two streets'],
];

/** Returns one of the wordings in the home's language, with its placeholders filled in. */
export const anyOf = (home: Home, wordings: readonly Wording[], facts: Facts, random: Random): string =>
  sentence(home, pick(random, wordings), facts, Math.floor(random() * 1_000), random);

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
  const any = (wordings: readonly Wording[]) => anyOf(home, wordings, facts, random);
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
