import { LAND_TYPES, type PropertyType } from '#domain/listing-vocabulary.ts';
import { boundsOfArea, UNITS, unitSize } from './area.ts';
import { type Bounds, isAbout, plausible, readDigits } from './numbers.ts';
import { END, matchesOf, onlyOf, START } from './patterns.ts';
import { snippet } from './stated-amounts.ts';
import type { TextReading } from './text-price.ts';

export interface AreaVerdict {
  /** Area from the text in square meters that replaces the field; null to keep the field. */
  corrected: number | null;
  /** Areas in the text in square meters; null if none or several are stated. */
  inText: number | null;
  plotInText: number | null;
  readings: TextReading[];
}

interface StatedArea {
  kind: 'home' | 'plot' | 'other';
  squareMeters: number;
  /** The number as written, if the text uses another unit than square meters. */
  feet: number | null;
  words: string;
}

const SQUARE_METERS_PER_FOOT = UNITS[0].squareMeters;
/** Maximum relative differences: of equal areas, and of areas that differ by balconies and walls. */
const SAME = 0.02;
const SIMILAR = 0.15;
/** Ratios between two areas: above the first they are of different homes, above the second one is of no home. */
const FAR = [1.9, 3] as const;
/** Words for outdoor or additional space that one of the areas may include, or for a second home. */
const OTHER_SPACE = /سطح|حوش|فناء|احواش|تراس|ارتداد|ملحق|صك|شقتين|دورين|roof|yard|terrace|garden/u;

const NUMBER = '(\\d+(?:[.,،]\\d+)*)';
const METERS = '(?:م ?2|متر(?: مربع)?|م|m ?2|sq\\.? ?m(?:et(?:er|re)s?)?|sqm|square met(?:er|re)s?|met(?:er|re)s?)';
const FEET = UNITS.slice(0, -1)
  .map(({ words }) => words)
  .join('|');
const UNIT = `(?:(${FEET})|(${METERS}))${END}`;
const AREA = new RegExp(
  `${START}((?:و?ب?(?:ال)?مساح\\p{L}*|(?:total |built[- ]up )?area(?: is| of)?)(?: (?!من|تبد|ابتد|مختلف|متنوع|from|start)\\p{L}+){0,3}[ :=/.()-]*)(?<![\\d.,])${NUMBER} ?(?:${UNIT})?`,
  'gu',
);
const WITH_UNIT = new RegExp(
  `(?<![\\d.,x*×])${NUMBER} ?(?:(${FEET})|(?:م ?2|متر مربع|m ?2|sq\\.? ?m(?:et(?:er|re)s?)?|sqm|square met(?:er|re)s?)${END})(?!\\s*(?:x|×|\\*))`,
  'gu',
);
const PLOT = /علي مساح|(?:ال)?ارض(?!ي)(?![\p{L}])|عماره|مشروع|قطعه|صك|مشاع|plot|land|building|project/u;
const OTHER =
  /سطح|حوش|فناء|حديق|بلكون|غرف|مجلس|صال|مطبخ|ملحق|مسبح|تراس|مستودع|قبو|خارجي|ارتداد|بناء|مسطح|roof|yard|garden|balcony|terrace|room|built|annex|street|شارع/u;
const SEVERAL = /(?:^| )(?:من|الي|حتي|بين|تبد\p{L}+|ابتداء?|from|to|between|up to)(?: |$)|مساحات|sizes|areas/u;
/** Before the number of a deed, a licence or an address. */
const LINEAR = /^ ?(?:طولي|طول|linear)/u;
const NUMBERED = /(?:رقم|رخص\p{L}*|ترخيص|بريدي|licen[cs]e|deed|postal|number|no)[ .:#]*$/u;
const wordsBefore = (line: string, at: number): string =>
  (/[^\d]*$/.exec(line.slice(Math.max(0, at - 24), at)) as RegExpExecArray)[0];

/** Null if the text describes several units. */
function statedAreas(lines: readonly string[], bounds: Bounds): StatedArea[] | null {
  const found: StatedArea[] = [];
  const add = (...area: Parameters<typeof stated>): void => {
    const one = stated(...area);
    if (one !== null) found.push(one);
  };
  for (const line of lines) {
    if (!/\d/.test(line)) continue;
    for (const match of matchesOf(line, AREA)) {
      const [whole, label = '', digits = '', feet] = match;
      const before = wordsBefore(line, match.index);
      const behind = line.slice(match.index + whole.length);
      if (SEVERAL.test(label) || SEVERAL.test(behind.slice(0, 8))) return null;
      if (LINEAR.test(behind)) continue;
      add(digits, feet, `${before}${label}`, whole, bounds);
    }
    for (const match of matchesOf(line, WITH_UNIT)) {
      const [whole, digits = '', feet] = match;
      const before = wordsBefore(line, match.index);
      if (/مساح|area/u.test(before) && feet === undefined) continue;
      if (SEVERAL.test(before)) return null;
      const behind = line.slice(match.index + whole.length, match.index + whole.length + 14);
      // `3,000 per sqm` is a price, `20 م شارع` is a street.
      if (/(?:\/|per|لل|لكل|سعر|ب)\s*$/u.test(before) || /street|شارع/u.test(behind)) continue;
      if (NUMBERED.test(before)) continue;
      add(digits, feet, before, `${before.trimStart()}${whole}`, bounds);
    }
  }
  return found;
}

function stated(
  digits: string,
  feet: string | undefined,
  context: string,
  words: string,
  ofHome: Bounds,
): StatedArea | null {
  const kind = PLOT.test(context) ? 'plot' : OTHER.test(context) ? 'other' : 'home';
  const { min, max } = kind === 'plot' ? boundsOfArea('land') : ofHome;
  const isFeet = feet !== undefined;
  const size = isFeet ? (unitSize(feet) ?? Number.NaN) : 1;
  const number = plausible(readDigits(digits), { min: min / size, max: max / size });
  if (number === null) return null;
  return {
    kind,
    squareMeters: isFeet ? Math.round(number * size * 10) / 10 : number,
    feet: isFeet ? number : null,
    words: snippet([words.trim()]),
  };
}

/** Types whose stated area is that of the unit. For other types, such as villas, it may be that of the plot. */
const UNITS_OF_BUILDINGS: ReadonlySet<PropertyType> = new Set<PropertyType>([
  'apartment',
  'studio',
  'floor',
  'duplex',
  'office',
]);
/** Factors between two areas if a digit is missing or extra, or the decimal separator is wrong. */
const DIGITS = [10, 100, 1_000, 0.1, 0.01];
const PLAUSIBLE = [15, 20_000] as const;

/**
 * Compares the stated area with the home's area in the text. The stated area is replaced if it differs by a digit,
 * equals the text's area in square feet, or, for a unit in a building, is the plot's area or far off. Pure.
 */
export function judgeArea(area: number | null, lines: readonly string[], type: PropertyType): AreaVerdict {
  const nothing: AreaVerdict = { corrected: null, inText: null, plotInText: null, readings: [] };
  if (area === null || LAND_TYPES.has(type)) return nothing;
  const areas = statedAreas(lines, boundsOfArea(type));
  if (areas === null) return nothing;
  const inFeet = areas.find(({ feet }) => feet !== null && isAbout(feet, area, SAME));
  if (inFeet !== undefined) return corrected(inFeet, null);
  const plotInText = onlyOf(areas.flatMap(({ kind, squareMeters }) => (kind === 'plot' ? squareMeters : [])));
  const homes = areas.filter(({ kind }) => kind === 'home');
  const [home] = homes;
  if (home === undefined || homes.some(({ squareMeters }) => !isAbout(squareMeters, home.squareMeters, 0.05)))
    return { ...nothing, plotInText };
  const { squareMeters } = home;
  const [low, high] = PLAUSIBLE;
  const kept: AreaVerdict = { ...nothing, inText: squareMeters, plotInText };
  if (squareMeters < low || squareMeters > high || isAbout(area, squareMeters, SIMILAR)) return kept;
  const isMistyped = DIGITS.some((size) => isAbout(area, squareMeters * size, size < 1 ? 0.08 : SAME));
  const isFeet = isAbout(area * SQUARE_METERS_PER_FOOT, squareMeters, SAME);
  const isPlot = areas.some((one) => one.kind === 'plot' && isAbout(one.squareMeters, area, SAME));
  const factor = Math.max(area / squareMeters, squareMeters / area);
  const isFar = factor >= FAR[0] && factor <= FAR[1] && !lines.some((line) => OTHER_SPACE.test(line));
  return isMistyped || isFeet || (UNITS_OF_BUILDINGS.has(type) && (isPlot || isFar))
    ? corrected(home, plotInText)
    : kept;
}

function corrected({ squareMeters, words }: StatedArea, plotInText: number | null): AreaVerdict {
  return {
    corrected: squareMeters,
    inText: squareMeters,
    plotInText,
    readings: [{ flag: 'area_from_text', words, amount: squareMeters }],
  };
}
