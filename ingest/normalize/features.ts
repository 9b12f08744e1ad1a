import { foldText } from '#domain/fold.ts';
import { AMENITIES, type Amenity } from '#domain/listing-vocabulary.ts';
import type { NormalizedListing } from './listing.ts';
import { END, MAX_TEXT, matchesOf, onlyOf, START } from './patterns.ts';

/** Number of bits for amenities. The higher bits are the side that the home faces. */
export const AMENITY_BITS = AMENITIES.length;
const BIT_OF = new Map<Amenity, number>(AMENITIES.map((amenity, bit) => [amenity, 1 << bit]));
const SIDES = ['north', 'south', 'east', 'west'] as const;
const SIDE_OF: ReadonlyMap<string, number> = new Map([
  ...SIDES.map((side, at) => [side, at] as const),
  ...['شمال', 'جنوب', 'شرق', 'غرب'].map((side, at) => [side, at] as const),
]);
const FACING =
  /(?:facing|facade|واجه[ةه]|الواجه[ةه])[ \t:.-]{1,3}(north|south|east|west|ال)?(شمال|جنوب|شرق|غرب)?|\b(north|south|east|west)[ -]facing/giu;

/**
 * Returns the facts of an ad that do not depend on its words and language, as bits: its amenities, and the side that it
 * faces if the text states exactly one. 0 if it states none.
 */
export function featuresOf({ amenities, title, description }: NormalizedListing): number {
  let bits = 0;
  for (const amenity of amenities) bits |= BIT_OF.get(amenity as Amenity) ?? 0;
  const side = sideIn(`${title ?? ''} ${description}`);
  return side === null ? bits : bits | (1 << (AMENITY_BITS + side));
}

function sideIn(text: string): number | null {
  const found = new Set<number>();
  for (const [, english, arabic, before] of matchesOf(text.slice(0, MAX_TEXT), FACING)) {
    const side = SIDE_OF.get(foldText(arabic ?? before ?? english ?? ''));
    if (side !== undefined) found.add(side);
  }
  return onlyOf(found);
}

const NUMBER = '([a-z]{0,2}[ -]?\\d{1,4}(?:-?[a-z])?)';
/** What follows a number that measures or counts something. */
const MEASURE =
  / ?(?:م|متر|متور|م2|مترا|الف|الاف|ريال|مليون|غرف|غرفه|شقق|وحدات|سنه|سنوات|ادوار|sqm|m2|m|sar|k|bed\p{L}*|bath\p{L}*|rooms?)(?![a-z\u0621-\u064a])|[.,/]?\d/uy;
const HOME = '(?:شقه|فيلا|وحده|دوبلكس|مكتب|محل|معرض)';
/** After the name of a home type, digits are a unit number only with a word for number; after a word for unit, always. */
const LABELS = [
  `(?:ال)?${HOME} رقم`,
  `رقم (?:ال)?${HOME}`,
  '(?:ال)?وحده',
  '(?:unit|apartment|flat|villa|apt|office|shop) (?:no|num|number|#)',
  '(?:unit|apt)',
].join('|');
const UNIT = new RegExp(`${START}و?(?:${LABELS})[ .:#()_-]{1,4}${NUMBER}${END}`, 'gu');
const HINT = /رقم|وحد[ةه]|unit|apt|apartment|flat|villa|office|shop/i;

/** Returns the unit number in a text, such as `12`, `304` or `A12`; null if none or several are stated. */
export function unitNumberIn(text: string): string | null {
  if (!HINT.test(text)) return null;
  const found = new Set<string>();
  const folded = foldText(text.slice(0, MAX_TEXT));
  for (const { index, 0: words, 1: number = '' } of matchesOf(folded, UNIT)) {
    MEASURE.lastIndex = index + words.length;
    if (!MEASURE.test(folded)) found.add(number.replace(/[^a-z\d]/g, '').replace(/^([a-z]*)0+(?=\d)/, '$1'));
  }
  return onlyOf(found);
}
