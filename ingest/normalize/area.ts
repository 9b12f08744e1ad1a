import { foldText } from '#domain/fold.ts';
import { memoize } from '#domain/memoize.ts';
import { isBlank, readNumber, readQuantity, type Scalar } from './numbers.ts';

/** Unit patterns with square meters per unit. The first matching pattern applies. */
const UNITS: readonly [pattern: RegExp, squareMeters: number][] = [
  [/sq(?:uare)?\.? ?f(?:ee|oo)?t\.?|sqft|ft2|قدم(?: مربع(?:ه)?)?/u, 0.092_903_04],
  [/hectares?|هكتار(?:ات)?/u, 10_000],
  [/acres?|فدان/u, 4_046.856_422_4],
  [/dun[au]ms?|دونم(?:ات)?/u, 1_000],
  [
    /sq(?:uare)?\.? ?m(?:et(?:er|re)s?)?\b\.?|sqm|m2|(?:متر|م)(?: ?2| مربع)?(?!\p{L})|(?<![a-z])m(?:et(?:er|re)s?)?(?![a-z])/u,
    1,
  ],
];

const areaOfText = memoize((text) => {
  let folded = foldText(text);
  let squareMeters = 1;
  for (const [pattern, size] of UNITS) {
    if (!pattern.test(folded)) continue;
    folded = folded.replace(pattern, ' ');
    squareMeters = size;
    break;
  }
  const sides = /^\s*(\d+(?:\.\d+)?)\s*(?:x|×|\*|في)\s*(\d+(?:\.\d+)?)\s*$/u.exec(folded);
  const amount = sides === null ? (readQuantity(folded)?.amount ?? null) : Number(sides[1]) * Number(sides[2]);
  if (amount === null) return null;
  // A converted area is rounded more coarsely, because it is not more exact than the original value.
  const steps = squareMeters === 1 ? 100 : 10;
  return Math.round(amount * squareMeters * steps) / steps;
});

/**
 * Reads an area in square meters from a number, a text with a unit (m², sq ft, dunam, hectare; default m²), or two
 * sides (`20×30`). Returns `undefined` if the text is not an area, and null if no area above 0 is stated.
 */
export function readArea(value: Scalar): number | null | undefined {
  if (isBlank(value)) return null;
  const area = typeof value === 'string' ? areaOfText(value) : readNumber(value);
  if (area === null) return undefined;
  return area > 0 ? area : null;
}

/** Reads a width in meters above 0 from a number or a text, with or without a unit; null for anything else. */
export function readWidth(value: Scalar): number | null {
  return readArea(value) ?? null;
}
