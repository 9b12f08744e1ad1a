import { foldDigits } from '#domain/fold.ts';

const FACTORS: readonly (readonly [RegExp, number])[] = [
  [/(k|thousand|ألف|الف|آلاف|الاف)$/, 1_000],
  [/(m|mn|million|مليون|ملايين)$/, 1_000_000],
];

/** Reads a number such as `60,000`, `60k`, `1.5 million` or `٦٠ ألف`; null if it is none. Pure. */
export function readAmount(text: string): string | null {
  const typed = foldDigits(text.toLowerCase()).replace(/sar|sr|ريال|ر\.س|[\s,،]/g, '');
  const [unit, factor] = FACTORS.find(([pattern]) => pattern.test(typed)) ?? [null, 1];
  const digits = unit === null ? typed : typed.replace(unit, '');
  if (!/^\d+(\.\d+)?$/.test(digits)) return null;
  return String(Math.round(Number(digits) * factor * 100) / 100);
}

/** Prices in riyals: from which a price is a sale price, and up to which it is a yearly rent. */
const SALE_FROM = 400_000;
const RENT_TO = 120_000;

/** Returns the offer that the price of a sentence means; null if it is stated or unclear. Pure. */
export function offerOfPrice({
  listing_type,
  price_min,
  price_max,
}: Readonly<Record<string, string>>): 'rent' | 'sale' | null {
  const amount = Number(price_max ?? price_min ?? Number.NaN);
  if (listing_type !== undefined || Number.isNaN(amount)) return null;
  if (amount >= SALE_FROM) return 'sale';
  return price_max !== undefined && amount <= RENT_TO ? 'rent' : null;
}
