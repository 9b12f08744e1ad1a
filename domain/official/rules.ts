import { component } from '../json-schema.ts';
import { parseMonth, parseQuarter, quarterLabel, quarterOfMonth } from './quarters.ts';

/**
 * Rules of the specification (Limits, Official open data) that exclude deals and flag incomplete figures. The
 * description of the export `registered_transactions` repeats the cities and dates.
 */
export const OFFICIAL_RULES = {
  /**
   * Smallest number of deals or contracts for which amounts are served. Smaller cells have only a count. A request may
   * raise the minimum.
   */
  min_sample_size: 5,
  /** Deals in these quarters are neither served nor counted. */
  excluded_quarters: [
    { quarter: '2020-Q2', note: 'The quarter 2020-Q2 is not included.' },
    { quarter: '2023-Q1', note: 'The quarter 2023-Q1 is not included.' },
  ],
  /** Deals after `last_day` are neither served nor counted. */
  cut_offs: [
    { city: 'riyadh', last_day: '2026-05-18', note: 'Deals of Riyadh city after 2026-05-18 are not included.' },
  ],
  /** Cities and quarters from which on the data has only deals registered by notaries. */
  notary_only: [
    {
      city: 'riyadh',
      from_quarter: '2024-Q1',
      note: 'From 2024-Q1 on, figures of Riyadh city cover deals registered by notaries only. Deals of the real estate registry are missing.',
    },
  ],
};
const { excluded_quarters, cut_offs, notary_only } = OFFICIAL_RULES;

export const COVERAGE_FLAGS = component('CoverageFlag', ['full', 'notary_only', 'incomplete'] as const);
export type CoverageFlag = (typeof COVERAGE_FLAGS)[number];

export function isExcluded(deal: { city: string | null; day: string; quarter: number }): boolean {
  return (
    isExcludedQuarter(deal.quarter) || cut_offs.some(({ city, last_day }) => city === deal.city && deal.day > last_day)
  );
}

export function isExcludedQuarter(quarter: number): boolean {
  return excluded_quarters.some((excluded) => excluded.quarter === quarterLabel(quarter));
}

export interface LoadedQuarter {
  /** The city that the file covers; empty for the whole country. */
  scope: string;
  quarter: number;
  last_day: string;
  /** Whether the file states land-use classes. Otherwise all deals have the class `other`. */
  names_classes: boolean;
}

/** Returns the loaded quarters from a city's own files and the nationwide file. Null counts any city. */
const loadedOf = (cities: readonly string[] | null, loaded: readonly LoadedQuarter[]): LoadedQuarter[] =>
  loaded.filter(
    ({ scope, quarter }) => (scope === '' || cities === null || cities.includes(scope)) && !isExcludedQuarter(quarter),
  );

export const quartersOfCity = (city: string, loaded: readonly LoadedQuarter[]): number[] =>
  loadedOf([city], loaded).map(({ quarter }) => quarter);

export const classedQuarters = (city: string, loaded: readonly LoadedQuarter[]): number[] =>
  quartersOfCity(
    city,
    loaded.filter(({ names_classes }) => names_classes),
  );

export function publishedQuarters(cities: readonly string[] | null, loaded: readonly LoadedQuarter[]): number[] {
  return [...new Set(loadedOf(cities, loaded).map(({ quarter }) => quarter))].sort((a, b) => a - b);
}

export type Coverage = ReturnType<typeof coverageOfCity>;

/** Returns the quarters in whose last month the city's or the nationwide file has deals, and that no rule cuts off. */
export function completeQuarters(city: string, loaded: readonly LoadedQuarter[]): number[] {
  const end = lastUncut(city);
  return loadedOf([city], loaded)
    .filter(({ quarter, last_day }) => parseMonth(last_day) === quarter * 3 + 2 && quarter <= end)
    .map(({ quarter }) => quarter);
}

export function lastUncut(city: string | null): number {
  return Math.min(
    ...cut_offs.map((cut) => (cut.city === city ? quarterOfMonth(parseMonth(cut.last_day)) - 1 : Infinity)),
  );
}

export function coverageFlag(city: string | null, quarter: number, isComplete: boolean): CoverageFlag {
  if (!isComplete) return 'incomplete';
  const notaries = notary_only.some((rule) => rule.city === city && quarter >= parseQuarter(rule.from_quarter));
  return notaries ? 'notary_only' : 'full';
}

export function coverageOfCity(city: string, loaded: readonly LoadedQuarter[]) {
  const complete = completeQuarters(city, loaded);
  const through = complete.length === 0 ? null : Math.max(...complete);
  const cut = quartersOfCity(city, loaded).filter(
    (quarter) => through !== null && quarter < through && !complete.includes(quarter),
  );
  const classed = classedQuarters(city, loaded);
  const unclassed = quartersOfCity(city, loaded).filter((quarter) => !classed.includes(quarter));
  const notary = notary_only.find((rule) => rule.city === city);
  const mine = <T extends { city: string; note: string }>(list: readonly T[]): string[] =>
    list.filter((rule) => rule.city === city).map(({ note }) => note);
  return {
    notary_only_from_quarter: notary?.from_quarter ?? null,
    complete_through_quarter: through === null ? null : quarterLabel(through),
    notes: [
      ...excluded_quarters.map(({ note }) => note),
      ...mine(notary_only),
      ...mine(cut_offs),
      ...(through === null ? [] : [`Quarters after ${quarterLabel(through)} are incomplete.`]),
      ...(cut.length === 0 ? [] : [`These quarters are published in part: ${cut.map(quarterLabel).join(', ')}.`]),
      ...(unclassed.length === 0
        ? []
        : [
            `The source files of these quarters state no land-use class. Their deals are of the class \`other\`, and they have no land prices: ${unclassed.map(quarterLabel).join(', ')}.`,
          ]),
    ],
  };
}

const OWN_FLAGS =
  'The General Authority for Statistics compiles this index from its own sources, not from the deals of the Ministry of Justice that `/transactions` serves. The gaps of these deals, such as `notary_only` in Riyadh, do not apply: `coverage_flag` is `full` at every published point.';

/**
 * Returns the coverage of another official release, to which the rules for the ministry's deals do not apply.
 * @param quarters published, ascending
 */
export function coverageOfRelease(quarters: readonly number[]): Coverage {
  const [first, last] = [quarters[0], quarters.at(-1)];
  if (first === undefined || last === undefined)
    return { notary_only_from_quarter: null, complete_through_quarter: null, notes: [] };
  const missing = Array.from({ length: last - first + 1 }, (_, at) => first + at).filter(
    (quarter) => !quarters.includes(quarter),
  );
  return {
    notary_only_from_quarter: null,
    complete_through_quarter: quarterLabel(last),
    notes: [
      OWN_FLAGS,
      ...(missing.length === 0 ? [] : [`These quarters are missing: ${missing.map(quarterLabel).join(', ')}.`]),
    ],
  };
}
