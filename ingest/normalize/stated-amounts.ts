import { foldLines } from '#domain/fold.ts';
import type { RentFrequency } from '#domain/listing-vocabulary.ts';
import { readNumber } from '#domain/text/numerals.ts';
import { CURRENCIES, type Currency, currenciesIn, inSar, SAR, USD } from './currencies.ts';
import { readDigits } from './numbers.ts';
import { MAX_TEXT, matchesOf, wholeWords } from './patterns.ts';

export type AmountRole =
  | 'total'
  | 'unit'
  /** Lowest price of several units, or the opening price of an auction. */
  | 'start'
  | 'down'
  /** Remaining bank debt, or an amount already paid. */
  | 'equity'
  | 'share'
  | 'instalment'
  | 'furniture'
  | 'rent'
  | 'per_sqm'
  /** Bids, fees, rental income, earlier prices, or goods sold with the home. */
  | 'other';

export interface StatedAmount {
  role: AmountRole;
  /** Amount in SAR. */
  amount: number;
  dollars: number | null;
  period: RentFrequency | null;
  words: string;
}

const MAX_WORDS_CHARACTERS = 80;

interface Token {
  text: string;
  kind: 'number' | 'word' | 'mark' | 'end';
}

const TOKEN = /([mم]2(?![\p{L}\p{N}]))|(\d+(?:[.,،'’]\d+)*)|([\p{L}\p{M}]+)|([%٪$/:+-])|([\n|;؛()*]|\.(?=\s|$))/gu;
const SIGNS = /[^\p{L}\p{M}\p{N}\p{Sc}\s.,،'’%٪/:+()|;؛*-]+/gu;

function tokensOf(line: string): Token[] {
  return matchesOf(line, TOKEN).map(([, unit, number, word, mark, end]): Token => {
    if (number !== undefined) return { text: number, kind: 'number' };
    if (unit !== undefined || word !== undefined) return { text: (unit ?? word) as string, kind: 'word' };
    return mark === undefined ? { text: end as string, kind: 'end' } : { text: mark, kind: 'mark' };
  });
}

/** Returns the folded lines of a text, up to a maximum total length. Symbols and emojis become `|`. */
export function foldedLines(text: string): string[] {
  return foldLines(text.slice(0, MAX_TEXT).replace(/[\ufe0f\u20e3]/g, ''))
    .replace(SIGNS, ' | ')
    .replace(/ {2,}/g, ' ')
    .replace(RIYALS, 'ريال')
    .replace(/دولار ام[ير]+كي/g, 'دولار')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const RIYALS = /(?<![\p{L}\p{N}])ر ?\. ?س(?![\p{L}\p{N}])\.?|ريال سعودي/gu;

export const clausesOf = (line: string): string[] => line.split(/[|*.!،,؛;:]+|\s-\s/).map((clause) => clause.trim());

/**
 * Parses a number before a word, which may be a multiplier. As in a field, ambiguous digits are decimal before millions
 * and grouped without a multiplier, as amounts of money are; `1.250 ألف` may be either.
 */
function numberOf(digits: string, multiplier = 1): number {
  const values = readDigits(digits);
  const [first, decimal = first] = values;
  if (multiplier === 1e6) return decimal ?? Number.NaN;
  const isFew = multiplier === 1e3 && values.length > 1 && (decimal ?? 0) < 10;
  return isFew ? Number.NaN : (first ?? decimal ?? Number.NaN);
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ...['الف', 'الاف', 'k', 'thousand'].map((word) => [word, 1e3] as const),
  ...['مليون', 'ملايين', 'million', 'millions', 'mn', 'm'].map((word) => [word, 1e6] as const),
]);
interface Amount {
  value: number;
  marked: boolean;
  currency: Currency;
  from: number;
  to: number;
}

const CURRENCY = /^(?:ريال|ر|رس|sar|sr|riyals?|s)$/;
const DOLLARS = /^(?:usd|us|dollars?|دولار)$/;
const CODES: ReadonlyMap<string, Currency> = new Map(
  CURRENCIES.filter(({ currency }) => currency !== SAR && currency !== USD).map(({ currency }) => [
    currency.code.toLowerCase(),
    currency,
  ]),
);
/** Replaces the names of currencies that are not one word, and of those other than riyals and dollars, with codes. */
function withCodes(line: string): string {
  return currenciesIn(line).reduceRight((text, { currency, from, to }) => {
    const code = currency.code.toLowerCase();
    const isWord = !CODES.has(code) && !/[.\u20c1]/.test(line.slice(from, to));
    return isWord ? text : `${text.slice(0, from)} ${code} ${text.slice(to)}`;
  }, line);
}
const withoutAnd = (word: string): string => (word.length > 2 && word.startsWith('و') ? word.slice(1) : word);

const wordAt = (tokens: readonly Token[], at: number): string =>
  tokens[at]?.kind === 'word' ? (tokens[at] as Token).text : '';

function amountAt(tokens: readonly Token[], from: number): Amount | null {
  let next = from;
  let value: number;
  let marked = false;
  const first = tokens[from] as Token;
  if (first.kind === 'number') {
    value = numberOf(first.text, UNITS.get(wordAt(tokens, next + 1)));
    next++;
    if (wordAt(tokens, next) === 'and' && wordAt(tokens, next + 1) === 'a' && wordAt(tokens, next + 2) === 'half') {
      value += 0.5;
      next += 3;
    }
  } else {
    const bare = first.text.replace(/^(?:وب|ب|و|ال)(?=مليون)/, '');
    if (bare !== 'مليون' && bare !== 'مليونين') return null;
    return restOfMillions(bare === 'مليون' ? 1e6 : 2e6, from, from + 1, tokens);
  }
  const unit = UNITS.get(wordAt(tokens, next));
  if (unit !== undefined) {
    next++;
    marked = true;
    // `850,000 ألف` means 850,000.
    if (unit === 1e3) value = value < 10_000 ? value * 1e3 : value;
    else if (value < 1_000) return restOfMillions(value * 1e6, from, next, tokens);
  }
  return withCurrency({ value, marked, currency: SAR, from, to: next }, tokens);
}

/** Reads the remainder of a number of millions: thousands with or without a unit word, a half, or hundreds in words. */
function restOfMillions(millions: number, from: number, start: number, tokens: readonly Token[]): Amount | null {
  let next = start;
  let value = millions;
  const isJoined = wordAt(tokens, next) === 'و' || wordAt(tokens, next) === 'and';
  if (isJoined) next++;
  const half = /^و?(?:نصف|نص)$/.test(wordAt(tokens, next)) ? 0.5 : /^و?ربع$/.test(wordAt(tokens, next)) ? 0.25 : 0;
  const follows = tokens[next];
  if (half > 0) {
    value += half * 1e6;
    next++;
  } else if (
    follows?.kind === 'number' &&
    !/^(?:م|متر|م2|m2|sqm|سنه|سنوات|شقه|غرف|دفعات|%)$/.test(tokens[next + 1]?.text ?? '')
  ) {
    const rest = numberOf(follows.text);
    if (rest < 1e6) {
      value += rest < 1_000 ? rest * 1e3 : rest;
      next++;
      if (UNITS.get(wordAt(tokens, next)) === 1e3) next++;
    }
  } else {
    for (;;) {
      const words = [next, next + 1].map((at) => withoutAnd(wordAt(tokens, at)));
      const rest = readNumber(words, 0);
      // Smaller numbers count rooms or years. English words for tens and hundreds are not supported.
      if (rest === null || rest.value < 10 || /^[a-z]/.test(words[0] ?? '')) break;
      value += rest.value * 1e3;
      next += rest.length;
    }
    // If the remainder in words cannot be parsed, the amount is unknown.
    if (value === millions && isJoined) return null;
    if (value > millions && UNITS.get(wordAt(tokens, next)) === 1e3) next++;
  }
  return withCurrency({ value, marked: true, currency: SAR, from, to: next }, tokens);
}

/** Null if the number or the rate of the currency is unknown. */
function withCurrency(amount: Amount, tokens: readonly Token[]): Amount | null {
  const before = wordAt(tokens, amount.from - 1);
  const behind = wordAt(tokens, amount.to);
  const dollars = DOLLARS.test(before) || DOLLARS.test(behind) || tokens[amount.from - 1]?.text === '$';
  const currency = CODES.get(behind) ?? CODES.get(before) ?? (dollars ? USD : SAR);
  if (currency.sar === null || Number.isNaN(amount.value)) return null;
  const marked = amount.marked || currency !== SAR || CURRENCY.test(before) || CURRENCY.test(behind);
  const isNamed = CURRENCY.test(behind) || DOLLARS.test(behind) || CODES.has(behind);
  return { ...amount, marked, currency, to: isNamed ? amount.to + 1 : amount.to };
}

const words = (source: string): RegExp => wholeWords(source, 'gu');
/** Optional prefixes of a word: `و`, `ب` and the article. */
const PRE = '(?:و|ف)?(?:ب)?(?:ال)?';

interface RoleRule {
  role: AmountRole;
  words: RegExp;
  period?: RentFrequency;
  /** Example texts whose last amount has the role. */
  examples: readonly string[];
}

/** Words anywhere before an amount. These rules apply before all others. */
const INCOME_AND_GOODS: readonly RoleRule[] = [
  {
    role: 'other',
    words: words('(?:ال)?(?:موجر|مجر|مستاجر|مستثمر)(?:ه)?|تاجيرها|دخل|دخلها|rented|let|income'),
    examples: ['الشقة مؤجرة بمبلغ 78 الف', 'موجره بعقد سنوي بقيمه 23 الف ريال', 'Rented for 60,000'],
  },
  {
    role: 'equity',
    words: words(
      '(?:(?:عليها|عليه|علي|فك) (?:ال)?(?:بنك|قرض|رهن|صندوق|مديونيه)|(?:لل|ل|ال)سداد|سداد المبكر)(?!.*(?:بيع|سعر|مطلوب|الحد|سوم|يبغي))',
    ),
    examples: ['عليها قرض بقيمة 400 الف', 'للسداد 275000'],
  },
  {
    role: 'furniture',
    words: words(
      '(?:ال)?(?:مطبخ|اثاث|طاوله|مكيفات|طعام|تاثيث)[^\\n]{0,30} (?:قيمته|قيمتها|سعره|سعرها|تكلفته|بقيمه)|زياده علي السعر|زياده',
    ),
    examples: ['المطبخ الراكب قيمته 55 الف', 'زيادة على السعر 20 الف'],
  },
];

/** Words before an amount. The last one that matches determines its role. */
const BEFORE: readonly RoleRule[] = [
  {
    role: 'total',
    words: words(
      `${PRE}(?:سعر|سعره|سعرها|مطلوب|حد|حدها|قيمه|قيمتها|قيمته)|السعر الاجمالي|اجمالي السعر|والاجمالي|${PRE}بيع(?: ب| علي| بمبلغ)?|البيعه|وصار|صار|علي شور|شور|` +
        'price[sd]?|priced at|asking|now|total|full price|asks?',
    ),
    examples: ['السعر ٨٥٠ ألف', 'السعر: 850.000 الف', 'البيع مليونين و 50 الف ريال', 'asking 850k SAR'],
  },
  {
    role: 'start',
    words: words(
      '(?:ت|ي|ب)بد[اي]?ء?|(?:ت|ي|ب)بدا? من|(?:ت|ي)بدا(?:ء)? (?:من|ب)|تبتدي|ابتدا(?:ء)?ا? ?من|بدايه|من بدايه|بدا من|ابتداء|' +
        '(?:ال)?اسعار(?:ها|هم|نا)? (?:من|بين|تتراوح)|(?:ب|و)(?:ال)?اسعار(?:ها)? (?:من|بين|تتراوح)|تتراوح بين|واسعار من|(?:ال)?مزاد|(?:ال)?افتتاح(?:ي|ه)?|' +
        'prices?(?: are| range)? (?:from|start(?:s|ing)? (?:from|at))|start(?:s|ing)?(?: price)? (?:from|at)|starting price(?: of| is)?|from only|' +
        'prices (?:range|vary) from|between|opening (?:bid|price)|bidding starts at|reserve price(?: of the auction)?|auction[a-z ]*',
    ),
    examples: ['الأسعار تبدأ من 780 الف', 'Prices from 590 to 720k', 'افتتاح المزاد 500 الف'],
  },
  {
    role: 'down',
    words: words(
      `${PRE}دفع[هة]? ?(?:ال)?(?:مقدمه|اولي|اول)(?: فقط)?|${PRE}(?:مقدم|عربون)|(?:ال)?دفعه اولي مقدم|` +
        '(?:مبلغ|رسوم|عربون|وعربون)(?: ال| )حجز|مبلغ الحجز|رسوم الحجز|بعربون|احجز(?:ها)? ب|عربون الحجز|' +
        'down ?payments?|first payment|deposit|(?:reservation|booking) (?:fee|deposit|amount)|book(?:ing)? (?:with|for)',
    ),
    examples: ['دفعة أولى 30٪ 377,700', 'احجز بعربون 10 آلاف فقط', 'Down payment SAR 300,000'],
  },
  {
    role: 'equity',
    words: words(
      `${PRE}متبقي(?:ه)?|${PRE}باقي|${PRE}تنازل|للتنازل|مدفوع|دفعت|دفع|يكمل|قرض|القرض|(?:ال)?رهن|مرهونه|` +
        'مديونيه|مديونة|التزام|سداد(?: مبكر)?|السداد|' +
        'equity|remain(?:s|ing)?|outstanding|take ?over|takes over|loan|mortgage|assignment|paid(?: so far)?|transfer fee',
    ),
    examples: ['متبقي عليها البنك الراجحي 270 الف', 'Outstanding loan 500,000'],
  },
  {
    role: 'unit',
    words: words('(?:و)?(?:ال)?دور (?:ال)?(?:ارضي|اول|ثاني|ثالث|علوي)(?= ?$)'),
    examples: ['الدور الأول 650 ألف'],
  },
  {
    role: 'share',
    words: words(`(?:${PRE})?(?:حصه|حصتي|نصيب|نصيبي|ثلث|نصف العقار)|share|half`),
    examples: ['نصيبي 425000', 'Half share 425,000'],
  },
  {
    role: 'instalment',
    words: words(
      '(?:ال|ب|و|بال)?(?:قسط|اقساط)(?: ال?شهري(?:ه)?)?|قسط شهري|(?:كل|ال|و?ال)?دفعه(?! (?:ال)?اول)|دفعات|دفعتين|' +
        'instal?lments?|monthly payments?|payments? of|each payment',
    ),
    examples: ['كل دفعة 30 الف', 'Monthly instalment 3,500 SAR', 'Monthly payment 3,500 SAR'],
  },
  {
    role: 'furniture',
    words: words(
      '(?<!(?:بدون|شامل|مع|غير) (?:ال)?)(?:لل|ال)?(?:اثاث|عفش)|(?<!(?:without|including|with) )(?:furniture|contents)',
    ),
    examples: ['للأثاث 40 ألف', 'Furniture SAR 40,000'],
  },
  {
    role: 'rent',
    words: words(
      `${PRE}(?:ايجار|ايجارها|اجار|تاجير)(?:ات)?(?: ال?(?:سنوي|شهري))?|للايجار|rent(?: is)?|yearly rent|annual rent|monthly rent|rental`,
    ),
    examples: ['الإيجار 60 الف', 'Annual rent 60,000'],
  },
  {
    role: 'per_sqm',
    words: words('(?:سعر )?(?:ال|لل|ب|بال)?متر(?: ال?مربع)?(?: ب)?|per (?:sqm|m2|meter|metre|square)'),
    examples: ['سعر المتر 5,667'],
  },
  {
    role: 'other',
    words: words(
      `${PRE}(?:سوم|سومه|سومها|سيمت|سايم|مسيومه|عليها|عليه|وصل|وصلت|واصل|كان|كانت|قبل|سابق|سابقا|عمول[ههت]*|سعي|ضريب[هة]|رسوم|تكلفه|تكلفتها|قيمه التاثيث|دخل|دخلها|مدخول|مدخولها|عائد|عايد|مؤجره|موجره|مجره|مستاجره|موجر|مستثمره|مستاجر|تامين|غرامه|دعم|خصم|تخفيض|خفض|نزل|نزلت|خصومات|راتب|رواتب|تقييم|مقيمه|صيانه|رقم|جوال|ترخيص|هاتف|يدفع|عداد|شراء|اشتريت|شريت|تكييف|حارس|الحارس|اتحاد)|` +
        'bids?|offers?(?: reached)?|was|reduced from|before|fee|fees|charge|commission|tax|vat|income|rented(?: at| for)?|let for|service|valued|bought|license|licence|discount|support|salary|no|number|budget',
    ),
    examples: ['السوم وصل 820 الف', 'رسوم الصيانة 6000 ريال', 'Reduced from SAR 950,000', 'commission 20,000'],
  },
];

/** Words directly after an amount that determine its role. */
const BEHIND: readonly RoleRule[] = [
  {
    role: 'per_sqm',
    words: /^(?:\/ ?|per |a |لل|لكل |كل )(?:m2|م2|sqm|sq|square|met(?:er|re)|المتر|متر|م)(?![\p{L}\p{N}])/u,
    examples: ['850 ألف للمتر', '5,000 SAR per sqm'],
  },
  {
    role: 'instalment',
    words:
      /^(?:قسط|كقسط|اقساط(?! (?:متاح|ميسر|مريح))|شهريا? قسط|instal(?!\w* (?:available|accepted|possible|welcome|offered)))/u,
    examples: ['3500 قسط شهري', 'السعر 3,500 SAR instalment'],
  },
  {
    role: 'down',
    words: /^(?:دفعه اولي|مقدم(?![\p{L}])|عربون|down ?payment|deposit|only to (?:book|reserve)|to reserve)/u,
    examples: ['377,700 دفعة أولى', '20,000 SAR only to reserve'],
  },
  {
    role: 'equity',
    words:
      /^(?:للبنك|للصندوق|و?يكمل|ونقل|مع نقل|علي البنك|والباقي|والمتبقي|متبقي|باقي|is left|remain|left to|to the owner|equity)/u,
    examples: ['360 الف للبنك', '270,000 is left to the bank'],
  },
  {
    role: 'rent',
    period: 'semiannually',
    words:
      /^(?:(?:كل|for|every|in)? ?(?:سته|ست|6|six) ?(?:اشهر|شهور|months)|(?:ال)?نصف سنوي|نصف السنه|half[- ]?yearly|semi)/u,
    examples: ['الإيجار 30000 كل ستة أشهر'],
  },
  {
    role: 'rent',
    period: 'quarterly',
    words: /^(?:كل|for|every)? ?(?:ثلاثه|3|three) (?:اشهر|شهور|months)|^(?:ربع سنوي|quarterly)/u,
    examples: ['الإيجار 15000 كل ثلاثة أشهر', 'Rent 15,000 quarterly'],
  },
  {
    role: 'rent',
    period: 'monthly',
    words: /^(?:شهري|شهريا|بالشهر|في الشهر|كل شهر|ال?شهري|per month|a month|monthly|\/ ?(?:month|شهر))/u,
    examples: ['الإيجار 4500 شهريا', '4,500 SAR per month'],
  },
  {
    role: 'rent',
    period: 'daily',
    words: /^(?:يومي|يوميا|في اليوم|باليوم|لليله|لليوم|per (?:day|night)|a (?:day|night)|daily|nightly)/u,
    examples: ['400 ريال يوميا', 'SAR 400 per night'],
  },
  {
    role: 'rent',
    period: 'weekly',
    words: /^(?:اسبوعي|اسبوعيا|في الاسبوع|per week|a week|weekly)/u,
    examples: ['1500 ريال في الأسبوع'],
  },
  {
    role: 'rent',
    period: 'yearly',
    words:
      /^(?:سنوي|سنويا|سنويه|في السنه|بالسنه|للسنه|per year|a year|yearly|annual|per annum|p ?\. ?a|\/ ?(?:year|سنه))/u,
    examples: ['60 ألف سنويا', '60,000 SAR per annum'],
  },
  { role: 'rent', words: /^(?:ايجار|دخل|income|rent)/u, examples: ['60 الف دخل'] },
  {
    role: 'start',
    words: /^(?:الي|حتي|to|up to) (?:\d{5}|\d[\d,.]* (?:الف|مليون|k|m|million))/u,
    examples: ['850 الف الى 950 الف'],
  },
  {
    role: 'total',
    words: /^(?:excluding commission|including commission|net|كاش|صافي|قابل للتفاوض|غير قابل|negotiable|شامل السعي)/u,
    examples: ['850 الف كاش', '850,000 SAR net'],
  },
];

export const ROLE_RULES: readonly RoleRule[] = [...INCOME_AND_GOODS, ...BEFORE, ...BEHIND];

const PERIODS_BEFORE: readonly (readonly [RentFrequency, RegExp])[] = [
  ['monthly', /(?:ال)?شهري(?:ه|ا)?(?![\p{L}])|monthly/u],
  ['semiannually', /نصف سنوي|كل دفعه|half[- ]?yearly|every six months/u],
  ['daily', /يومي|daily|nightly/u],
  ['yearly', /سنوي|yearly|annual/u],
];

/** From this value, a number counts as money without a currency or multiplier. */
const MONEY = 10_000;
const WINDOW = 6;

/** Roles that take precedence over a word for price or value before the amount: `مؤجرة بقيمة`, `تبدأ الأسعار من`. */
const OUTWEIGHS: ReadonlySet<string> = new Set<AmountRole>(['start', 'rent']);
const UNITS_NAMED = words(
  'شقق|ادوار|فلل|كل (?:شقه|الادوار|دور|وحده)|(?:ال)?شقه رقم|رقم (?:واحد|ثنين|اثنين)|شقه \\d{1,2}|شقتين|كما|يتوفر|متوفر|يوجد لدينا|(?:ال)?(?:اولي|ثانيه|ثالثه)|الاراضي|بعض|(?:ال)?علوي(?:ه)?|(?:ال)?ملحق|شقه السطح|' +
    'units?|other|another|each',
);

function roleBefore(window: string): AmountRole | null {
  const always = INCOME_AND_GOODS.find(({ words }) => window.search(words) >= 0);
  if (always !== undefined) return always.role;
  let role: AmountRole | null = null;
  let end = -1;
  let begin = -1;
  for (const { role: candidate, words } of BEFORE)
    for (const match of matchesOf(window, words)) {
      const to = match.index + match[0].length;
      if (candidate === 'total' && role !== null && OUTWEIGHS.has(role)) continue;
      if (to > end || (to === end && match.index < begin) || (role === 'total' && OUTWEIGHS.has(candidate))) {
        role = candidate;
        end = to;
        begin = match.index;
      }
    }
  return role === 'total' && window.search(UNITS_NAMED) >= 0 ? 'unit' : role;
}

/** A fast precheck for texts with an amount. It misses amounts such as `20 thousand`, without three digits. */
const MAYBE_AMOUNT = /\d{3}|\d ?(?:[km]|ال[فا]|مل)|مليون|million/;

/** Returns the last words of a line, a heading or an open sentence, if they can give an amount on the next a role. */
function leadOf(line: string): string {
  if (/\d/.test(line)) return '';
  const words = line.split(' ');
  return words.length < WINDOW || OPEN_END.test(line) ? words.slice(1 - WINDOW).join(' ') : '';
}
const OPEN_END = / (?:من|from|at|for)$/;

/** Returns the amounts that have a role, in text order. */
export function statedAmounts(lines: readonly string[]): StatedAmount[] {
  const found: StatedAmount[] = [];
  let previous = '';
  for (const line of lines) {
    const lead = previous;
    previous = leadOf(line);
    if (!MAYBE_AMOUNT.test(line)) continue;
    const tokens = tokensOf(withCodes(line));
    /** Start of the words before the next amount, which is the end of the previous amount. */
    let begin = 0;
    let carried: AmountRole | null = null;
    for (let from = 0; from < tokens.length; from++) {
      const kind = (tokens[from] as Token).kind;
      if (kind !== 'number' && kind !== 'word') continue;
      const amount = amountAt(tokens, from);
      if (amount === null) continue;
      const stated = readAmount(tokens, amount, begin, lead, carried);
      from = amount.to - 1;
      if (stated === null) continue;
      begin = amount.to;
      carried = stated.role;
      found.push(stated);
    }
  }
  return found;
}

function strongerRole(before: AmountRole | null, behind: AmountRole | null, after: string): AmountRole | null {
  // `السعر 500 ألف بنك` is a price for buyers with a loan, `عليها 100 ألف بنك` is a debt.
  if (before === 'other' && after.startsWith('بنك')) return 'equity';
  if (before === null || behind === null) return before ?? behind;
  // `مؤجرة بـ 60 ألف سنويا` is the income of a home, `السعر 60 ألف سنويا` its rent.
  const isWeaker =
    behind === 'total' || behind === 'start' || (behind === 'rent' && (before === 'other' || before === 'instalment'));
  return isWeaker ? before : behind;
}

const AREA_UNIT = /^(?:م|متر|م2|m2|sqm|sq|meters?|metres?)$/;
/** Words that indicate a price if they directly precede a number without a currency. */
const ADJACENT =
  /(?:سعر|سعره|سعرها|بيع|حد|مطلوب|قيمه|قيمتها|صافي|شور|من|اسعار|اسعارها|السوم|ب|price|asking|from|at)(?: (?:ب|علي|من|فقط|هو|النهايي|is|only))?$/u;
const BEHIND_AREA = /^[\d.,]+ ?(?:م|متر|م2|m2|sqm)$/u;
const AREAS = /مساح\p{L}*(?!.*(?:سعر|اسعار))|(?:area|size)s?(?!.*price)/u;

/** Words between the bounds of a range. The upper bound gets the role of the lower one. */
const RANGE = /^(?:(?:و)?(?:الي|ال|لي|حتي|الين|لحد|لين|وحتي|to|up to|and|و)|-)$/u;

function readAmount(
  tokens: readonly Token[],
  amount: Amount,
  begin: number,
  lead: string,
  carried: AmountRole | null,
): StatedAmount | null {
  const before: string[] = [];
  for (let at = amount.from - 1; at >= begin && before.length < WINDOW; at--) {
    const token = tokens[at] as Token;
    if (token.kind === 'end' && !'()*'.includes(token.text)) break;
    if (token.kind === 'word' || token.kind === 'number') before.unshift(token.text);
  }
  const behind: string[] = [];
  for (let at = amount.to; at < tokens.length && behind.length < WINDOW; at++) {
    const token = tokens[at] as Token;
    if (token.kind === 'end' && !'()'.includes(token.text)) break;
    if (token.kind === 'end' || (token.kind === 'mark' && token.text !== '/')) continue;
    behind.push(token.text);
  }
  const next = tokens[amount.to];
  // Before `%`, the number is a percentage. Before `+`, it is a count of days or rooms, or part of a telephone number.
  if (next?.text === '%' || next?.text === '٪' || next?.text === '+') return null;
  if (!amount.marked && AREA_UNIT.test(next?.text ?? '')) return null;
  const own = before.filter((word) => !CURRENCY.test(word)).join(' ');
  const window = own === '' && begin === 0 ? lead : own;
  const after = behind.join(' ');
  const hit = BEHIND.find(({ words }) => words.test(after));
  const isRange = carried !== null && before.length > 0 && RANGE.test(before.join(' '));
  // An amount in another currency counts as a price in any context; a marked amount directly after an area is the price
  // of a unit.
  const bare = amount.currency !== SAR ? 'total' : amount.marked && BEHIND_AREA.test(own) ? 'unit' : null;
  const role = strongerRole(isRange ? carried : roleBefore(window), hit?.role ?? null, after) ?? bare;
  if (role === null) return null;
  let { value } = amount;
  if (!amount.marked && value < MONEY) {
    if (role === 'rent' || role === 'per_sqm' || role === 'instalment' || role === 'furniture' || role === 'down') {
      if (value < 100) return null;
    } else {
      // `السعر 920` means thousands. Numbers that count meters, rooms or years are excluded.
      const isCount = value < 100 || /^(?:م|متر|م2|m2|sqm|sq|غرف|شقه|شقق|سنه|وحده|x|\/)/u.test(after);
      if (isCount || (!isRange && !ADJACENT.test(window)) || AREAS.test(window)) return null;
      value *= 1e3;
    }
  }
  if (value <= 0) return null;
  const period = hit?.period ?? PERIODS_BEFORE.find(([, pattern]) => pattern.test(window))?.[0] ?? null;
  const stated = tokens.slice(amount.from, amount.to).map(({ text }) => text);
  return {
    role,
    amount: amount.currency === SAR ? value : Math.round(inSar(value, amount.currency)),
    dollars: amount.currency === USD ? value : null,
    period,
    words: snippet([window, stated.join(' '), behind.slice(0, 3).join(' ')]),
  };
}

export function snippet(parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== '').join(' ');
  return joined.length > MAX_WORDS_CHARACTERS ? joined.slice(0, MAX_WORDS_CHARACTERS).toWellFormed().trimEnd() : joined;
}
