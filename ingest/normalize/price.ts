import { foldText } from '#domain/fold.ts';
import {
  type ListingType,
  PAYMENTS_PER_YEAR,
  PER_SQM,
  type PostedFrequency,
  type RentFrequency,
  SALE_FREQUENCY,
} from '#domain/listings/vocabulary.ts';
import { memoize } from '#domain/memoize.ts';
import { wordsOf } from '#domain/text/phrases.ts';
import { isAbout, isBlank, readNumber, readQuantity, type Scalar } from './numbers.ts';
import { judgePrice, type PostedPrice, type PriceVerdict } from './text-price.ts';
import { readPeriod } from './words.ts';

/** A posted amount with its annual equivalent (for a sale, the total), in SAR. */
interface ReadPrice {
  amount: number;
  frequency: PostedFrequency;
  yearly: number;
}

/** Reasons why a posted amount is no price. */
export type PriceDoubt = 'unknown_period' | 'area_missing';

export type PriceReading =
  /** If both `price` and `doubt` are null, no price is posted. */
  | (({ price: ReadPrice; doubt: null } | { price: null; doubt: PriceDoubt | null }) &
      Pick<PriceVerdict, 'implausible' | 'readings'>)
  | {
      unreadable: string;
    };

/** The attributes of an ad other than its price. */
export interface PriceContext {
  area?: number | null;
  /** The home's area in the text. */
  areaInText?: number | null;
  isLand?: boolean;
  /** Title and description. */
  text?: string;
}

/** Higher amounts are treated as typing errors or telephone numbers. */
const MAX_PRICE = 1e12;

/** Maximum amount in SAR that the text may show to be a price per square meter. Higher amounts are total prices. */
const MAX_PER_SQM: Readonly<Record<ListingType, number>> = { sale: 150_000, rent: 5_000 };

/** Phrases that replace a price, such as "on request". */
const NO_PRICE = new RegExp(
  wordsOf(`سوم, اتصل, تواصل, الاتصال, عند الطلب, تفاوض, call, contact, ask, request, negotiable, tba, poa`).join('|'),
);

/** Words for a square meter after an amount, as in `per m2`. */
const SQM =
  '(?:sq\\.? ?m(?:et(?:er|re)s?)?|square ?met(?:er|re)s?|sqm|m2|met(?:er|re)|متر(?: ?مربع)?|م2?)(?![\\p{L}\\p{N}])';
/** Phrases for a price per square meter before an amount, as in `المتر ب` and `price per sqm`. */
const SQM_PRICE = `(?:سعر ?(?:ال)?متر|(?<!\\d ?)المتر|price (?:per|a|/) ?${SQM})(?: ?(?:ال)?مربع)?`;
const PER_SQM_BEHIND = new RegExp(`(?:/|\\bper|\\beach|\\ba|(?<!\\p{L})(?:لل|لكل|كل))\\s*${SQM}`, 'u');
const AMOUNT = '(\\d[\\d.,]*)(?:\\s*(الف|k)(?![\\p{L}\\p{N}]))?';
const CURRENCY = '(?:\\s*(?:ريال|ر\\.?س|sar|sr))?';
/** Patterns for amounts per square meter in an advertiser's text. */
const PRICES_PER_SQM = [
  new RegExp(`(?<![\\d.,])${AMOUNT}${CURRENCY}\\s*${PER_SQM_BEHIND.source}`, 'gu'),
  new RegExp(`${SQM_PRICE}\\s*(?:بـ?|بسعر|ب سعر|:|=|/|is|at)*\\s*(?:sar|sr)?\\s*${AMOUNT}`, 'gu'),
];
/** A fast precheck that matches every text that the patterns above match. */
const MAYBE_PER_SQM = /متر|\/ ?م|met(?:er|re)|sqm|sq\.? ?m|m2|m²/i;

interface Amount {
  amount: number;
  period: RentFrequency | null;
  perSqm: boolean;
}

const amountOfText = memoize((text): Amount | 'none' | 'unreadable' => {
  let folded = foldText(text);
  const perSqm = PER_SQM_BEHIND.test(folded) || SQM_PRICE_ALONE.test(folded);
  if (perSqm) folded = folded.replace(PER_SQM_BEHIND, ' ').replace(SQM_PRICE_ALONE, ' ');
  const quantity = readQuantity(folded);
  if (quantity !== null) return { amount: quantity.amount, period: readPeriod(quantity.words.join(' ')), perSqm };
  return isBlank(text) || NO_PRICE.test(folded) ? 'none' : 'unreadable';
});
const SQM_PRICE_ALONE = new RegExp(`${SQM_PRICE}(?: ?بـ?(?= ?\\d))?`, 'u');

function amountOf(price: Scalar): Amount | 'none' | 'unreadable' {
  if (typeof price === 'string') return amountOfText(price);
  return isBlank(price) ? 'none' : { amount: price as number, period: null, perSqm: false };
}

/**
 * Reads a price. The rent period is taken from the source's field, else from the price text, else from the ad's text,
 * else it is a year. A price per square meter is multiplied by the area. The result is compared with prices in the ad's
 * text, which flag it but never replace it.
 */
export function readPrice(
  price: Scalar,
  period: string | null | undefined,
  listingType: ListingType,
  context: PriceContext = {},
): PriceReading {
  const read = amountOf(price);
  if (read === 'unreadable') return { unreadable: `"${String(price).slice(0, 100)}" is no price` };
  const posted = postedPrice(read, period, listingType, context);
  if (posted !== null && 'unreadable' in posted) return posted;
  if (posted !== null && 'doubt' in posted)
    return { price: null, doubt: posted.doubt, implausible: null, readings: [] };
  const { area = null, areaInText = null, isLand = false, text = '' } = context;
  const judged = { listingType, isLand, area, areaInText };
  const { frequency, implausible, readings } = judgePrice(posted, text, judged);
  if (posted === null) return { price: null, doubt: null, implausible, readings };
  const { amount, yearly } = posted;
  const own = { amount, frequency: posted.frequency, yearly };
  const ofText = frequency === null ? own : { amount, frequency, yearly: yearlyFrom(amount, frequency) };
  return { price: ofText, doubt: null, implausible, readings };
}

/** Returns the price in the source's fields; null if none is posted. */
function postedPrice(
  read: Exclude<ReturnType<typeof amountOf>, 'unreadable'>,
  period: string | null | undefined,
  listingType: ListingType,
  { area = null, text = '' }: PriceContext,
): (ReadPrice & PostedPrice) | { doubt: PriceDoubt } | { unreadable: string } | null {
  if (read === 'none' || read.amount <= 0) return null;
  const { amount } = read;
  if (!(amount <= MAX_PRICE)) return { unreadable: `a price of ${amount}` };
  const stated = listingType === 'sale' ? null : periodOf(period, read.period);
  if (stated === 'unknown') return { doubt: 'unknown_period' };
  const frequency = listingType === 'sale' ? SALE_FREQUENCY : (stated ?? 'yearly');
  const total = frequency === SALE_FREQUENCY ? amount : yearlyFrom(amount, frequency);
  if (!read.perSqm && !(total <= MAX_PER_SQM[listingType] && isPricePerSqm(total, area, text)))
    return { amount, frequency, yearly: total, period: stated };
  if (area === null) return { doubt: 'area_missing' };
  const yearly = Math.round(total * area * 100) / 100;
  return { amount, frequency: PER_SQM, yearly, period: listingType === 'sale' ? null : 'yearly' };
}

/** Returns the stated rent period; null if none is stated. */
function periodOf(stated: string | null | undefined, ofPrice: RentFrequency | null): RentFrequency | 'unknown' | null {
  if (isBlank(stated)) return ofPrice;
  return readPeriod(stated as string) ?? ofPrice ?? (PAYMENTS.test(foldText(stated as string)) ? 'yearly' : 'unknown');
}

/** Words for payments per year. If they replace the period, the amount is annual. */
const PAYMENTS = /دفع[هات]|دفعتين|قسط|اقساط|payment|che(?:que|ck)|instal/;

/** Returns the annual rent, rounded to the halala. */
function yearlyFrom(amount: number, frequency: RentFrequency): number {
  return Math.round(amount * PAYMENTS_PER_YEAR[frequency] * 100) / 100;
}

/**
 * Returns whether an amount is a price per square meter: the text states the same amount per square meter, or one of
 * similar size while the implied total is many times higher. A text may state the total price and the price per square
 * meter together.
 */
function isPricePerSqm(amount: number, area: number | null, text: string): boolean {
  if (!MAYBE_PER_SQM.test(text)) return false;
  return pricesPerSqmIn(text).some((perSqm) => {
    if (isAbout(amount, perSqm, 0.02)) return true;
    if (area === null || amount * 5 > perSqm * area) return false;
    return amount < perSqm * 3 && perSqm < amount * 3;
  });
}

function pricesPerSqmIn(text: string): number[] {
  const folded = foldText(text);
  return PRICES_PER_SQM.flatMap((pattern) =>
    [...folded.matchAll(pattern)].flatMap(([, digits = '', thousand]) => {
      const perSqm = readNumber(digits.replace(/[.,]+$/, ''));
      return perSqm === null || perSqm <= 0 ? [] : [thousand === undefined ? perSqm : perSqm * 1_000];
    }),
  );
}
