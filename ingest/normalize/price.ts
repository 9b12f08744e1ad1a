import {
  type ListingType,
  PAYMENTS_PER_YEAR,
  type RentFrequency,
  SALE_FREQUENCY,
} from '#domain/listings/vocabulary.ts';
import { hundredths } from '#domain/statistics/figures.ts';
import { foldText } from '#domain/text/fold.ts';
import { memoize } from './memoize.ts';
import { isBlank, readQuantity, type Scalar } from './numbers.ts';
import { readPeriod } from './words.ts';

/** The advertiser's own amount, and what it comes to in a year (for a sale, in total), in SAR. */
export interface ReadPrice {
  amount: number;
  frequency: RentFrequency | typeof SALE_FREQUENCY;
  yearly: number;
}

/** More than this is a typing mistake, or a telephone number. */
const MAX_PRICE = 1e12;

/** What advertisers write instead of a price. */
const NO_PRICE = new RegExp(
  [
    'سوم',
    'السوم',
    'اتصل',
    'تواصل',
    'التواصل',
    'الاتصال',
    'عند الطلب',
    'للتفاوض',
    'تفاوض',
    'call',
    'contact',
    'ask',
    'request',
    'negotiable',
    'tba',
    'poa',
  ]
    .map(foldText)
    .join('|'),
);

type Amount = { amount: number; period: RentFrequency | null } | 'none' | 'unreadable';

const amountOfText: (text: string) => Amount = memoize((text) => {
  const quantity = readQuantity(text);
  if (quantity !== null) return { amount: quantity.amount, period: readPeriod(quantity.words.join(' ')) };
  return isBlank(text) || NO_PRICE.test(foldText(text)) ? 'none' : 'unreadable';
});

function amountOf(price: Scalar): Amount {
  if (typeof price === 'string') return amountOfText(price);
  return isBlank(price) ? 'none' : { amount: price as number, period: null };
}

/**
 * Reads a price. A rent's period is the source's, else what the price's own text says, else a year.
 * @returns null when no price is posted (zero, `على السوم`, `call for price`), or a sentence on why it cannot be read
 */
export function readPrice(
  price: Scalar,
  period: string | null | undefined,
  listingType: ListingType,
): ReadPrice | null | string {
  const read = amountOf(price);
  if (read === 'unreadable') return `"${String(price).slice(0, 100)}" is no price`;
  if (read === 'none' || read.amount <= 0) return null;
  const { amount } = read;
  if (!(amount <= MAX_PRICE)) return `a price of ${amount}`;
  if (listingType === 'sale') return { amount, frequency: SALE_FREQUENCY, yearly: amount };
  const stated = isBlank(period) ? (read.period ?? 'yearly') : readPeriod(period as string);
  if (stated === null) return `"${String(period).slice(0, 100)}" is no period`;
  return { amount, frequency: stated, yearly: yearlyFrom(amount, stated) };
}

/** What a rent comes to in a year, to the halala. */
export function yearlyFrom(amount: number, frequency: RentFrequency): number {
  return hundredths(amount * PAYMENTS_PER_YEAR[frequency]);
}
