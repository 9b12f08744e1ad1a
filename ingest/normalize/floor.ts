import { foldText } from '#domain/fold.ts';
import { memoize } from '#domain/memoize.ts';
import { wordTable } from '#domain/text/phrases.ts';
import { isBlank, type Scalar } from './numbers.ts';

/** Words for floors: each maps to a floor number, or to a class of the `floor` filter. */
const FLOOR_WORDS = wordTable<string>([
  ['basement', 'basement, underground, قبو, القبو, بدروم, البدروم, سرداب, تسوية'],
  ['ground', 'ground, g, gf, أرضي, الأرضي, أرضية'],
  ['upper', 'upper, top, last, mezzanine, علوي, العلوي, علوية, العلوية, أخير, الأخير, ميزانين'],
  ['roof', 'roof, rooftop, penthouse, annex, ملحق, الملحق, سطح, السطح, روف, الروف, بنتهاوس'],
  ['1', 'first, 1st, أول, الأول, اولى, الاولى'],
  ['2', 'second, 2nd, ثاني, الثاني, الثانية, ثان'],
  ['3', 'third, 3rd, ثالث, الثالث'],
  ['4', 'fourth, 4th, رابع, الرابع'],
  ['5', 'fifth, 5th, خامس, الخامس'],
  ['6', 'sixth, 6th, سادس, السادس'],
  ['7', 'seventh, 7th, سابع, السابع'],
  ['8', 'eighth, 8th, ثامن, الثامن'],
  ['9', 'ninth, 9th, تاسع, التاسع'],
  ['10', 'tenth, 10th, عاشر, العاشر'],
]);

const MAX_FLOOR = 150;
const ORDER = ['basement', 'ground', 'upper', 'roof'];

const floorOfText = memoize((text) => {
  const floors = new Set<string>();
  for (const [word] of foldText(text).matchAll(/-?\d+(?:\.\d+)?(?:st|nd|rd|th)?|[\p{L}]+/gu)) {
    const known = FLOOR_WORDS.get(word) ?? (word.startsWith('و') ? FLOOR_WORDS.get(word.slice(1)) : undefined);
    const floor = known ?? numberedFloor(Number.parseFloat(word));
    if (floor !== null) floors.add(floor);
  }
  return floors.size === 0 ? null : [...floors].sort((a, b) => rank(a) - rank(b)).join(',');
});

/** Sort key for floors: basement, ground, numbered floors, upper, roof. */
function rank(floor: string): number {
  const floorNumber = Number(floor);
  if (Number.isInteger(floorNumber)) return floorNumber + 1;
  const place = ORDER.indexOf(floor);
  return place < 2 ? place : MAX_FLOOR + place;
}

function numberedFloor(number: number): string | null {
  if (!Number.isInteger(number) || number > MAX_FLOOR) return null;
  if (number < 0) return 'basement';
  return number === 0 ? 'ground' : String(number);
}

/**
 * Normalizes a floor to `basement`, `ground`, `upper`, `roof`, a number, or a comma-separated list of these, lowest
 * first (`ground,upper`). Null if no floor is stated.
 */
export function readFloor(value: Scalar): string | null {
  if (isBlank(value)) return null;
  return typeof value === 'string' ? floorOfText(value) : numberedFloor(value as number);
}
