import type { Random } from '#ingest/sample/random.ts';

/** A word of a name: in Arabic without its article, and in Latin letters as one careful hand would write it. */
export interface Word {
  ar: string;
  latin: string;
  article: boolean;
}

/** A word that stands before or after the proper word of a name. */
export interface Kind {
  ar: readonly string[];
  /** Spellings of the Arabic word. */
  latin: readonly string[];
  /** What it is in English; empty where nobody translates it. */
  en: readonly string[];
}

export interface ProjectName {
  /** `Wahat`, `Dar`: stands before the proper word in Arabic. */
  before: Kind | null;
  proper: Word;
  /** `Gardens`, `Heights`: belongs to the name. */
  after: Kind | null;
  /** `Residence`, `Towers`, `Project`: may be left out or put in. */
  generic: Kind | null;
  number: number | null;
  /** Whether the number is one of a phase, or of the name alone. */
  numbered: 'phase' | 'name';
}

export interface Developer {
  id: number;
  before: Kind | null;
  proper: Word;
}

/** How one copy writes a name. */
export interface NameWriting {
  /** Writes the spelling of the careful hand, or another. */
  respelled: boolean;
  translated: boolean;
  typo: boolean;
  phaseUnstated: boolean;
  city: { ar: string; en: string } | null;
  developer: Developer | null;
}

const words = (table: string): Word[] =>
  table
    .trim()
    .split(/\s*;\s*/)
    .map((row) => {
      const [ar = '', latin = ''] = row.split('|');
      return { ar: ar.replace(/^\+/, ''), latin, article: ar.startsWith('+') };
    });

const kinds = (table: string): Kind[] =>
  table
    .trim()
    .split(/\s*;\s*/)
    .map((row) => {
      const [ar, latin, en] = row.split('|').map((cell) => cell.split(',').filter((word) => word !== ''));
      return { ar: ar ?? [], latin: latin ?? [], en: en ?? [] };
    });

/** `+` where the word takes the article. */
export const PROPER_WORDS = words(`
+ياسمين|Yasmeen; +نخيل|Nakheel; سدرة|Sidrah; وريفة|Wareefah; +عروس|Aroos; +فرسان|Fursan; +فيروز|Fayrooz; +مها|Maha;
+خزامى|Khuzama; +ريحان|Rayhan; +بيلسان|Baylasan; +نرجس|Narjis; +غدير|Ghadeer; +صفوة|Safwah; +نخبة|Nukhbah;
+واجهة|Wajhah; +أصالة|Asalah; +جود|Jood; +رحاب|Rehab; +مسرة|Masarrah; +سحاب|Sahab; +شروق|Shurooq; +لؤلؤ|Lulu;
+مرجان|Murjan; +عقيق|Aqeeq; +زمرد|Zumurrud; +كوثر|Kawthar; +تلال|Tilal; نوران|Nooran; ليان|Layan; تالا|Tala;
لمار|Lamar; رتاج|Retaj; رهف|Rahaf; سما|Sama; مدار|Madar; أثير|Atheer; أجوان|Ajwan; أوركيد|Orkeed; آفاق|Afaq;
إشراق|Ishraq; إيلاف|Eelaf; جنان|Jinan; جوري|Joory; حور|Hoor; دانة|Danah; رمال|Rimal; زهور|Zuhoor; سلسبيل|Salsabeel;
شمس|Shams; صبا|Saba; ضي|Dhay; طويق|Tuwaiq; عالية|Aaliyah; غيم|Ghaym; فجر|Fajr; قمر|Qamar; كيان|Kayan; لافندر|Lavandar;
مسك|Misk; نجد|Najd; هيا|Haya; وسم|Wasm; يقين|Yaqeen; +مجد|Majd; +أمجاد|Amjad; +سلطانة|Sultanah; +درعية|Diriyah;
+قمرية|Qamariyah; +عزيزية|Aziziyah; +نورية|Nooriyah; +خالدية|Khalidiyah; +فهدية|Fahdiyah; +بدرية|Badriyah;
+ثريا|Thurayya; +ذهبية|Dhahabiyah; +صافية|Safiyah; +قادسية|Qadisiyah; +يمامة|Yamamah; +حمراء|Hamra; +بستان|Bustan;
+وسام|Wisam; +ضيافة|Dhiyafah; +ربيع|Rabee; +نسيم|Naseem; +شفق|Shafaq; +سرايا|Saraya; +منازل|Manazil; +هضبة|Hadbah;
+خليج|Khaleej; +أندلس|Andalus; +قيروان|Qayrawan; +رونق|Rawnaq; +بيان|Bayan; +عليا|Olaya; +مرسى|Marsa; +شراع|Shiraa;
+عبير|Abeer; +قرنفل|Qurunful; +سنابل|Sanabil; +ينابيع|Yanabee; +مزن|Muzn; +ديم|Deem; +صقر|Saqr; +ذرى|Dhura
`);

export const BEFORE = kinds(`
دار|Dar|; ديار|Diyar,Dyar,Deyar,Diar|; قصر|Qasr,Kasr,Qaser|Palace; قصور|Qusoor,Qusour,Kusur|Palaces;
واحة|Wahat,Wahet,Waht|Oasis; روابي|Rawabi,Rawaby|Hills; جوهرة|Jawharat,Jawharet,Jauharat|Jewel; مروج|Murooj,Muruj,Morouj|Meadows;
حدائق|Hadaeq,Hadaiq,Hadayek|Gardens; بوابة|Bawabat,Bawabet|Gate; ريف|Reef,Rif|; بيت|Bayt,Bait,Beit|; درة|Durrat,Dorrat,Durat|Pearl;
مشارف|Masharef,Masharif|; نسائم|Nasaem,Nasayim|Breeze; أجمل|Ajmal|; مساكن|Masaken,Masakin|Homes; شرفات|Shorofat,Shurufat|Terraces
`);

/** Sisters differ in these. */
export const AFTER = kinds(`
حدائق,جاردنز||Gardens,Garden; مرتفعات,هايتس||Heights,Hights; بارك||Park; تلال,هيلز||Hills; إطلالات,فيوز||Views,View;
ميدان,سكوير||Square; بوليفارد||Boulevard,Blvd; ليفينج||Living; بلازا||Plaza; فلل,فيلاز||Villas; رايز||Rise; هومز||Homes; باي||Bay
`);

export const GENERIC = kinds(`
مشروع||Project; ريزيدنس,سكن||Residence,Residences,Residential; أبراج||Towers; مجمع,كمباوند||Compound,Complex;
ضاحية||Suburb,Community; إسكان||Housing
`);

export const TOWER: Kind = { ar: ['برج'], latin: ['Burj'], en: ['Tower'] };

export const DEVELOPER_WORDS = words(`
+رواسي|Rawasi; +أركان|Arkan; +مجدية|Majdiyah; رتال|Retal; أجدان|Ajdan; سمو|Sumou; روشان|Roshan; +تعمير|Tameer; +إنماء|Inma;
+بلاد|Bilad; +عمران|Umran; +بنيان|Bunyan; +وطن|Watan; +صروح|Surooh; +قمة|Qimmah; +راسخة|Rasikhah; +أساس|Asas; منصات|Minassat;
+توازن|Tawazun; +ريادة|Riyadah; +عقارات|Aqarat; +حصون|Husoon; مكين|Makeen; +ثبات|Thabat; +مدائن|Madaen; +ركائز|Rakaez;
صفا|Safa; +زاهد|Zahid; +راجح|Rajih; +سديس|Sudays; +مطلق|Mutlaq; +عثيم|Uthaym; +حكير|Hukayr; +ماجد|Majid; +فوزان|Fawzan;
+قحطاني|Qahtani; +شايع|Shaya; +بواردي|Bawardi; +حبيب|Habeeb; +خريف|Khurayf; +جميح|Jumayh; +سليمان|Sulayman; أدير|Adeer;
+أولى|Oula; +تطويرية|Tatweeriyah; مرافق|Marafiq; +جزيرة|Jazeerah; +شرقية|Sharqiyah; +ساحل|Sahil; +نفود|Nufood; +دهناء|Dahna
`);

export const DEVELOPER_BEFORE = kinds(
  `دار|Dar|; ديار|Diyar,Dyar,Deyar|; بناء|Binaa,Bina|; رؤية|Roaya,Ruya|; أصول|Osool,Usool|`,
);

export const MARKETERS = words(`
+وسيط|Waseet; مزاد|Mazad; بوابتي|Bawabati; +تسويق|Tasweeq; وصلة|Waslah; +سوق|Souq; عروض|Orood; +دلال|Dallal; نافذة|Nafithah
`);

const pick = <T>(random: Random, items: readonly T[]): T => random.pick(items);

/** Other spellings of the same sounds; each is taken or left. */
const RESPELLINGS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/iyah$/, ['iya', 'ia', 'iyyah', 'eyah', 'iah']],
  [/([^iy])ah$/, ['$1a', '$1a', '$1at']],
  [/ee/, ['i', 'ie', 'e']],
  [/oo/, ['u', 'ou', 'o']],
  [/^Aa/, ['A']],
  [/q/, ['k', 'g']],
  [/Q/, ['K', 'G']],
  [/ay/, ['ai', 'ei']],
  [/aw/, ['au', 'ou']],
  [/dh/, ['d', 'th', 'z']],
  [/Dh/, ['D', 'Th', 'Z']],
  [/([a-z])\1/, ['$1']],
  [/u(?=[^u]*u)/, ['o']],
  [/^U/, ['O']],
  [/j/, ['g']],
  [/i(?=[a-z]+$)/, ['e']],
];

function respell(random: Random, latin: string): string {
  let spelled = latin;
  for (const [sound, others] of RESPELLINGS)
    if (sound.test(spelled) && random.chance(0.5)) spelled = spelled.replace(sound, pick(random, others));
  return spelled;
}

/** Before these letters the article takes their sound. */
const SUN = /^(Sh|Th|Dh|[TDRZSNL])/;

function latinOf(random: Random, { latin, article }: Word, respelled: boolean): string {
  const word = respelled ? respell(random, latin) : latin;
  if (!article) return word;
  if (!respelled) return `Al ${word}`;
  const sun = SUN.exec(word)?.[0];
  const way = random.next();
  if (way < 0.3) return `Al ${word}`;
  if (way < 0.5) return `Al-${word}`;
  if (way < 0.62) return `El ${word}`;
  if (way < 0.75) return `Al${word.toLowerCase()}`;
  if (way < 0.88 && sun) return `A${sun.toLowerCase()} ${word}`;
  return word;
}

function arabicOf(random: Random, { ar, article }: Word, respelled: boolean): string {
  const word = article ? `ال${ar}` : ar;
  if (!respelled) return word;
  let spelled = word;
  if (random.chance(0.5)) spelled = spelled.replace(/ة$/, 'ه');
  if (random.chance(0.5)) spelled = spelled.replace(/[أإآ]/g, 'ا');
  if (random.chance(0.3)) spelled = spelled.replace(/ى$/, 'ي');
  if (random.chance(0.15)) spelled = spelled.replace(/^ال/, '');
  return spelled;
}

/** One letter of the longest word is left out, doubled, changed, or changes places with the next. */
function mistype(random: Random, text: string): string {
  const parts = text.split(' ');
  const longest = parts.reduce((found, part, at) => (part.length > (parts[found]?.length ?? 0) ? at : found), 0);
  const letters = [...(parts[longest] ?? '')];
  if (letters.length < 4) return text;
  const at = random.int(1, letters.length - 2);
  const letter = letters[at] as string;
  const way = random.int(1, 4);
  if (way === 1) letters.splice(at, 1);
  else if (way === 2) letters.splice(at, 0, letter);
  else if (way === 3) letters.splice(at, 2, letters[at + 1] as string, letter);
  else letters[at] = /[a-z]/i.test(letter) ? pick(random, [...'aeirtsnl']) : pick(random, [...'ابتيسنلر']);
  parts[longest] = letters.join('');
  return parts.join(' ');
}

const ROMAN = ['', 'I', 'II', 'III', 'IV', 'V', 'VI'];
const ORDINALS = ['', 'First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'];
const NUMBERS = ['', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'];
const SUFFIXED = ['', '1st', '2nd', '3rd', '4th', '5th', '6th'];
const ORDINALS_AR = ['', 'الأولى', 'الثانية', 'الثالثة', 'الرابعة', 'الخامسة', 'السادسة'];
const arabicDigits = (number: number): string =>
  String(number).replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));

function numberInEnglish(random: Random, number: number, numbered: ProjectName['numbered']): string {
  if (numbered === 'name') return pick(random, [String(number), String(number), ROMAN[number] ?? String(number)]);
  return pick(random, [
    `Phase ${number}`,
    `Phase ${number}`,
    `- Phase ${number}`,
    `(Phase ${ROMAN[number]})`,
    `Phase ${NUMBERS[number]}`,
    `Ph. ${number}`,
    `Ph${number}`,
    `${ORDINALS[number]} Phase`,
    `${SUFFIXED[number]} Phase`,
    `${ROMAN[number]}`,
    `${number}`,
  ]);
}

function numberInArabic(random: Random, number: number, numbered: ProjectName['numbered']): string {
  if (numbered === 'name') return pick(random, [String(number), arabicDigits(number)]);
  return pick(random, [
    `المرحلة ${ORDINALS_AR[number]}`,
    `المرحلة ${ORDINALS_AR[number]}`,
    `- المرحلة ${number}`,
    `المرحلة ${arabicDigits(number)}`,
    `(مرحلة ${number})`,
    `المرحله ${ORDINALS_AR[number]?.replace(/ة$/, 'ه')}`,
    `${number}`,
    arabicDigits(number),
  ]);
}

export function nameInEnglish(random: Random, name: ProjectName, how: NameWriting): string {
  let proper = latinOf(random, name.proper, how.respelled);
  if (how.typo) proper = mistype(random, proper);
  const parts: string[] = [];
  let behind = '';
  if (name.before) {
    if (how.translated && name.before.en.length > 0) behind = pick(random, name.before.en);
    else parts.push(how.respelled ? pick(random, name.before.latin) : (name.before.latin[0] as string));
  }
  parts.push(proper);
  if (behind !== '') parts.push(behind);
  if (name.after) parts.push(how.respelled ? pick(random, name.after.en) : (name.after.en[0] as string));
  if (name.generic) parts.push(pick(random, name.generic.en));
  if (how.city && random.chance(0.7)) parts.push(how.city.en);
  if (name.number !== null && !how.phaseUnstated) parts.push(numberInEnglish(random, name.number, name.numbered));
  const text = parts.join(' ');
  if (!how.developer) return text;
  const developer = shortDeveloper(random, how.developer, 'en', how.respelled);
  return random.chance(0.5) ? `${text} by ${developer}` : `${developer} ${text}`;
}

export function nameInArabic(random: Random, name: ProjectName, how: NameWriting): string {
  let proper = arabicOf(random, name.proper, how.respelled);
  if (how.typo) proper = mistype(random, proper);
  const parts: string[] = [];
  if (name.generic) parts.push(pick(random, name.generic.ar));
  if (name.before) parts.push(name.before.ar[0] as string);
  if (name.after) {
    const after = how.translated ? pick(random, name.after.ar) : (name.after.ar[0] as string);
    // A word of Arabic stands before the name, one taken from English behind it.
    if (after === name.after.ar[0] && name.after.ar.length > 1) parts.push(after, proper);
    else parts.push(proper, after);
  } else parts.push(proper);
  if (how.city && random.chance(0.7)) parts.push(how.city.ar);
  if (name.number !== null && !how.phaseUnstated) parts.push(numberInArabic(random, name.number, name.numbered));
  const text = parts.join(' ');
  if (!how.developer) return text;
  const developer = shortDeveloper(random, how.developer, 'ar', how.respelled);
  return random.chance(0.5) ? `${text} من ${developer}` : `${text} - ${developer}`;
}

function shortDeveloper(
  random: Random,
  { before, proper }: Developer,
  language: 'en' | 'ar',
  respelled: boolean,
): string {
  if (language === 'ar') return [...(before ? [before.ar[0]] : []), arabicOf(random, proper, respelled)].join(' ');
  const first = before ? [respelled ? pick(random, before.latin) : before.latin[0]] : [];
  return [...first, latinOf(random, proper, respelled)].join(' ');
}

const LEGAL_EN = [
  '* Real Estate',
  '* Real Estate Co.',
  '* Real Estate Company',
  '* Company',
  '* Real Estate Development',
  '* Development Co',
  '* Developments',
  '* Holding',
  '* Group',
  '* Real Estate CJSC',
  '* Urban Development Company (CJSC)',
  '* Properties',
  '* for Real Estate Development LLC',
];
const LEGAL_AR = [
  'شركة *',
  'شركة * العقارية',
  '* العقارية',
  'شركة * للتطوير العقاري',
  '* للتطوير والاستثمار العقاري',
  'مجموعة *',
  'شركة * القابضة',
  'شركة * العقارية مساهمة مقفلة',
  'مؤسسة * للعقارات',
  'شركة * للتطوير العمراني المحدودة',
];

export function developerName(
  random: Random,
  developer: Developer,
  language: 'en' | 'ar',
  how: { respelled: boolean; legal: boolean },
): string {
  const short = shortDeveloper(random, developer, language, how.respelled);
  return how.legal ? pick(random, language === 'en' ? LEGAL_EN : LEGAL_AR).replace('*', short) : short;
}

/** The first letters of its words and of its trade, as on a sign. */
export function abbreviated({ before, proper }: Developer): string {
  const letters = [before?.latin[0], proper.article ? 'Al' : null, proper.latin].flatMap((word) => word?.[0] ?? []);
  return `${letters.join('').toUpperCase()}RED`;
}
