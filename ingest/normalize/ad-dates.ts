import type { Timestamp } from '#domain/listings/listing.ts';
import { memoize } from '#domain/memoize.ts';
import { wordTable } from '#domain/text/phrases.ts';
import { foldValue } from './text.ts';

/** Time zone of times without an offset, unless the source states another. */
const DEFAULT_TIME_ZONE = 'Asia/Riyadh';

/** Earlier dates are treated as errors. */
const EARLIEST = Date.UTC(2000, 0, 1);
const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const MONTHS = wordTable<number>([
  [1, 'jan, january, يناير, كانون الثاني'],
  [2, 'feb, february, فبراير, شباط'],
  [3, 'mar, march, مارس, آذار'],
  [4, 'apr, april, أبريل, نيسان'],
  [5, 'may, مايو, أيار'],
  [6, 'jun, june, يونيو, يونيه, حزيران'],
  [7, 'jul, july, يوليو, يوليه, تموز'],
  [8, 'aug, august, أغسطس, آب'],
  [9, 'sep, sept, september, سبتمبر, أيلول'],
  [10, 'oct, october, أكتوبر, تشرين الأول'],
  [11, 'nov, november, نوفمبر, تشرين الثاني'],
  [12, 'dec, december, ديسمبر, كانون الأول'],
]);
const WEEKDAY =
  /^(?:(?:sun|mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur)(?:day)?|(?:ال)?(?:احد|اثنين|ثلاثاء|اربعاء|خميس|جمعه|سبت)),? /;
/** A name of a month has up to two words. */
const NAME = '(?<name>[a-z]+|[\\u0621-\\u064a]+(?: [\\u0621-\\u064a]+)?)';
const AFTER_YEAR = '(?: ?م(?![a-z\\u0621-\\u064a]))?';
export type DateOrder = 'day_first' | 'month_first';

/**
 * Starts of a text with a date. If both numbers come before the year, the source states which of them is the month. A
 * number before a colon is an hour.
 */
const DATES = [
  String.raw`(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?!:)`,
  String.raw`(?<day>\d{1,2})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<year>\d{4})${AFTER_YEAR}`,
  String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?[ /-]?(?:of )?${NAME}\.?,?[ /-]?(?<year>\d{4}(?!:)|(?<=-)\d\d)${AFTER_YEAR}`,
  String.raw`${NAME}\.?[ -](?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? |-)(?<year>\d{4})`,
  String.raw`(?<year>\d{4})[ -]${NAME}[ -](?<day>\d{1,2})(?!:)`,
  String.raw`(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?=$|t)`,
].map((date) => new RegExp(`^${date}`, 'u'));
const DAY_FIRST = DATES[1];
/** Starts of the text after a date. */
const TIMES = [
  /^[,t]? ?(?:- |at )?(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d+)?)?(?: ?(?<half>am|pm|a\.m\.|p\.m\.|صباحا|مساء|ص|م))?/u,
  /^t(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?/u,
  /^-(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)/u,
];
/** The whole text after a date or time. */
const ZONE =
  /^(?: ?(?<utc>z|utc|gmt(?![+-]))| ?(?:gmt)?(?<sign>[+-])(?<zoneHour>\d\d):?(?<zoneMinute>\d\d)?)?(?: \([a-z ]+\))?$/u;
const EPOCH = /^(?:\/date\()?(\d{9,13}(?:\.\d+)?)(?:(?:[+-]\d{4})?\)\/)?$/;
/** Days since 1899-12-30, as spreadsheets export dates, with the time as a fraction. */
const SERIAL = /^\d{5}(?:\.\d+)?$/;

/**
 * Reads ISO 8601, day or month first with a number or name of the month, epoch seconds or milliseconds, or days of a
 * spreadsheet, as `YYYY-MM-DDThh:mm:ssZ`. A date without a time is the start of that day. Null if the day does not
 * exist, is before 2000, or after `latest` (epoch milliseconds).
 */
export function readDate(
  value: string | number | null | undefined,
  latest: number,
  timeZone = DEFAULT_TIME_ZONE,
  order: DateOrder = 'day_first',
): Timestamp | null {
  const found =
    typeof value === 'string' ? MOMENTS[order](value) : typeof value === 'number' ? momentOfNumber(value) : null;
  if (found === null) return null;
  const time = found.isLocal ? utcOf(found.time, timeZone) : found.time;
  if (!(time >= EARLIEST && time <= latest)) return null;
  if (typeof value === 'string' && CANONICAL.test(value)) return value;
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Reads the day as written, regardless of time and offset, as `YYYY-MM-DD`; null as for `readDate`. */
export function readDay(value: string, latest: number, order: DateOrder = 'day_first'): string | null {
  const found = MOMENTS[order](value);
  if (found === null) return null;
  const day = found.day ?? found.time + offsetAt(found.time, DEFAULT_TIME_ZONE);
  return day >= EARLIEST && day <= latest ? new Date(day).toISOString().slice(0, 10) : null;
}

/** Whether a date is only possible in the other order of day and month. */
export const contradictsOrder = (value: string, order: DateOrder = 'day_first'): boolean =>
  MOMENTS[order](value) === null && MOMENTS[OTHER_ORDER[order]](value) !== null;

/** Years of the Hijri calendar in which ads are dated, and its months that no other calendar has. */
const HIJRI = /(?<!\d)14\d\d(?!\d)|محرم|ربيع|جماد|رجب|شعبان|رمضان|شوال/;

/** What the source can do about an unread date, if the date shows it. */
export function dateRemedy(value: string, order: DateOrder = 'day_first'): string | null {
  if (contradictsOrder(value, order)) return otherOrder(order);
  return HIJRI.test(foldValue(value)) ? 'Hijri dates are not read: state the Gregorian one, such as 2026-11-20' : null;
}

const OTHER_ORDER = { day_first: 'month_first', month_first: 'day_first' } as const;

export const otherOrder = (order: DateOrder = 'day_first'): string =>
  `Dates are read ${order === 'day_first' ? 'day first' : 'month first'}: set dateOrder: '${OTHER_ORDER[order]}' in the source if the feed writes them in the other order`;

/** Epoch milliseconds; of a local time, as if its time zone were UTC. */
interface WrittenTime {
  time: number;
  isLocal: boolean;
  /** Start of the day as written, in UTC; null if only a moment is stated. */
  day: number | null;
}

const momentOfText = (text: string, order: DateOrder): WrittenTime | null => {
  const folded = foldValue(text)
    .replace(/ ?([/،,]) ?/g, (_, mark) => (mark === '/' ? '/' : ', '))
    .replace(WEEKDAY, '');
  const epoch = EPOCH.exec(folded)?.[1];
  if (epoch !== undefined) return momentOfNumber(Number(epoch));
  if (SERIAL.test(folded)) return momentOfNumber(Number(folded));
  for (const pattern of DATES) {
    const date = pattern.exec(folded);
    if (date === null || (date.groups?.name !== undefined && !MONTHS.has(date.groups.name))) continue;
    const time = timeOf(folded.slice(date[0].length));
    if (time !== null) return momentOf({ ...date.groups, ...time }, pattern === DAY_FIRST && order === 'month_first');
  }
  return null;
};

const MOMENTS: Readonly<Record<DateOrder, (text: string) => WrittenTime | null>> = {
  day_first: memoize((text) => momentOfText(text, 'day_first')),
  month_first: memoize((text) => momentOfText(text, 'month_first')),
};

/** Reads the text after a date; null if it is neither empty nor a time or zone. */
function timeOf(text: string): Groups | null {
  let time: RegExpExecArray | null = null;
  for (const pattern of TIMES) time ??= pattern.exec(text);
  const zone = ZONE.exec(text.slice(time?.[0].length ?? 0));
  return zone && { ...time?.groups, ...zone.groups };
}

type Groups = Record<string, string | undefined>;

function momentOf(groups: Groups, isMonthFirst: boolean): WrittenTime | null {
  // `2026-11-20-11` states no time, so that the last number is no offset.
  if (groups.hour === undefined && groups.sign !== undefined && groups.zoneMinute === undefined) return null;
  const { year = '', month, name, hour = '0', minute = '0', second = '0', half, utc, sign } = groups;
  const fullYear = year.length === 2 ? 2_000 + Number(year) : Number(year);
  let monthNumber = name === undefined ? Number(month) : (MONTHS.get(name) as number);
  let day = Number(groups.day);
  if (isMonthFirst) [monthNumber, day] = [day, monthNumber];
  const hours = hourOf(Number(hour), half);
  const date = new Date(Date.UTC(fullYear, monthNumber - 1, day));
  if (date.getUTCFullYear() !== fullYear || date.getUTCMonth() !== monthNumber - 1 || date.getUTCDate() !== day)
    return null;
  if (hours === null || Number(minute) > 59 || Number(second) > 59) return null;
  const time = date.getTime() + ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
  const stated = date.getTime();
  if (sign === undefined) return { time, isLocal: utc === undefined, day: stated };
  const offset = Number(groups.zoneHour) * 60 + Number(groups.zoneMinute ?? 0);
  return offset > 14 * 60
    ? null
    : { time: time - (sign === '-' ? -offset : offset) * 60_000, isLocal: false, day: stated };
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour <= 23 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (/^[pم]/.test(half) ? 12 : 0);
}

/** Numbers of five digits are days; up to eleven digits are seconds, which as milliseconds would denote 1973. */
function momentOfNumber(number: number): WrittenTime | null {
  if (number < 1e8) {
    const isDay = number >= 36_526 && number < 73_051;
    if (!isDay) return null;
    const time = Math.round((number - 25_569) * 86_400) * 1_000;
    return { time, isLocal: true, day: time - (time % 86_400_000) };
  }
  return { time: number < 1e11 ? number * 1_000 : number, isLocal: false, day: null };
}

/** Offset of the default time zone, which has no summer time, without the cost of formatting. */
const RIYADH_OFFSET = 3 * 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function utcOf(local: number, timeZone: string): number {
  // Near the start or end of summer time, the offset at the first result may differ from that at the second.
  const guess = local - offsetAt(local, timeZone);
  return local - offsetAt(guess, timeZone);
}

function offsetAt(time: number, timeZone: string): number {
  if (timeZone === DEFAULT_TIME_ZONE) return RIYADH_OFFSET;
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
