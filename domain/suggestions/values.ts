import { foldText } from '../fold.ts';
import { NAMES } from '../listing-vocabulary.ts';
import type { Candidate } from '../named.ts';
import { PROJECT_BANK_NAMES, PROJECT_FEATURE_NAMES, PROJECT_STATUS_NAMES } from '../off-plan/project-vocabulary.ts';
import { readNumber } from '../text/numerals.ts';
import { nearest } from './nearest.ts';
import parameterNames from './parameter-names.json' with { type: 'json' };
import { nearestParameters } from './parameters.ts';
import valueNames from './value-names.json' with { type: 'json' };

/** A value of two vocabularies has the names of both. Names of parameters are values of `fields`. */
const NAMES_BY_VALUE = new Map<string, readonly string[]>(Object.entries(valueNames));
for (const [name, others] of Object.entries(parameterNames.other_names))
  NAMES_BY_VALUE.set(name, [...(NAMES_BY_VALUE.get(name) ?? []), ...others.split(' ')]);
const OFF_PLAN_NAMES = [PROJECT_BANK_NAMES, PROJECT_FEATURE_NAMES, PROJECT_STATUS_NAMES];
for (const vocabulary of [...Object.values(NAMES), ...OFF_PLAN_NAMES])
  for (const [value, { name_en, name_ar }] of Object.entries(vocabulary))
    NAMES_BY_VALUE.set(value, [...(NAMES_BY_VALUE.get(value) ?? []), name_en, name_ar]);

export const candidatesOf = (accepted: readonly string[]): Candidate[] =>
  accepted.map((value) => ({ value, names: NAMES_BY_VALUE.get(value) ?? [] }));

export function nearestValue(given: string, accepted: readonly string[]): string | null {
  // Other APIs write descending sort order as `-price`.
  const descending = /^-(\w+)$/.exec(given)?.[1];
  if (descending !== undefined) return accepted.find((value) => value === `${descending}_desc`) ?? null;
  return nearest(given, candidatesOf(accepted));
}

const TRUE = new Set('true t yes y on 1 نعم صح'.split(' '));
const FALSE = new Set('false f no n off 0 لا'.split(' '));

export function nearestBoolean(given: string): 'true' | 'false' | null {
  const text = given.toLowerCase();
  if (TRUE.has(text)) return 'true';
  return FALSE.has(text) ? 'false' : null;
}

/** Factors, also of other units than those of parameters: prices are by year, and areas in square meters. */
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  ألف: 1e3,
  الف: 1e3,
  M: 1e6,
  mn: 1e6,
  million: 1e6,
  مليون: 1e6,
  monthly: 12,
  sqft: 0.09290304,
};
/** Units that may be dropped. Dropping others, such as years, would change the meaning. */
const UNITS = '(?:SAR|SR|riyals?|ريال|ر\\.س\\.?|\\$|sqm|sq ?m|m[2²]?|met(?:er|re)s?|متر|م[2²]?|%)';
const QUANTITY = new RegExp(
  `^${UNITS}? ?(-?\\d+(?:\\.\\d+)?)(?: ?(${Object.keys(SCALES).join('|')}))?(?: ?${UNITS})?$`,
  'i',
);
const GROUPS = /(?<=\d)[,_ ](?=\d{3}(?!\d))/g;

/** Returns the number in a text with a currency, a unit, thousands separators or a scale (`SAR 5,000`, `5k`). */
export function nearestNumber(given: string): string | null {
  const words = foldText(given).split(' ');
  const spelled = readNumber(words, 0);
  const text = spelled ? [spelled.value, ...words.slice(spelled.length)].join(' ') : given.replace(GROUPS, '');
  const [, digits, scale] = QUANTITY.exec(text) ?? [];
  if (digits === undefined) return null;
  // Lower-case `m` means meters, not millions.
  const factor = scale === undefined || scale === 'm' ? 1 : (SCALES[scale === 'M' ? scale : scale.toLowerCase()] ?? 1);
  // Scaling leaves a rounding error: 1.1 million must not become 1100000.0000000002.
  return String(Math.round(Number(digits) * factor * 1e6) / 1e6);
}

// Date-times in other notations. The schema checks validity afterwards.
const MOMENT =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?)?\s*(Z|UTC|GMT|[+-]?\d{2}(?::?\d{2})?)?$/i;

/** A date as printed by programs, in a time zone: `Thu, 01 Jan 2026 00:00:00 GMT`. */
const HTTP_DATE = /^[a-z]{3},? .*\d\d:\d\d:\d\d (GMT|UTC|[+-]\d{4})/i;

/** An unescaped `+` in a URL query decodes to a space, here that of a time zone offset. */
export const lostPlus = (text: string): boolean => /\d:\d{2}(\.\d+)? \d{2}:?\d{2}$/.test(text);

/** Returns the times that a text in another ISO form or in Unix time may mean: date-times, then days. */
export function momentsOf(text: string): string[] {
  if (/^\d{10}$|^\d{13}$/.test(text)) {
    const instant = new Date(Number(text.padEnd(13, '0'))).toISOString();
    return [`${instant.slice(0, 19)}Z`, instant.slice(0, 10)];
  }
  const match = MOMENT.exec(text);
  if (!match) return HTTP_DATE.test(text) && Date.parse(text) ? [new Date(text).toISOString()] : [];
  const [, year, month = '', day = '', hour = '0', minute = '00', second = '00', fraction = '', zone] = match;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return [`${date}T${hour.padStart(2, '0')}:${minute}:${second}${fraction}${zoneOf(zone)}`, date];
}

function zoneOf(zone = 'Z'): string {
  const [, sign = '+', hours, minutes = '00'] = /^([+-])?(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return hours === undefined ? 'Z' : `${sign || '+'}${hours}:${minutes}`;
}

/** Returns the periods that a text such as `2025Q3`, `Q3 2025`, `202507` or `2025-07-01` may mean. */
export function periodsOf(text: string): string[] {
  const quarter = /^(\d{4})[-/ _]?q?([1-4])$/i.exec(text) ?? swapped(/^q?([1-4])[-/ _]?(\d{4})$/i.exec(text));
  const month =
    /^(\d{4})[-/._ ]?(\d{1,2})(?:[-/.]\d{1,2}.*)?$/.exec(text) ?? swapped(/^(\d{1,2})[-/._ ](\d{4})$/.exec(text));
  const year = /^\d{4}$/.exec(text);
  return [
    ...(quarter ? [`${quarter[1]}-Q${quarter[2]}`] : []),
    ...(month ? [`${month[1]}-${String(month[2]).padStart(2, '0')}`] : []),
    ...(month ? [`${month[1]}-Q${Math.ceil(Number(month[2]) / 3)}`] : []),
    ...(year ? [`${year[0]}-Q1`, `${year[0]}-01`] : []),
  ];
}

const swapped = (match: RegExpExecArray | null): (string | undefined)[] | null =>
  match && [match[0], match[2], match[1]];

/** Returns the point in unknown parameters such as `lat` and `lon`, if one of them or a radius is at fault. */
export function pointOf(param: string, unknown: ReadonlyMap<string, string>): string | null {
  const numberOf = (name: RegExp): string | undefined =>
    [...unknown].find(([each, text]) => name.test(each) && /^-?\d{1,3}(\.\d{1,9})?$/.test(text))?.[1];
  const [lat, lng] = [numberOf(/^(lat|latitude)$/i), numberOf(/^(lng|lon|long|longitude)$/i)];
  const isOfCircle = nearestParameters(param, ['near', 'radius_m']).length > 0;
  return isOfCircle && lat !== undefined && lng !== undefined ? `${lat},${lng}` : null;
}

const POSITION = /(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)/g;

/** WKT has the longitude first. */
export function polygonOfWkt(text: string): string | null {
  if (!/^\s*POLYGON\s*\(\(/i.test(text)) return null;
  const points = [...text.matchAll(POSITION)].map(([, lng, lat]) => `${lat},${lng}`);
  return (points.at(-1) === points[0] ? points.slice(0, -1) : points).join(';');
}
