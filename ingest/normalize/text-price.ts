import {
  type ListingType,
  PAYMENTS_PER_YEAR,
  type QualityFlag,
  type RentFrequency,
} from '#domain/listing-vocabulary.ts';
import type { AmountRole } from './amount-roles.ts';
import { isAbout } from './numbers.ts';
import { END, START } from './patterns.ts';
import { clausesOf, type StatedAmount, snippet, statedAmounts } from './stated-amounts.ts';

export interface TextReading {
  flag: QualityFlag;
  /** Folded words from the text, at most 80 characters. */
  words: string;
  /** Amount in SAR, or in square meters for an area; null if the words state none. */
  amount: number | null;
}

export interface PriceVerdict {
  /** Rent period of the posted amount according to the text, if the source states none; otherwise null. */
  frequency: RentFrequency | null;
  implausible: QualityFlag | null;
  readings: TextReading[];
}

export interface PostedPrice {
  amount: number;
  yearly: number;
  /** Rent period that the source states; null for a sale, or if the source states none and a year is assumed. */
  period: RentFrequency | null;
}

/** Maximum relative difference that rounding explains. */
const SAME = 0.015;
/** Maximum relative difference that tax (5%) and commission (2.5%) explain, which one of the prices may include. */
const TOLERANCE = 0.075;
/** Shares of the posted price outside of which a price in the text makes the posted price implausible. */
const PLAUSIBLE_SHARE: readonly [number, number] = [2 / 3, 3 / 2];
/** Ratio to the lowest unit price below which the posted price is not compared with the prices of units. */
const FAR = 4;

const SIMILAR_AREA = 0.15;

/** Plausible range of the price per square meter for a total price. */
const PER_SQM: Readonly<Record<ListingType, readonly [number, number]>> = { sale: [1_000, 40_000], rent: [40, 4_000] };
const PER_SQM_OF_LAND: readonly [number, number] = [20, 60_000];
/** Plausible range of the total price if the area is unknown. */
const WHOLE: Readonly<Record<ListingType, readonly [number, number]>> = {
  sale: [60_000, 100_000_000],
  rent: [3_000, 3_000_000],
};

const PART_ROLES: ReadonlySet<AmountRole> = new Set<AmountRole>(['down', 'equity', 'share', 'instalment', 'furniture']);

const HOME =
  '(?:ال)?(?:شقه|فيلا|فله|دور|عقار|ارض|بيت|عماره|دوبلكس|استوديو|منزل)|(?:apartment|villa|floor|studio|flat|house|property|unit|plot|land|home|townhouse|duplex)';
const THE_HOME = `(?:${HOME})${END}`;
interface Phrase {
  words: RegExp;
  examples: readonly string[];
}

const phrase = (source: string): RegExp => new RegExp(`${START}(?:${source})`, 'u');

/** Phrases without an amount that indicate a price for part of the home or for something else. */
export const PART_PHRASES: readonly Phrase[] = [
  {
    words: phrase(`(?:للبيع|بيع|البيع|المعروض|اعرض|ابيع) (?:علي |ل)?(?:نصف|ثلث|ربع|حصه) ${THE_HOME}`),
    examples: ['المعروض للبيع نصف الفيلا', 'بيع على ثلث العقار'],
  },
  { words: phrase(`(?:البيع|بيع) لنصف`), examples: ['البيع لنصف العقار فقط والسعر 425000'] },
  {
    words: phrase(`(?:نصف|ثلث|ربع) ${THE_HOME} (?:مشاع|مشاعه|مع شريك|فقط|للبيع)`),
    examples: ['للبيع نصف شقة مشاع', 'ربع الارض مع شريك'],
  },
  {
    words: phrase(`(?:حصه|حصتي|نصيبي|نصيب) (?:في ${THE_HOME}|من ${THE_HOME}|من الورث|في الورث|مشاعه|شايعه|وارث|ورثه)`),
    examples: ['حصتي من الورث في شقة', 'حصة في الفيلا'],
  },
  {
    words: phrase(
      `half of (?:the|this|an?) ${THE_HOME}|my half of|half share|\\d{1,2} ?% (?:share )?(?:of|in) (?:the|this) ${THE_HOME}`,
    ),
    examples: ['Half share of the villa only', '50% of the villa'],
  },
  {
    words: phrase(
      `(?:undivided|inherited|one third|one half|quarter) share|shares? (?:in|of) (?:the|this|an?) ${THE_HOME}`,
    ),
    examples: ['Undivided share, inherited', 'Shares in the property'],
  },
  {
    words: phrase(
      '(?:السعر|المبلغ|المذكور|المكتوب)(?: المذكور| المعروض| هو){0,2} (?:باقي|متبقي|المتبقي|دفعه اولي|الدفعه الاولي|المقدم|مقدم|عربون|للاثاث|لنصف|للحصه|القسط|قسط)',
    ),
    examples: ['السعر المذكور دفعة أولى', 'السعر هو باقي', 'المبلغ هو باقي'],
  },
  {
    words: phrase(
      'price (?:shown |listed |stated )?is (?:only )?(?:for |of )?(?:the |a )?(?:remaining|down ?payment|deposit|furniture|half|share|instal)',
    ),
    examples: ['The price shown is for the furniture', 'Price is the deposit only'],
  },
  {
    words: phrase('تقبيل (?:ال)?اثاث|للبيع اثاث|furniture only|contents for sale'),
    examples: ['تقبيل الأثاث', 'Contents for sale'],
  },
  { words: phrase('تايم شير|مشاركه بالوقت|time ?share'), examples: ['شقة تايم شير', 'A time share'] },
  { words: phrase('(?:owner )?equity only'), examples: ['Owner equity only'] },
];
const ANY_PART = phrase(PART_PHRASES.map(({ words }) => words.source.slice(START.length)).join('|'));
/** Phrases for a contract transfer. The price is the total unless payments remain. */
const TRANSFER = phrase(
  '(?<!(?:لا|بدون|بلا) )(?:للتنازل|تنازل عن|تنازل مع|التنازل عن)|transfer of (?:the )?(?:mortgage|loan)|assign(?:ment|ed)|takes? over',
);
const REMAINS = phrase(
  '(?:نقل|باقي|يكمل|سداد) (?:ال)?(?:قرض|اقساط|رهن|تمويل)|والباقي|والمتبقي|المتبقي|مدفوع|دفعت|(?:the )?(?:remaining|outstanding)|remains with|paid so far|the loan',
);
export const NOT_REAL: Phrase = {
  words: phrase(
    '(?:السعر|المكتوب|المذكور)(?: \\p{L}+){0,4} (?:غير حقيقي|غير صحيح|وهمي|رمزي|ليس حقيقي)|السعر وهمي|price(?: \\p{L}+){0,4} (?:not real|symbolic|not correct|not (?:the )?actual(?: price)?)|ignore the price',
  ),
  examples: ['السعر المذكور غير حقيقي', 'السعر رمزي', 'The price is not real', 'Ignore the price'],
};

const THANKS = '(?: (?:و?لله الحمد|الحمد لله|بحمد الله|بفضل الله|بتوفيق الله|شكرا|thanks|thank you))*';
/** Clauses that state that the home is sold or rented. Only whole clauses match. */
export const GONE: Readonly<Record<ListingType, Phrase>> = {
  sale: {
    words: new RegExp(
      `^(?:${THE_HOME} )?(?:تم البيع|تم بيع(?:ها|ه)?(?: ${THE_HOME})?|مباع(?:ه)?|انباعت?|(?:(?:this|the) ${THE_HOME} )?(?:is |has been |already |was )*sold(?: out)?)${THANKS}$`,
      'u',
    ),
    examples: [
      'تم البيع',
      '⛔️تم البيع⛔️',
      '** تم بيع الشقة **',
      'SOLD',
      'This villa has been sold. Thank you',
      'تم البيع ولله الحمد',
      'مباعة',
    ],
  },
  rent: {
    words: new RegExp(
      `^(?:${THE_HOME} )?(?:تم (?:ال)?تاجير(?:ها|ه)?(?: ${THE_HOME})?|(?:موجره?|مستاجره?) وغير متاحه?|(?:(?:this|the) ${THE_HOME} )?(?:is |has been |already |was )*rented(?: out)?(?: no longer available)?)${THANKS}$`,
      'u',
    ),
    examples: ['تم التأجير', 'Rented, no longer available'],
  },
};
/** Splitting every line into clauses would take a tenth of the time of an ad. */
const MAYBE_GONE = /تم (?:ال)?بيع|مباع|انباع|sold|تاجير|تأجير|وغير متاح|rented/i;

/** Minimum number of clauses without a number for a paragraph. Entries in a list of units have fewer. */
const PARAGRAPH = 3;

/** The home, and not one of several units. */
function goneWords(lines: readonly string[], type: ListingType): string | null {
  for (const line of lines) {
    if (!MAYBE_GONE.test(line)) continue;
    const clauses = clausesOf(line);
    const isEntry = /\d/.test(line) && clauses.filter((clause) => /^\P{N}+$/u.test(clause)).length < PARAGRAPH;
    if (isEntry) continue;
    for (const clause of clauses) {
      const words = clause.match(/[\p{L}\p{M}]+/gu)?.join(' ') ?? '';
      if (GONE[type].words.test(words)) return words;
    }
  }
  return null;
}

function distinct(amounts: readonly StatedAmount[]): StatedAmount[] {
  const found: StatedAmount[] = [];
  for (const one of amounts) if (!found.some(({ amount }) => isAbout(amount, one.amount, 0.02))) found.push(one);
  return found;
}

export interface TextPriceContext {
  listingType: ListingType;
  isLand: boolean;
  area: number | null;
  areaInText: number | null;
}

const NOTHING: PriceVerdict = { frequency: null, implausible: null, readings: [] };

/** Flags the listing, and hides it from searches. */
const implausible = (reading: TextReading): PriceVerdict => ({
  ...NOTHING,
  implausible: reading.flag,
  readings: [reading],
});

/**
 * Compares a posted price with the text. Pure.
 *
 * - An amount that the text calls a down payment, a debt, an instalment or a share is implausible.
 * - The only total price of the text flags a posted price that differs by more than 7.5%, and hides it below two thirds
 *   or above one and a half times of it.
 * - Of several units, the posted price may be that of one.
 * - Without a posted price, only a sold or rented home is detected.
 */
export function judgePrice(
  posted: PostedPrice | null,
  lines: readonly string[],
  context: TextPriceContext,
): PriceVerdict {
  const amounts = statedAmounts(lines);
  const period = context.listingType === 'sale' ? null : (posted?.period ?? 'yearly');
  const units = distinct(
    amounts.flatMap((one) => {
      const amount = one.role === 'unit' ? one.amount : comparableAmount(one, period);
      return amount === null ? [] : [{ ...one, amount }];
    }),
  );
  const gone = goneWords(lines, context.listingType);
  if (gone !== null && units.length < 2) return implausible({ flag: 'sold', words: gone, amount: null });
  if (posted === null) return NOTHING;
  const verdict = verdictOf(posted, lines.join('\n'), { ...context, amounts, units, period });
  const start = startOf(posted, amounts, units);
  return start === null ? verdict : { ...verdict, readings: [start, ...verdict.readings] };
}

interface StatedPrices extends TextPriceContext {
  amounts: readonly StatedAmount[];
  units: readonly StatedAmount[];
  period: RentFrequency | null;
}

const readingOf = (flag: QualityFlag, { words, amount }: { words: string; amount: number | null }): TextReading => ({
  flag,
  words,
  amount,
});

/**
 * Returns a total price as a yearly amount; null for an amount on another basis than the posted price.
 * @param posted period of the posted rent; null for a sale
 */
function comparableAmount({ role, period, amount }: StatedAmount, posted: RentFrequency | null): number | null {
  if (posted === null) return role === 'total' ? amount : null;
  const isOfPeriod = period === posted && (role === 'total' || role === 'rent');
  const isOfYear = posted === 'yearly' && role === 'total' && period === null;
  return isOfPeriod || isOfYear ? amount * PAYMENTS_PER_YEAR[posted] : null;
}

/** Null unless an amount is a starting price, or the posted price is the lowest of several. */
function startOf(
  { yearly }: PostedPrice,
  amounts: readonly StatedAmount[],
  units: readonly StatedAmount[],
): TextReading | null {
  const start = amounts.find(({ role, amount }) => role === 'start' && amount * 5 > yearly && amount < yearly * 5);
  if (start !== undefined) return readingOf('starting_price', start);
  const prices = units.map(({ amount }) => amount);
  const lowest = Math.min(...prices);
  const isLowest = isAbout(yearly, lowest, SAME) && Math.max(...prices) > lowest * (1 + TOLERANCE);
  const unit = isLowest ? units.find(({ amount }) => amount === lowest) : undefined;
  return unit === undefined ? null : readingOf('starting_price', unit);
}

function verdictOf(posted: PostedPrice, text: string, stated: StatedPrices): PriceVerdict {
  const { listingType, amounts, units, period } = stated;
  const [first] = units;
  const only = units.length === 1 && first?.role !== 'unit' ? (first ?? null) : null;
  const isSale = listingType === 'sale';
  const part =
    isSale && ANY_PART.test(text)
      ? firstWords(
          text,
          PART_PHRASES.map(({ words }) => words),
        )
      : null;
  if (part !== null) return implausible(readingOf('partial_price', part));
  if (units.some(({ amount }) => isAbout(amount, posted.yearly, SAME)) || isSum(posted.yearly, units, amounts))
    return NOTHING;
  if (isSale) {
    const of = amounts.find(
      ({ role, amount }) => (PART_ROLES.has(role) || role === 'rent') && isAbout(amount, posted.amount, SAME),
    );
    if (of !== undefined)
      return implausible(readingOf(of.role === 'rent' ? 'text_price_differs' : 'partial_price', of));
    const isTransfer = TRANSFER.test(text) && !amounts.some(({ role }) => role === 'equity');
    const transfer = isTransfer ? firstWords(text, [REMAINS]) : null;
    if (transfer !== null && only === null) return implausible(readingOf('partial_price', transfer));
  } else {
    const of = amounts.find(
      (one) =>
        (one.role === 'rent' || one.role === 'total' || one.role === 'instalment') &&
        one.period !== null &&
        one.period !== period &&
        isAbout(one.amount, posted.amount, SAME),
    );
    if (of !== undefined)
      return posted.period === null
        ? { ...NOTHING, frequency: of.period }
        : implausible(readingOf('text_price_differs', of));
  }
  const inDollars = amounts.find(({ dollars }) => dollars !== null && isAbout(dollars, posted.amount, SAME));
  if (inDollars !== undefined) return implausible(readingOf('text_price_differs', inDollars));
  const notReal = firstWords(text, [NOT_REAL.words]);
  if (notReal !== null) return implausible(readingOf('text_price_differs', only ?? notReal));
  if (only !== null) return compared(posted.yearly, only, stated);
  return units.length > 1 ? belowAll(posted.yearly, units) : NOTHING;
}

/** Flags a posted price below all unit prices, and keeps it. */
function belowAll(posted: number, units: readonly StatedAmount[]): PriceVerdict {
  const lowest = units.reduce((one, other) => (other.amount < one.amount ? other : one));
  if (posted >= lowest.amount * (1 - TOLERANCE) || posted * FAR < lowest.amount) return NOTHING;
  return { ...NOTHING, readings: [readingOf('text_price_differs', lowest)] };
}

/** Returns whether the posted price is the sum of a total price and a debt that the buyer takes over. */
function isSum(posted: number, wholes: readonly StatedAmount[], amounts: readonly StatedAmount[]): boolean {
  return wholes.some((whole) =>
    amounts.some(({ role, amount }) => role === 'equity' && isAbout(whole.amount + amount, posted, SAME)),
  );
}

function firstWords(text: string, patterns: readonly RegExp[]): { words: string; amount: null } | null {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return { words: snippet([text.slice(match.index).split('\n')[0] as string]), amount: null };
  }
  return null;
}

function compared(posted: number, stated: StatedAmount, context: TextPriceContext): PriceVerdict {
  const share = stated.amount / posted;
  // An amount that is impossible as a total price is a deposit, an income or a price of goods, regardless of the words
  // before it.
  if (Math.abs(share - 1) <= TOLERANCE || !isPossible(stated.amount, context)) return NOTHING;
  const reading = readingOf('text_price_differs', stated);
  const { area, areaInText } = context;
  // If the areas differ, the text describes another unit.
  const isOther = area !== null && areaInText !== null && !isAbout(area, areaInText, SIMILAR_AREA);
  const [low, high] = PLAUSIBLE_SHARE;
  const isFar = share < low || share > high;
  if (!isFar || (isOther && isPossible(posted, context))) return { ...NOTHING, readings: [reading] };
  return implausible(reading);
}

function isPossible(price: number, { listingType, isLand, area }: TextPriceContext): boolean {
  const [low, high] = area === null ? WHOLE[listingType] : isLand ? PER_SQM_OF_LAND : PER_SQM[listingType];
  const rate = area === null ? price : price / area;
  return rate >= low && rate <= high;
}
