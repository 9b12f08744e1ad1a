import { parseQuarter, quarterLabel, quarterOfMonth } from './quarters.ts';

/**
 * What the service leaves out of official open data, and how it marks what is not complete. All of it is data, each
 * rule with where it comes from; nothing else in the code knows a city or a date of these.
 */
export interface OfficialRules {
  /** Cells of fewer deals or contracts keep their count and lose their amounts. A request may ask for more. */
  min_sample_size: Sourced<{ value: number }>;
  /** Quarters that are neither served nor counted. */
  excluded_quarters: readonly Sourced<{ quarter: string }>[];
  /** Deals of a city after a day that are neither served nor counted. */
  cut_offs: readonly Sourced<{ city: string; last_day: string }>[];
  /** Quarters from which on a city's deals come from notaries alone. */
  notary_only: readonly Sourced<{ city: string; from_quarter: string }>[];
}

type Sourced<T> = T & {
  /** Said to callers in `coverage.notes`. */
  note: string;
  source: string;
};

export const OFFICIAL_RULES: OfficialRules = {
  min_sample_size: {
    value: 5,
    note: 'Cells of fewer than five deals or contracts keep their count and have no amounts.',
    source: 'specification, Limits: minimum sample size for registered cells',
  },
  excluded_quarters: [
    {
      quarter: '2020-Q2',
      note: 'The quarter 2020-Q2 is neither served nor counted.',
      source: 'specification, Official open data: excluded quarters',
    },
    {
      quarter: '2023-Q1',
      note: 'The quarter 2023-Q1 is neither served nor counted.',
      source: 'specification, Official open data: excluded quarters',
    },
  ],
  cut_offs: [
    {
      city: 'riyadh',
      last_day: '2026-05-18',
      note: 'Deals of Riyadh city after 2026-05-18 are neither served nor counted.',
      source: 'specification, Official open data: Riyadh-city deals',
    },
  ],
  notary_only: [
    {
      city: 'riyadh',
      from_quarter: '2024-Q1',
      note: 'From 2024-Q1 the figures of Riyadh city are of deals before notaries only; those of the real estate registry are missing.',
      source: 'specification, Official open data: coverage',
    },
  ],
};

export const COVERAGE_FLAGS = ['full', 'notary_only', 'incomplete'] as const;
export type CoverageFlag = (typeof COVERAGE_FLAGS)[number];

/** Whether the rules leave a deal out. */
export function isExcluded(rules: OfficialRules, deal: { city: string | null; day: string; quarter: number }): boolean {
  return (
    isExcludedQuarter(rules, deal.quarter) ||
    rules.cut_offs.some(({ city, last_day }) => city === deal.city && deal.day > last_day)
  );
}

export function isExcludedQuarter(rules: OfficialRules, quarter: number): boolean {
  return rules.excluded_quarters.some((excluded) => excluded.quarter === quarterLabel(quarter));
}

/** What is known of the deals that a city has: of which quarters there are any, and up to which they are complete. */
export interface LoadedQuarter {
  quarter: number;
  /** Day of its last deal in the file, of whatever city. */
  last_day: string;
}

export interface Coverage {
  notary_only_from_quarter: string | null;
  complete_through_quarter: string | null;
  notes: string[];
}

/**
 * The last quarter that is complete for a city: its file has deals of the quarter's last month, and no rule cuts it
 * off. Null while there is none.
 */
export function completeThrough(rules: OfficialRules, city: string, loaded: readonly LoadedQuarter[]): number | null {
  const end = lastUncut(rules, city);
  const complete = loaded
    .filter(({ quarter, last_day }) => monthOfDay(last_day) === quarter * 3 + 2 && !isExcludedQuarter(rules, quarter))
    .map(({ quarter }) => quarter)
    .filter((quarter) => quarter <= end);
  return complete.length === 0 ? null : Math.max(...complete);
}

/** The last quarter of a city that no rule cuts off; infinite where none does. */
export function lastUncut(rules: OfficialRules, city: string | null): number {
  return Math.min(...rules.cut_offs.map((cut) => (cut.city === city ? quarterOfDay(cut.last_day) - 1 : Infinity)));
}

/** @param through the last complete quarter; null: none is */
export function coverageFlag(
  rules: OfficialRules,
  city: string | null,
  quarter: number,
  through: number | null,
): CoverageFlag {
  if (through === null || quarter > through) return 'incomplete';
  const notaries = rules.notary_only.some((rule) => rule.city === city && quarter >= parseQuarter(rule.from_quarter));
  return notaries ? 'notary_only' : 'full';
}

/** What a city's answers tell of their gaps. */
export function coverageOfCity(rules: OfficialRules, city: string, loaded: readonly LoadedQuarter[]): Coverage {
  const through = completeThrough(rules, city, loaded);
  const notary = rules.notary_only.find((rule) => rule.city === city);
  const mine = <T extends { city: string; note: string }>(list: readonly T[]): string[] =>
    list.filter((rule) => rule.city === city).map(({ note }) => note);
  return {
    notary_only_from_quarter: notary?.from_quarter ?? null,
    complete_through_quarter: through === null ? null : quarterLabel(through),
    notes: [
      ...rules.excluded_quarters.map(({ note }) => note),
      ...mine(rules.notary_only),
      ...mine(rules.cut_offs),
      ...(through === null ? [] : [`Quarters after ${quarterLabel(through)} are not complete yet.`]),
    ],
  };
}

const monthOfDay = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
const quarterOfDay = (day: string): number => quarterOfMonth(monthOfDay(day));
