import { foldText } from '#domain/fold.ts';
import { memoize } from '#domain/memoize.ts';
import { dualOf } from '#domain/text/numerals.ts';
import { wordsOf, wordTable } from '#domain/text/phrases.ts';
import { readSmall, type Scalar } from './numbers.ts';
import { foldValue } from './text.ts';

/** `2 غرفه` for `غرفتين`, in a folded text without digits. */
const withoutDuals = (folded: string): string =>
  /\d/.test(folded)
    ? folded
    : folded.replace(/\p{L}+/gu, (word) => {
        const noun = dualOf(word);
        return noun === null ? word : `2 ${noun}`;
      });

/** Rooms that the number before them includes: `4 غرف (٢ ماستر)`. */
const INCLUDED = /(?<=\d.{0,40})[(+،,] ?\d ?(?:ماستر|master|maid|خادمه|driver|سائق)\)?/g;

/** @param wholes whole texts with their values */
function counter(nouns: string, wholes: readonly (readonly [number, string])[]): (text: string) => number | null {
  const known = new Set(wordsOf(nouns));
  const values = wordTable(wholes);
  return memoize((text) => {
    const folded = foldText(text);
    return (
      values.get(folded) ??
      readSmall(
        withoutDuals(folded)
          .replace(INCLUDED, ' ')
          .replace(/(?<= )و (?=\p{L})/gu, 'و'),
        known,
      )
    );
  });
}

/** Some lists of values end with `7+` or `7 or more`. */
const ANY = 'عدد, number, no, of, count, +, or, more, او, اكثر';
const COUNTERS = {
  bedrooms: counter(
    `${ANY}, غرفة, غرف, نوم, رئيسية, ماستر, master, واسعة, كبيرة, غ, صالة, وصالة, وصالتين, مجلس, ومجلس, مطبخ, ومطبخ, سائق, وسائق, driver, bed, beds, bedroom, bedrooms, room, rooms, b, r, br, bd, bdr, bdrm, bhk, hall, and, maid, maids, s, خادمة, وخادمة`,
    [
      [0, 'studio, ستوديو, استوديو, zero, بدون'],
      [1, 'غرفة, غرفة نوم, غرفة وصالة, غرفة نوم وصالة'],
    ],
  ),
  bathrooms: counter(
    `${ANY}, حمام, حمامات, دورة, دورات, مياه, مية, bath, baths, bathroom, bathrooms, مغاسل, ومغاسل, مغسلة, ومغسلة, w, c, wc, wcs, ba, full, washroom, washrooms, toilet, toilets`,
    [
      [0, 'zero, بدون'],
      [1, 'حمام, دورة مياه'],
    ],
  ),
  livings: counter(`${ANY}, صالة, صالات, living, livings, room, rooms, hall, halls`, [
    [0, 'zero, بدون'],
    [1, 'صالة'],
  ]),
};

/** 0 to 99; null for anything else, such as a number of something else. */
export function readCount(value: Scalar, of: keyof typeof COUNTERS): number | null {
  return whole(typeof value === 'string' ? COUNTERS[of](value) : value, 99);
}

const OF_AGE =
  'عمر, العقار, المبنى, البناء, عمره, عمرها, old, age, of, about, تقريبا, حوالي, approx, approximately, property, building, مجدد, مجددة, renovated';
const NEW =
  'new, brand new, brand-new, new building, جديد, جديدة, بناء جديد, عقار جديد, جديد لم يسكن, جديدة لم تسكن, لم يسكن, لم تسكن, اول ساكن, جديد (اقل من سنة), جديد (لم يسكن), جديد (لم تسكن), شقة جديدة, فيلا جديدة, عمارة جديدة, دور جديد, أقل من سنة, أقل من سنة واحدة, اقل من عام, less than a year, less than 1 year, less than one year, under a year, under 1 year, تحت الإنشاء, under construction';
const yearsIn = counter(`${OF_AGE}, سنة, سنوات, سنين, س, عام, عاما, أعوام, years, year, yrs, yr, y, o`, [
  [0, `${NEW}, صفر, zero`],
  [1, 'سنة, سنة وحدة, عام'],
  [2, 'عامين, عامان'],
]);
const monthsIn = counter(`${OF_AGE}, شهر, أشهر, شهور, month, months`, [[1, 'شهر']]);

/** A year in which a building was completed: `2015`, `built in 2015`, `سنة البناء 1440هـ`. */
const YEAR_BUILT =
  /^(?:(?:(?:ال)?سنه|عام|تاريخ|year|built|تم|بنيت|بني|(?:ال)?بناء|في|in|(?:ال)?انشاء|constructed|completed)[ :]*){0,8}((?:19|20)\d\d|1[34]\d\d)(?: ?(?:(م|ad)|(ه|هجري|هجريه|ah|h)))?\.?$/;
const FIRST_YEAR = 1900;
/** Gregorian years per Hijri year, and the year before the first one. */
const HIJRI_YEAR = 0.970_224;
const HIJRI_START = 621.57;

/** The age may be a year too high, because only the year is stated. */
function ageSince(text: string, thisYear: number): number | null {
  const [, digits, , hijri] = YEAR_BUILT.exec(foldValue(text)) ?? [];
  const year = Number(digits);
  const built = hijri === undefined ? year : Math.ceil(year * HIJRI_YEAR + HIJRI_START);
  return built >= FIRST_YEAR && built <= thisYear ? thisYear - built : null;
}

const ageOfText = (text: string, thisYear: number): number | null => {
  const years = ageSince(text, thisYear) ?? yearsIn(text);
  if (years !== null) return years;
  const months = monthsIn(text);
  return months && Math.floor(months / 12);
};

/** In whole years, 0 to 200; `new` is 0. Null for anything else. */
export function readAge(value: Scalar, thisYear = 0): number | null {
  return whole(
    typeof value === 'string' || Number(value) >= FIRST_YEAR ? ageOfText(String(value), thisYear) : value,
    200,
  );
}

function whole(number: number | null | undefined, max: number): number | null {
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= max ? number : null;
}
