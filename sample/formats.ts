/** Formats in which the sources write numbers and times. */

const ARABIC_DIGITS = '٠١٢٣٤٥٦٧٨٩';

export const arabicDigits = (value: number | string): string =>
  String(value).replace(/\d/g, (digit) => ARABIC_DIGITS.charAt(Number(digit)));

/** Formats 1200000 as `1,200,000`. */
export const thousands = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** Formats 1200000 as `١٬٢٠٠٬٠٠٠`. */
export function arabicThousands(value: number): string {
  return arabicDigits(thousands(value)).replaceAll(',', '٬');
}

/** Formats epoch seconds as `2026-03-09T05:00:00Z`. */
export function isoUtc(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** Formats epoch seconds as Riyadh time with its offset, `2026-03-09T08:00:00+03:00`. */
export function isoRiyadh(seconds: number): string {
  return `${new Date((seconds + 3 * 3600) * 1000).toISOString().slice(0, 19)}+03:00`;
}

/** Converts text to informal spelling: alef without hamza, ha for ta marbuta. */
export function looseSpelling(text: string): string {
  return text.replace(/[أإآ]/g, 'ا').replace(/ة/g, 'ه');
}
