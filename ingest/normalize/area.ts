import type { PropertyType } from '#domain/listing-vocabulary.ts';
import { memoize } from '#domain/memoize.ts';
import { wordsOf } from '#domain/text/phrases.ts';
import { spaced } from './ad-words.ts';
import { TELEPHONE } from './amount.ts';
import {
  type Bounds,
  DIGITS,
  foldNumber,
  isAbout,
  isBlank,
  plausible,
  readDigits,
  readSmall,
  type Scalar,
  SMALL,
} from './numbers.ts';
import { END, START } from './patterns.ts';
import { foldValue } from './text.ts';

interface UnitRow {
  squareMeters: number;
  /** Alternatives of a regular expression over folded text. The first row that matches applies. */
  words: string;
  examples: readonly string[];
}

export const UNITS = [
  {
    squareMeters: 0.092_903_04,
    words: String.raw`sq(?:uare)?[. -]*f(?:ee|oo)?t\.?|sqft|ftk|sft|sqf|s\.?f\.?|ft ?(?:\^|\*\*)?2|ft\.? sq\.?|f(?:ee|oo)?t|قدم(?: ?2| مربع(?:ه)?)?`,
    examples: ['sqft', 'FTK', 'SF', 'sq. ft.', 'ft²', 'square feet', 'feet', 'قدم مربع', 'قدم'],
  },
  {
    squareMeters: 0.836_127_36,
    words: String.raw`sq(?:uare)?[. -]*y(?:ar)?ds?\.?|yd ?(?:\^|\*\*)?2|yards?|يارد[هة]?(?: ?2| مربع(?:ه)?)?`,
    examples: ['sq yd', 'square yards', 'yd²', 'ياردة مربعة'],
  },
  { squareMeters: 10_000, words: 'hectares?|ha|هكتار(?:ات)?', examples: ['ha', 'hectares', 'هكتار'] },
  { squareMeters: 4_046.856_422_4, words: 'acres?', examples: ['acres'] },
  { squareMeters: 1_000, words: 'd[uo]n[aou]ms?|دونم(?:ات)?', examples: ['dunam', 'donum', 'دونم'] },
  {
    squareMeters: 1_000_000,
    words: String.raw`km ?(?:\^|\*\*)?2|sq(?:uare)?[. -]*km|كم ?2|كيلو ?متر مربع`,
    examples: ['km²', 'كم²'],
  },
  {
    squareMeters: 1,
    words: String.raw`sq(?:uare)?[. -]*m(?:ts?|t?rs?|et(?:er|re)s?)?\.?|sqm|mtk|sm|mt?s? ?(?:\^|\*\*)?2|m sq|م ?\. ?م|(?:متر(?:ا)?|م)(?: ?\^?2| ?مربع(?:ا)?)?|m(?:t?rs?|et(?:er|re)s?)?`,
    examples: [
      'm²',
      'm2',
      'm^2',
      'sq. m.',
      'sqm',
      'MTK',
      'SquareMeters',
      'square meters',
      'm',
      'م',
      'م²',
      'متر مربع',
      '㎡',
    ],
  },
] as const satisfies readonly UnitRow[];

/** Matches a unit of area; the group of a unit is at its index in `UNITS`, plus one. */
const UNIT_PATTERN = `${UNITS.map(({ words }) => `(${words})`).join('|')}`;
const UNIT = `(?:${UNIT_PATTERN})${END}`;
const WHOLE_UNIT = new RegExp(`^${UNIT}$`, 'u');
const METER = '(?:m(?:t?rs?|et(?:er|re)s?)?|م|متر(?:ا)?|امتار)';
const SIDE = '(?: (?:عرض|طول|عمق))?';
const MULTIPLIERS: Readonly<Record<string, number>> = { k: 1e3, الف: 1e3, الاف: 1e3, thousand: 1e3, مليون: 1e6 };
const READING = new RegExp(
  [
    `${START}(?<a>${DIGITS}) ?${METER}?${SIDE} ?(?:x|×|\\*|في|by) ?(?<b>${DIGITS})(?: ?${METER}(?: ?2| مربع)?)?${SIDE}${END}`,
    `\\(?(?<before>${UNIT})\\)? ?:? ?(?<late>${DIGITS})${END}`,
    `(?<digits>${DIGITS})(?: ?(?<times>${Object.keys(MULTIPLIERS).join('|')})${END})?(?:[ /-]?\\(?(?<unit>${UNIT}))?`,
  ].join('|'),
  'gu',
);
/** Words with an area that do not change it. */
const LABELS =
  /(?<![a-z0-9\u0621-\u064a])(?:(?:ال)?(?:ابعاد|اطوال)(?:ها)?|dimensions|شامل|زاويه|بطن|(?:علي )?شارع(?:ين)?(?: (?:عرض )?\d+ ?م?)?(?: (?:شمال|جنوب|شرق|غرب)ي?)?|ب?(?:ال)?مساح(?:ه|تها|ته)(?: (?:ال)?(?:شقه|فيلا|عقار|وحده|دور|مكتب|ارض|بناء|مباني))?|شقه(?= \d)|مبنيه|plot|land|area|size|total|net|gross|built[ -]?up|bua|about|approx(?:imately)?\.?|تقريبا|حوالي|صافي|اجمالي|(?:ال)?اجماليه|مسطح|مسطحات|sized?|حسب (?:ال)?صك|بالصك)(?![a-z0-9\u0621-\u064a])/gu;

const ANY: Bounds = { min: 10, max: 1e8 };
const PLOTS: Bounds = { min: 100, max: 1e8 };
/** Plausible areas in square meters for types other than plots and buildings. */
const PLAUSIBLE: Partial<Record<PropertyType, Bounds>> = {
  apartment: { min: 25, max: 9_999 },
  floor: { min: 25, max: 9_999 },
  duplex: { min: 25, max: 9_999 },
  villa: { min: 50, max: 9_999 },
  townhouse: { min: 50, max: 9_999 },
  studio: { min: 5, max: 999 },
  room: { min: 5, max: 999 },
  office: { min: 8, max: 99_999 },
  shop: { min: 8, max: 99_999 },
};

export const boundsOfArea = (type: PropertyType | null): Bounds => (type === null ? ANY : (PLAUSIBLE[type] ?? PLOTS));

/** Square meters per unit; null for an unknown unit. */
export function unitSize(text: string): number | null {
  const match = WHOLE_UNIT.exec(foldValue(spaced(text)).replace(/^\((.*)\)$/, '$1'));
  const at = match === null ? -1 : match.slice(1).findIndex((group) => group !== undefined);
  return UNITS[at]?.squareMeters ?? null;
}

interface Reading {
  values: readonly (number | null)[];
  unit: number | null;
}

/** Returns the areas in a text; null if the text has other words or signs. */
const readingsOf = memoize((text): Reading[] | null => {
  const folded = foldNumber(text)
    .replace(/^[~≈±] ?/, '')
    .replace(/^(?=(?:الف|مليون) )/, '1 ')
    .replace(LABELS, ' ')
    .replace(/ {2,}| - /g, ' ');
  const readings: Reading[] = [];
  const rest = folded.replace(READING, (...match) => {
    const { a, b, before, late, digits = '', times, unit } = match.at(-1) as Record<string, string | undefined>;
    if (a !== undefined && b !== undefined) {
      const [length, width] = [a, b].map((side) => plausible(readDigits(side), SMALL));
      readings.push({
        values: typeof length === 'number' && typeof width === 'number' ? [length * width] : [],
        unit: 1,
      });
    } else {
      const values = readDigits(late ?? digits);
      const factor = times === undefined ? 1 : (MULTIPLIERS[times] as number);
      readings.push({
        values: factor === 1 ? values : [(values.at(-1) ?? Number.NaN) * factor],
        unit: (before ?? unit) === undefined ? null : unitSize((before ?? unit) as string),
      });
    }
    return ' ';
  });
  return /^[\s()[\]:=/|.,،؛;"]*$/.test(rest) && readings.length > 0 ? readings : null;
});

/** Maximum relative difference between two readings of one area. */
const SAME = 0.02;

/**
 * Reads square meters from a number, a text with units, or two sides (`20×30`). An area may be written twice, in two
 * units or with its sides. `undefined` if the text is no area or its unit is unknown, null if no area above 0 is
 * stated.
 * @param unit the source's column for the unit; by default, square meters
 */
export function readArea(
  value: Scalar,
  type: PropertyType | null = null,
  unit?: string | null,
): number | null | undefined {
  if (isBlank(value)) return null;
  const column = isBlank(unit) ? null : unitSize(String(unit));
  if (column === null && !isBlank(unit)) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (typeof value === 'string' && /^\s*-\s*\d/.test(value)) return null;
  if (TELEPHONE.test(foldValue(String(value)))) return undefined;
  const readings = typeof value === 'string' ? readingsOf(value) : [{ values: [value], unit: null }];
  if (readings === null) return undefined;
  const bounds = boundsOfArea(type);
  const areas = readings.map(({ values, unit: own }) => {
    // A unit in the text that differs from the column's leaves the area unclear.
    if (own !== null && column !== null && own !== column && readings.length === 1) return null;
    const size = own ?? column ?? 1;
    const amount = plausible(values, { min: bounds.min / size, max: bounds.max / size });
    return amount === null ? null : { area: amount * size, size };
  });
  const [first] = areas;
  if (
    first === undefined ||
    areas.some((one) => !one || !first || (one !== first && !isAbout(one.area, first.area, SAME)))
  )
    return undefined;
  const { area, size } = (areas.find((one) => one?.size === 1) ?? first) as { area: number; size: number };
  if (!(area <= ANY.max)) return undefined;
  // A converted area is rounded more coarsely, because it is not more exact than the original value.
  const steps = size === 1 ? 100 : 10;
  return area > 0 ? Math.round(area * steps) / steps : null;
}

/** Greatest width of a street, in meters. */
export const MAX_WIDTH = 120;
const MIN_WIDTH = 3;
const METERS = new Set(
  wordsOf(
    'شمال, جنوب, شرق, غرب, m, م, متر, meter, meters, metre, metres, mtr, mtrs, عرض, بعرض, width, wide, شارع, طريق, street, road, مترا, امتار, شمالي, جنوبي, شرقي, غربي, شمالية, جنوبية, شرقية, غربية, ش, ج, غ, north, south, east, west',
  ),
);

/** In meters; null for anything but a width. */
export function readWidth(value: Scalar): number | null {
  const width = readSmall(value, METERS);
  return width !== null && width >= MIN_WIDTH && width <= MAX_WIDTH ? width : null;
}
