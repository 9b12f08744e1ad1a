import { foldText } from '#domain/fold.ts';
import { END, MAX_TEXT, matchesOf, START } from './patterns.ts';

const NUMBER = '([a-z]{0,2}[ -]?\\d{1,4}(?:-?[a-z])?)';
/** Lookahead that excludes numbers that measure or count something. */
const NOT_MEASURE =
  '(?! ?(?:م|متر|متور|م2|مترا|الف|الاف|ريال|مليون|غرف|غرفه|شقق|وحدات|سنه|سنوات|ادوار|sqm|m2|m|sar|k|bed\\p{L}*|bath\\p{L}*|rooms?)(?![\\p{L}]))(?![.,/]?\\d)';
const UNIT = new RegExp(
  [
    // After the name of a home type, digits are a unit number only with a word for number; after a word for unit, none
    // is needed.
    '(?:ال)?(?:شقه|فيلا|وحده|دوبلكس|مكتب|محل|معرض) رقم',
    'رقم (?:ال)?(?:شقه|فيلا|وحده|دوبلكس|مكتب|محل|معرض)',
    '(?:ال)?وحده',
    '(?:unit|apartment|flat|villa|apt|office|shop) (?:no|num|number|#)',
    '(?:unit|apt)',
  ]
    .map((word) => `${START}و?${word}[ .:#()_-]{1,4}${NUMBER}${END}${NOT_MEASURE}`)
    .join('|'),
  'gu',
);
const HINT = /رقم|وحد[ةه]|unit|apt|apartment|flat|villa|office|shop/i;

/** Returns the unit number in a text, such as `12`, `304` or `A12`; null if none or several are stated. */
export function unitNumberIn(text: string): string | null {
  if (!HINT.test(text)) return null;
  const found = new Set<string>();
  for (const match of matchesOf(foldText(text.slice(0, MAX_TEXT)), UNIT)) {
    const number = match.slice(1).find((group) => group !== undefined) ?? '';
    found.add(number.replace(/[^a-z\d]/g, '').replace(/^([a-z]*)0+(?=\d)/, '$1'));
  }
  const [only] = found;
  return found.size === 1 ? (only as string) : null;
}
