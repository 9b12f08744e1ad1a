import type { RentFrequency } from '#domain/listings/vocabulary.ts';
import { memoize } from '#domain/memoize.ts';
import { wordsOf } from '#domain/text/phrases.ts';
import { type Currency, currenciesIn, SAR } from './currencies.ts';
import { foldValue } from './fold-value.ts';
import { isBlank, readQuantity } from './numbers.ts';
import { periodOfWords } from './words.ts';

export interface PostedAmount {
  values: readonly (number | null)[];
  /** The currency that the text states; null if it states none. */
  currency: Currency | null;
  /** The period that the text states; `unclear` if its words cannot be read, null if there are none. */
  period: RentFrequency | 'unclear' | null;
  perSqm: boolean;
  /** Whether the text has words other than those above, such as an unknown multiplier. */
  hasOtherWords: boolean;
}

export type NoAmount = 'none' | 'unreadable';

/** Phrases that replace a price, such as "on request". */
const NO_PRICE = new RegExp(
  wordsOf(`سوم, اتصل, تواصل, الاتصال, عند الطلب, تفاوض, call, contact, ask, request, negotiable, tba, poa`).join('|'),
);

const SQM =
  '(?:sq\\.? ?m(?:et(?:er|re)s?)?|square ?met(?:er|re)s?|sqm|m2|met(?:er|re)|متر(?: ?مربع)?|م2?)(?![\\p{L}\\p{N}])';
/** Phrases for a price per square meter before an amount, as in `المتر ب` and `price per sqm`. */
export const SQM_PRICE = `(?:سعر ?(?:ال)?متر|(?<!\\d ?)المتر|price (?:per|a|/) ?${SQM})(?: ?(?:ال)?مربع)?`;
export const PER_SQM_BEHIND = new RegExp(`(?:/|\\bper|\\beach|\\ba|(?<!\\p{L})(?:لل|لكل|كل))\\s*${SQM}`, 'u');
const SQM_PRICE_ALONE = new RegExp(`${SQM_PRICE}(?: ?بـ?(?= ?\\d))?`, 'u');

/** Words before a number that is no price of the home: bids, down payments, instalments, licences and telephones. */
const OTHER_AMOUNT =
  /(?<!\p{L})(?:[وب]?(?:ال)?(?:سوم|سيمت?|مسيوم|دفعه (?:ال)?(?:اولي|مقدمه)|مقدم|عربون|قسط|اقساط|رخص|ترخيص|صك|رمز|بريدي|مخطط|فال|جوال|هاتف|واتس)|bid|deposit|down ?payment|instal|licen[cs]e|deed|postal|zip|mobile|phone|whatsapp|tel)[^\d]*\d/u;
/** A Saudi telephone number. A mobile number without a zero is not round, as an amount of that size is. */
export const TELEPHONE = /(?<![\d.,])(?:00|\+)?(?:966\d{8,9}|0\d{8,10}|9200\d{5}|5\d{8}(?<!000))(?![\d.,])/;
/** Taxes and commissions, which may be added to a price. Higher percentages are shares. */
const TAX = /(?<![\d.,])\+? ?(?:\d|1[0-5])(?:[.,]\d+)? ?[%٪]/g;
/** ISO 4217 codes, which are unreadable unless `CURRENCIES` has them. */
const CODES: ReadonlySet<string> = new Set(
  // `ALL` is rarely the Albanian lek.
  Intl.supportedValuesOf('currency').filter((code) => code !== 'ALL'),
);
/** Latin letters that follow a number without a space, and have a meaning. */
const GLUED = /^(?:k|m|mn|bn|m2|sqm|sq|thousand|million|month|monthly|mo|pm|pcm|year|yearly|yr|annual|per)$/;
/** Separators between an amount and the same amount in another currency. */
const ALTERNATIVES = /[()[\]|=≈]| \/ |\/(?= ?[$a-z]{2,3} ?\d)|[؛;]|، /;

/** Reads the amount in a price text, in its currency, with the period and unit that the text states. */
export const readAmount: (text: string) => PostedAmount | NoAmount = memoize((text) => {
  if (isBlank(text)) return 'none';
  const folded = foldValue(text).replace(TAX, ' ');
  const none = NO_PRICE.test(folded) ? 'none' : 'unreadable';
  if (/[%٪]/.test(folded) || TELEPHONE.test(folded) || OTHER_AMOUNT.test(folded) || hasUnknownCode(text)) return none;
  const whole = amountIn(folded);
  if (whole !== null && whole !== 'several') return whole;
  // `810,000 ($216,000)`: of amounts in several currencies, the only one in riyals is the price.
  const parts = folded.split(ALTERNATIVES).filter((part) => /\d/.test(part));
  const amounts = parts.map(amountIn);
  const read = amounts.filter((amount) => amount !== null && amount !== 'several');
  const [only, ...others] = read.filter(({ currency }) => currency === null || currency === SAR);
  return only !== undefined && others.length === 0 && read.length === parts.length ? only : none;
});

const hasUnknownCode = (text: string): boolean =>
  (text.match(/(?<![A-Z])[A-Z]{3}(?![A-Z])/g) ?? []).some(
    (code) => CODES.has(code) && currenciesIn(code.toLowerCase()).length === 0,
  );

function amountIn(stated: string): PostedAmount | 'several' | null {
  const mentions = currenciesIn(stated);
  const [first = null] = mentions.map(({ currency }) => currency);
  if (mentions.some(({ currency }) => currency !== first)) return 'several';
  let folded = mentions.reduceRight((text, { from, to }) => `${text.slice(0, from)} ${text.slice(to)}`, stated);
  const perSqm = PER_SQM_BEHIND.test(folded) || SQM_PRICE_ALONE.test(folded);
  if (perSqm) folded = folded.replace(PER_SQM_BEHIND, ' ').replace(SQM_PRICE_ALONE, ' ');
  if ([...folded.matchAll(/\d(?!e[+-]?\d)([a-z]+)/g)].some(([, letters = '']) => !GLUED.test(letters))) return null;
  const quantity = readQuantity(folded);
  if (quantity === null) return null;
  const period = periodOfWords(quantity.words);
  return { values: quantity.values, currency: first, period, perSqm, hasOtherWords: quantity.words.length > 0 };
}
