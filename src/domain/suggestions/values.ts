import { foldText } from '../fold.ts';
import { NAMES } from '../listings/vocabulary.ts';
import { PROJECT_BANK_NAMES, PROJECT_FEATURE_NAMES, PROJECT_STATUS_NAMES } from '../off-plan/vocabulary.ts';
import { readNumber } from '../text/numerals.ts';
import { type Candidate, nearest } from './nearest.ts';
import parameterNames from './parameter-names.json' with { type: 'json' };
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

/**
 * Returns the number in a text with a currency, a unit, thousands separators or a scale (`SAR 5,000`, `5k`); null if
 * there is none.
 */
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
