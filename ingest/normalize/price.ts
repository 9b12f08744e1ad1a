import {
  type ListingType,
  PAYMENTS_PER_YEAR,
  PER_SQM,
  type PostedFrequency,
  type RentFrequency,
  SALE_FREQUENCY,
} from '#domain/listing-vocabulary.ts';
import { MAX_AMOUNT, toAmount } from '#domain/money.ts';
import { readPeriod, statesPayments } from './ad-words.ts';
import { type NoAmount, PER_SQM_BEHIND, type PostedAmount, readAmount, SQM_PRICE, TELEPHONE } from './amount.ts';
import { type Currency, inSar, readCurrency, SAR } from './currencies.ts';
import { type Bounds, isAbout, isBlank, LARGE, plausible, readDigits, type Scalar } from './numbers.ts';
import { matchesOf } from './patterns.ts';
import { MAX_VALUE } from './text.ts';
import { judgePrice, type PostedPrice, type PriceVerdict, type TextPriceContext } from './text-price.ts';

/** A posted amount with its annual equivalent (for a sale, the total), in SAR. */
export interface ReadPrice {
  amount: number;
  frequency: PostedFrequency;
  yearly: number;
  currency?: Currency;
}

export type NoPriceReason = 'unknown_period' | 'area_missing';

export type PriceReading =
  /** If both `price` and `doubt` are null, no price is posted. */
  | (({ price: ReadPrice; doubt: null } | { price: null; doubt: NoPriceReason | null }) &
      Pick<PriceVerdict, 'implausible' | 'readings'>)
  | {
      unreadable: string;
    };

export interface PriceContext extends Partial<Omit<TextPriceContext, 'listingType'>> {
  currency?: string | null | undefined;
  /** The folded lines of the ad's text. */
  lines?: readonly string[];
}

/** Maximum amount in SAR that the text may show to be a price per square meter. Higher amounts are total prices. */
const MAX_PER_SQM: Readonly<Record<ListingType, number>> = { sale: 150_000, rent: 5_000 };

/** Plausible amounts in SAR, per year for rents. A sale price may be per square meter without a word for it. */
const PLAUSIBLE: Readonly<Record<ListingType, Bounds>> = {
  sale: { min: 1_000, max: 1e10 },
  rent: { min: 1_000, max: 2e7 },
};
const PLAUSIBLE_PER_SQM: Readonly<Record<ListingType, Bounds>> = {
  sale: { min: 20, max: 150_000 },
  rent: { min: 5, max: 10_000 },
};

const AMOUNT = '(\\d[\\d.,]*)(?:\\s*(الف|k)(?![a-z0-9\\u0621-\\u064a]))?';
const CURRENCY = '(?:\\s*(?:ريال|ر\\.?س|sar|sr))?';
const PRICES_PER_SQM = [
  new RegExp(`(?<![\\d.,])${AMOUNT}${CURRENCY}\\s*${PER_SQM_BEHIND.source}`, 'gu'),
  new RegExp(`${SQM_PRICE}\\s*(?:بـ?|بسعر|ب سعر|:|\\||/|is|at)*\\s*(?:sar|sr)?\\s*${AMOUNT}`, 'gu'),
];

/**
 * Reads a price. The period is that of the field, else of the price text, else of the ad's text, else a year. A price
 * per square meter is multiplied by the area. Prices in the ad's text flag the result, and never replace it.
 */
export function readPrice(
  price: Scalar,
  period: string | null | undefined,
  listingType: ListingType,
  context: PriceContext = {},
): PriceReading {
  const read = amountOf(price);
  const described = { unreadable: `${JSON.stringify(String(price).slice(0, 100))} is no price` };
  if (read === 'unreadable') return described;
  const posted = read === 'none' ? null : postedPrice(read, period, listingType, context);
  if (posted === 'unreadable') return described;
  if (posted !== null && 'doubt' in posted)
    return { price: null, doubt: posted.doubt, implausible: null, readings: [] };
  const { area = null, areaInText = null, isLand = false, lines = [] } = context;
  const inRiyals = posted && { ...posted, amount: inSar(posted.amount, posted.currency ?? SAR) };
  const { frequency, implausible, readings } = judgePrice(inRiyals, lines, { listingType, isLand, area, areaInText });
  if (posted === null || inRiyals === null) return { price: null, doubt: null, implausible, readings };
  const { period: _, ...own } = posted;
  const ofText = frequency === null ? own : { ...own, frequency, yearly: yearlyFrom(inRiyals.amount, frequency) };
  return { price: ofText, doubt: null, implausible, readings };
}

function amountOf(price: Scalar): PostedAmount | NoAmount {
  if (typeof price === 'string') return readAmount(price);
  if (isBlank(price)) return 'none';
  if (typeof price !== 'number' || TELEPHONE.test(String(price))) return 'unreadable';
  return { values: [price], currency: null, period: null, perSqm: false, isRent: false };
}

/** Returns the price in the source's fields; null if it is not above 0. */
function postedPrice(
  read: PostedAmount,
  period: string | null | undefined,
  listingType: ListingType,
  { area = null, lines = [], currency: column }: PriceContext,
): (ReadPrice & PostedPrice) | { doubt: NoPriceReason } | 'unreadable' | null {
  const inColumn = isBlank(column) ? null : readCurrency(String(column));
  const currency = read.currency ?? (isBlank(column) ? SAR : inColumn);
  // The currency is unknown, has no fixed rate, or differs between the fields.
  if (!currency?.sar || (inColumn !== null && inColumn !== currency)) return 'unreadable';
  // A sale price per month, or a rent of a sale, is an instalment or the income from rent.
  if (listingType === 'sale' && (read.period !== null || read.isRent)) return 'unreadable';
  const stated = listingType === 'sale' ? null : periodOf(period, read.period);
  if (stated === 'unknown')
    return read.values.every((value) => value !== null && value <= 0) ? null : { doubt: 'unknown_period' };
  const frequency = listingType === 'sale' ? SALE_FREQUENCY : (stated ?? 'yearly');
  const perYear = currency.sar * (frequency === SALE_FREQUENCY ? 1 : PAYMENTS_PER_YEAR[frequency]);
  const { min, max } = (read.perSqm ? PLAUSIBLE_PER_SQM : PLAUSIBLE)[listingType];
  const found = plausible(read.values, { min: min / perYear, max: max / perYear });
  if (found === null) return 'unreadable';
  const amount = toAmount(found);
  if (amount <= 0) return null;
  const inRiyals = inSar(amount, currency);
  const total = frequency === SALE_FREQUENCY ? toAmount(inRiyals) : yearlyFrom(inRiyals, frequency);
  if (amount > MAX_AMOUNT || total > MAX_AMOUNT) return 'unreadable';
  const foreign = currency === SAR ? {} : { currency };
  if (!read.perSqm && !(total <= MAX_PER_SQM[listingType] && isPricePerSqm(total, area, lines)))
    return { amount, frequency, yearly: total, period: stated, ...foreign };
  if (area === null) return { doubt: 'area_missing' };
  const ofArea = listingType === 'sale' ? null : ('yearly' as const);
  return { amount, frequency: PER_SQM, yearly: toAmount(total * area), period: ofArea, ...foreign };
}

function periodOf(
  stated: string | null | undefined,
  ofPrice: PostedAmount['period'],
): RentFrequency | 'unknown' | null {
  if (ofPrice === 'unclear') return 'unknown';
  if (isBlank(stated)) return ofPrice;
  if ((stated as string).length > MAX_VALUE) return 'unknown';
  const ofField = readPeriod(stated as string);
  if (ofField !== null && ofPrice !== null && ofField !== ofPrice) return 'unknown';
  return ofField ?? ofPrice ?? (statesPayments(stated as string) ? 'yearly' : 'unknown');
}

/** Returns the annual rent. */
const yearlyFrom = (amount: number, frequency: RentFrequency): number =>
  toAmount(amount * PAYMENTS_PER_YEAR[frequency]);

/**
 * Returns whether an amount is a price per square meter: the text states the same amount per square meter, or one of
 * similar size while the implied total is many times higher. A text may state the total price and the price per square
 * meter together.
 */
function isPricePerSqm(amount: number, area: number | null, lines: readonly string[]): boolean {
  return pricesPerSqmIn(lines.join(' ')).some((perSqm) => {
    if (isAbout(amount, perSqm, 0.02)) return true;
    if (area === null || amount * 5 > perSqm * area) return false;
    return amount < perSqm * 3 && perSqm < amount * 3;
  });
}

function pricesPerSqmIn(folded: string): number[] {
  return PRICES_PER_SQM.flatMap((pattern) =>
    matchesOf(folded, pattern).flatMap(([, digits = '', thousand]) => {
      const perSqm = plausible(readDigits(digits.replace(/[.,]+$/, '')), LARGE);
      return perSqm === null || perSqm <= 0 ? [] : [thousand === undefined ? perSqm : perSqm * 1_000];
    }),
  );
}
