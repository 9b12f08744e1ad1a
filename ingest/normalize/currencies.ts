import { matchesOf } from './patterns.ts';
import { foldValue } from './text.ts';

/** Riyals per US dollar, and units of other currencies per dollar at their official pegs. */
const SAR_PER_USD = 3.75;

/** A currency by its ISO 4217 code. `sar` is null if its rate varies, or if the words do not identify a currency. */
export interface Currency {
  code: string;
  /** Riyals per unit of the currency. */
  sar: number | null;
}

export const SAR: Currency = { code: 'SAR', sar: 1 };
export const USD: Currency = { code: 'USD', sar: SAR_PER_USD };
const OTHER: Currency = { code: 'XXX', sar: null };

interface CurrencyRow {
  currency: Currency;
  /** Alternatives of a regular expression over folded text, whole words. The first row that matches applies. */
  words: string;
  examples: readonly string[];
}

const NATIONALITIES =
  'يمني|ايراني|برازيلي|كندي|استرالي|نيوزيلندي|هونج|سنغافوري|تايواني|كويتي|اردني|عراقي|تونسي|جزائري|ليبي|صربي|مغربي|مصري|سوداني|سوري|لبناني|تركي|هندي|باكستاني|استرليني|بريطاني|سويسري|صيني|ياباني';

export const CURRENCIES: readonly CurrencyRow[] = [
  {
    currency: { code: 'QAR', sar: SAR_PER_USD / 3.64 },
    words: String.raw`qar|qr|qatari (?:riyals?|rials?)|(?:riyals?|rials?) qatari|ريال(?:ا|ات)? قطري(?:ه)?|ر ?\. ?ق\.?`,
    examples: ['QAR 850,000', '850,000 ريال قطري', '850,000 ر.ق', '90,000 Qatari riyals'],
  },
  {
    currency: { code: 'OMR', sar: SAR_PER_USD / 0.3845 },
    words: String.raw`omr|ro|r\.o\.?|omani (?:riyals?|rials?)|(?:riyals?|rials?) omani|ريال(?:ا|ات)? عماني(?:ه)?|ر ?\. ?ع\.?`,
    examples: ['90000 OMR', '90,000 ريال عُماني', '90000 ر.ع', '90,000 Omani rials'],
  },
  {
    currency: { code: 'BHD', sar: SAR_PER_USD / 0.376 },
    words: String.raw`bhd|bd|bahraini dinars?|دينار(?:ا)? بحريني|د ?\. ?ب\.?`,
    examples: ['80,000 BHD', 'BD 80,000', '80,000 دينار بحريني', '80,000 د.ب'],
  },
  {
    currency: { code: 'AED', sar: SAR_PER_USD / 3.6725 },
    words: 'aed|dhs?|(?:uae|emirati) dirhams?|درهم(?:ا)? اماراتي',
    examples: ['AED 850,000', '850,000 درهم إماراتي'],
  },
  {
    currency: OTHER,
    words: `(?:ريال|دولار|دينار|درهم|جنيه|ليره|روبيه|فرنك)(?:ا|ات)? (?:${NATIONALITIES})(?:ه)?|(?:canadian|australian|singapore|hong kong|new zealand|yemeni|iranian|brazilian|kuwaiti|jordanian|moroccan) (?:dollars?|riyals?|rials?|dinars?|dirhams?)`,
    examples: ['216,000 دولار كندي', '850,000 ريال يمني', '70000 دينار كويتي', '216,000 Canadian dollars'],
  },
  {
    currency: USD,
    words: String.raw`usd|us ?\$|u\.s\. ?\$|(?:us |american )?dollars?|دولار(?:ا|ات)?(?: امريكي(?:ه)?)?|(?<![a-z])\$`,
    examples: ['$216,000', '216000 USD', 'US$ 216,000', '216 ألف دولار', '216,000 dollars', '216,000 دولار أمريكي'],
  },
  {
    currency: SAR,
    words: String.raw`sar\.?|s ?\. ?(?:a ?\. ?)?r\.?|srs?\.?|saudi (?:riyals?|rials?)|riyals? saudi|riyals?|rials?|ريال(?:ا|ات)?(?: سعودي(?:ا|ه)?)?|ر ?\. ?س\.?|رس|ر(?=\s|$)|\u20c1`,
    examples: [
      '850,000 SAR',
      'SR850000',
      'S.R. 850,000',
      '850,000 ر.س',
      '850,000 ﷼',
      '\u20c1 850,000',
      '850,000 ريال فقط',
    ],
  },
  {
    currency: OTHER,
    words: String.raw`[a-z]{1,3}\$|(?![$\u20c1])\p{Sc}|euros?|eur|pounds?|sterling|gbp|kwd|kd|د ?\. ?[كا]\.?|jod|jd|egp|le|try|tl|inr|rs\.?|pkr|irr|yer|chf|jpy|cny|rmb|cad|aud|nzd|sgd|hkd|mad|dzd|tnd|lyd|sdg|iqd|syp|lbp|php|idr|myr|rub|zar|krw|thb|brl|sek|nok|dkk|kr|btc|bitcoins?|eth|usdt|dinars?|dirhams?|rupees?|liras?|francs?|yen|yuan|rubles?|pesos?|يورو|جنيه(?:ا|ات)?|استرليني|دينار(?:ا)?|دنانير|درهم(?:ا)?|دراهم|ليره|ليرات|روبيه|فرنك|ين|يوان|روبل|بيتكوين`,
    examples: [
      '€850,000',
      '£180,000',
      '70000 دينار',
      '70000 KWD',
      '850,000 درهم',
      '₹850,000',
      'A$216,000',
      '850,000 CHF',
    ],
  },
];

const CURRENCY = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${CURRENCIES.map(({ words }) => `(${words})`).join('|')})(?![\\p{L}\\p{M}])`,
  'gu',
);

export interface CurrencyMention {
  currency: Currency;
  from: number;
  to: number;
}

export function currenciesIn(folded: string): CurrencyMention[] {
  return matchesOf(folded, CURRENCY).map((match) => ({
    currency: (CURRENCIES[match.slice(1).findIndex((group) => group !== undefined)] as CurrencyRow).currency,
    from: match.index,
    to: match.index + match[0].length,
  }));
}

/** Converts an amount. A converted amount is rounded more coarsely, because the rate is not more exact. */
export const inSar = (amount: number, { sar }: Currency): number =>
  sar === 1 ? amount : Math.round(amount * (sar ?? Number.NaN) * 10) / 10;

export function readCurrency(text: string): Currency | null {
  const folded = foldValue(text);
  const [only, ...others] = currenciesIn(folded);
  return only !== undefined && others.length === 0 && only.from === 0 && only.to === folded.length
    ? only.currency
    : null;
}

export const postedInSar = ({ amount, currency }: { amount: number; currency?: string }): number =>
  inSar(amount, CURRENCIES.find((row) => row.currency.code === currency)?.currency ?? SAR);
