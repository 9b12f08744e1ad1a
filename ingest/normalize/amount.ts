import { PAYMENTS_PER_YEAR, type RentFrequency } from '#domain/listing-vocabulary.ts';
import { memoize } from '#domain/memoize.ts';
import { wordsOf } from '#domain/text/phrases.ts';
import { periodOfPrice } from './ad-words.ts';
import { type Currency, currenciesIn, SAR } from './currencies.ts';
import { isBlank, readQuantity } from './numbers.ts';
import { foldValue } from './text.ts';

export interface PostedAmount {
  values: readonly (number | null)[];
  currency: Currency | null;
  /** The period that the text states; `unclear` if its words cannot be read, null if there are none. */
  period: RentFrequency | 'unclear' | null;
  perSqm: boolean;
  isRent: boolean;
}

export type NoAmount = 'none' | 'unreadable';

/** Phrases that replace a price, such as "on request". */
const NO_PRICE = new RegExp(
  wordsOf(`سوم, اتصل, تواصل, الاتصال, عند الطلب, تفاوض, call, contact, ask, request, negotiable, tba, poa`).join('|'),
);

const SQM =
  '(?:sq\\.? ?m(?:et(?:er|re)s?)?|square ?met(?:er|re)s?|sqm|m2|met(?:er|re)|متر(?: ?(?:ال)?مربع)?|م2?)(?![a-z0-9\\u0621-\\u064a])';
/** Phrases for a price per square meter before an amount, as in `المتر ب` and `price per sqm`. */
export const SQM_PRICE = `(?:سعر ?(?:ال)?متر|(?<!\\d ?)المتر|price (?:per|a|/) ?${SQM})(?: ?(?:ال)?مربع)?`;
export const PER_SQM_BEHIND = new RegExp(
  `(?:/|\\bper|\\beach|\\ba|(?<![a-z\\u0621-\\u064a])(?:لل|لكل|كل))\\s*${SQM}`,
  'u',
);
const SQM_PRICE_ALONE = new RegExp(`${SQM_PRICE}(?: ?بـ?(?= ?\\d))?`, 'u');

/** A Saudi telephone number. A mobile number without a zero is not round, as an amount of that size is. */
export const TELEPHONE = /(?<![\d.,])(?:00|\+)?(?:966\d{8,9}|0\d{8,10}|9200\d{5}|5\d{8}(?<!000))(?![\d.,])/;
/** Taxes and commissions, which may be added to a price. Higher percentages are shares. */
const TAX = /(?<![\d.,]|[-–] ?)\+? ?(?:\d|1[0-5])(?:[.,]\d+)? ?[%٪]/g;
/** Payments after an amount that is their sum: `60,000 على 4 دفعات`. */
const PAYMENTS =
  /(?<=\d.*)(?:(?:(?:علي|in|over) |\()(?:دفعتين|\d{1,2} (?:دفعه|دفعات|payments?|cheques?|checks?|instal+ments?))\)?|دفعه واحده|دفعتين)/g;
/** Further amounts, which the amount before them does not include: `60,000 + تأمين 2000`, `60,000 كل دفعة 30,000`. */
const FURTHER_AMOUNTS =
  /(?<=\d.*)[+(]? ?(?:(?:ال)?تامين|(?:كل|قيمه) (?:ال)?دفعه|deposit)[ :]*\d[\d.,]*(?: ?(?:الف|k))?\)?|(?<=\d.*)\+ ?\d[\d.,]* ?(?:تامين|deposit)/g;
/** Months of a period, which are no amount: `30 ألف كل 6 شهور`. */
const MONTHS = /(?:كل|every|per|\/) ?(3|6|12) (?:شهور|اشهر|شهر|months?)/g;
const PERIOD_OF_MONTHS: Readonly<Record<string, string>> = { 3: 'quarterly', 6: 'semiannually', 12: 'yearly' };
/** Signs that may change an amount: percentages, limits and the brackets of negative numbers in spreadsheets. */
const UNKNOWN_SIGN = /^\([\d.,]+\)$|[^\p{Extended_Pictographic}\p{L}\p{M}\p{N}\p{Sc}\s.,:;،؛؟()[\]/\\'’"|=≈~+!*_–—-]/u;
/** Separators between an amount and the same amount in another currency. */
const ALTERNATIVES = /[()[\]|=≈]| \/ |\/(?= ?[$a-z]{2,3} ?\d)|[؛;]|، /;

/** Reads the amount in a price text, in its currency, with the period and unit that the text states. */
export const readAmount: (text: string) => PostedAmount | NoAmount = memoize((text) => {
  if (isBlank(text)) return 'none';
  const folded = foldValue(text)
    .replace(TAX, ' ')
    .replace(PAYMENTS, ' ')
    .replace(FURTHER_AMOUNTS, ' ')
    .replace(MONTHS, (_, months) => PERIOD_OF_MONTHS[months] ?? ' ');
  const none = NO_PRICE.test(folded) ? 'none' : 'unreadable';
  if (UNKNOWN_SIGN.test(folded) || TELEPHONE.test(folded)) return none;
  const whole = amountIn(folded);
  if (whole !== null && whole !== 'several') return whole;
  // `810,000 ($216,000)`: of amounts in several currencies, the only one in riyals is the price.
  const parts = folded.split(ALTERNATIVES).filter((part) => /\d/.test(part));
  const amounts = parts.map(amountIn);
  const read = amounts.filter((amount) => amount !== null && amount !== 'several');
  const inRiyals = read.filter(({ currency }) => currency === null || currency === SAR);
  const totals = inRiyals.filter(({ perSqm }) => !perSqm);
  const [only, ...others] = totals.length > 0 ? totals : inRiyals;
  const isOnly = others.every((other) => rentOf(other) !== null && rentOf(other) === rentOf(only));
  return only !== undefined && isOnly && read.length === parts.length ? only : none;
});

/** Rent of a year, which `5,000 a month (60,000 a year)` states twice. */
function rentOf(amount: PostedAmount | undefined): number | null {
  const { values: [value = null] = [], period = null } = amount ?? {};
  return value === null || period === null || period === 'unclear' ? null : value * PAYMENTS_PER_YEAR[period];
}

function amountIn(stated: string): PostedAmount | 'several' | null {
  const mentions = currenciesIn(stated);
  const [first = null] = mentions.map(({ currency }) => currency);
  if (mentions.some(({ currency }) => currency !== first)) return 'several';
  let folded = mentions.reduceRight((text, { from, to }) => `${text.slice(0, from)} ${text.slice(to)}`, stated);
  const perSqm = PER_SQM_BEHIND.test(folded) || SQM_PRICE_ALONE.test(folded);
  if (perSqm) folded = folded.replace(PER_SQM_BEHIND, ' ').replace(SQM_PRICE_ALONE, ' ');
  const quantity = readQuantity(folded);
  const around = quantity && periodOfPrice(quantity.before, quantity.after);
  return (
    around && {
      values: quantity.values,
      currency: first,
      period: around.period,
      perSqm,
      isRent: /ايجار|\brent/.test(stated),
    }
  );
}
