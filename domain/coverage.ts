import { component } from './json-schema.ts';
import { monthOf, monthStart } from './months.ts';

export const COVERAGES = component('PeriodCoverage', [
  'no_history',
  'history_start',
  'complete',
  'in_progress',
] as const);
export type Coverage = (typeof COVERAGES)[number];

export interface History {
  startMonth: number;
  /** First period whose first day the data covers. */
  firstComplete: number;
}

/** @param day `YYYY-MM-DD` */
export function historyFrom(day: string): History {
  const start = Date.parse(`${day}T00:00:00Z`);
  const startMonth = monthOf(start);
  return { startMonth, firstComplete: start === monthStart(startMonth) ? startMonth : startMonth + 1 };
}

/** The current month is `in_progress`, even if the history begins in it. */
export function coverageOf(month: number, history: History, now: number): Coverage {
  if (month < history.startMonth) return 'no_history';
  if (month >= monthOf(now)) return 'in_progress';
  return month < history.firstComplete ? 'history_start' : 'complete';
}
