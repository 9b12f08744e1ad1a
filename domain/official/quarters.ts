import type { JsonSchema } from '../json-schema.ts';

/** Quarters are numbered year * 4 + quarter - 1, so that consecutive ones differ by one. */

export const QUARTER_SCHEMA = {
  type: 'string',
  pattern: '^(19|20)\\d{2}-Q[1-4]$',
  accepts: 'a quarter, such as 2025-Q3',
} as const satisfies JsonSchema;
export const MONTH_SCHEMA = {
  type: 'string',
  pattern: '^(19|20)\\d{2}-(0[1-9]|1[0-2])$',
  accepts: 'a month, such as 2026-01',
} as const satisfies JsonSchema;

export function parseQuarter(label: string): number {
  return Number(label.slice(0, 4)) * 4 + Number(label.slice(6)) - 1;
}

export const quarterLabel = (quarter: number): string => `${Math.floor(quarter / 4)}-Q${(quarter % 4) + 1}`;

export const quarterOfMonth = (month: number): number => Math.floor(month / 3);

/** Returns the month number (as `monthOf`) of `2025-07`, or of a day such as `2025-07-01`. */
export const parseMonth = (label: string): number => Number(label.slice(0, 4)) * 12 + Number(label.slice(5, 7)) - 1;

/** Returns the first and last day as `YYYY-MM-DD`. */
export function quarterDays(quarter: number): { start: string; end: string } {
  const year = Math.floor(quarter / 4);
  const month = (quarter % 4) * 3;
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  return { start: day(Date.UTC(year, month, 1)), end: day(Date.UTC(year, month + 3, 0)) };
}
