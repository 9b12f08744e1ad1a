import { foldText } from '#domain/fold.ts';
import { memoize } from '#domain/memoize.ts';

const DAY = 86_400_000;
const YEAR_FIRST = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?:[ t].*)?$/;
const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;
/** For example `thursday, 13 january 2022`. */
const IN_WORDS = /^(?:[a-z]+,? +)?(\d{1,2}) +([a-z]+),? +(\d{4})$/;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** Converts a Gregorian or Hijri date, by its year, or a spreadsheet day number to `YYYY-MM-DD`; else null. */
export const readDay = (value: string | number): string | null =>
  typeof value === 'number' ? ofSpreadsheet(value) : ofText(value);

const ofText = memoize((value): string | null => {
  if (/^\d{5}(\.\d+)?$/.test(value)) return ofSpreadsheet(Number(value));
  const text = foldText(value);
  const words = IN_WORDS.exec(text);
  if (words !== null) return ofNumbers(Number(words[3]), MONTHS.indexOf(words[2] ?? '') + 1, Number(words[1]));
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) return ofNumbers(Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3]));
  const dayFirst = DAY_FIRST.exec(text);
  return dayFirst === null ? null : ofNumbers(Number(dayFirst[3]), Number(dayFirst[2]), Number(dayFirst[1]));
});

/** Spreadsheets count days since 30 December 1899. */
function ofSpreadsheet(days: number): string | null {
  return days >= 20_000 && days < 80_000 ? iso(Date.UTC(1899, 11, 30) + Math.floor(days) * DAY) : null;
}

function ofNumbers(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  if (year >= 1300 && year <= 1500) return ofHijri(year, month, day);
  if (year < 1900 || year > 2100) return null;
  const time = Date.UTC(year, month - 1, day);
  return new Date(time).getUTCDate() === day ? iso(time) : null;
}

const iso = (time: number): string => new Date(time).toISOString().slice(0, 10);

const UMM_AL_QURA = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Converts a date in the Umm al-Qura calendar, which the ministry uses; null if its month has no such day. */
function ofHijri(year: number, month: number, day: number): string | null {
  // The estimate counts 29.530588 days per month from 20 November 1979, the day before 1 Muharram 1400. It is off by at
  // most two days.
  const estimate = Math.round(((year - 1400) * 12 + month - 1) * 29.530588) + day - 1;
  for (let days = estimate - 3; days <= estimate + 3; days++) {
    const time = Date.UTC(1979, 10, 20) + days * DAY;
    const [y, m, d] = hijriOf(time);
    if (y === year && m === month && d === day) return iso(time);
  }
  return null;
}

function hijriOf(time: number): [year: number, month: number, day: number] {
  const parts = UMM_AL_QURA.formatToParts(time);
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value);
  return [part('year'), part('month'), part('day')];
}

/** Converts a Gregorian date to Hijri text such as `1447/07/12`, for the sample data. */
export function hijriText(day: string): string {
  const [year, month, date] = hijriOf(Date.parse(`${day}T00:00:00Z`));
  return `${year}/${String(month).padStart(2, '0')}/${String(date).padStart(2, '0')}`;
}
