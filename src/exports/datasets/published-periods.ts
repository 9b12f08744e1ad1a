import { RequestError } from '#domain/errors.ts';
import { parseMonth, parseQuarter, quarterLabel, quarterOfMonth } from '#domain/official/quarters.ts';

const notFound = (param: string, available: readonly number[]): RequestError =>
  new RequestError('period_not_found', {
    param: `filters.${param}`,
    details: { available_periods: available.map(quarterLabel) },
  });

/**
 * Pure.
 * @param available quarters that the source has of the cities, ascending
 * @throws RequestError period_not_found when the source has nothing of the cities, or one of the quarters is not published
 */
export function requireQuarters(
  { city, period }: { city?: readonly string[]; period?: readonly string[] },
  available: readonly number[],
): void {
  if (period?.some((label) => !available.includes(parseQuarter(label)))) throw notFound('period', available);
  if (city !== undefined && available.length === 0) throw notFound('city', available);
}

/**
 * Pure.
 * @param available quarters that the source has of the cities, ascending
 * @throws RequestError period_not_found when the source has nothing of the cities, or no quarter with one of the months
 */
export function requireMonths(
  { city, month_from, month_to }: { city?: readonly string[]; month_from?: string; month_to?: string },
  available: readonly number[],
): void {
  const from = month_from === undefined ? -Infinity : quarterOfMonth(parseMonth(month_from));
  const to = month_to === undefined ? Infinity : quarterOfMonth(parseMonth(month_to));
  const isOpen = month_from === undefined && month_to === undefined;
  if (!isOpen && !available.some((quarter) => quarter >= from && quarter <= to))
    throw notFound(month_from === undefined ? 'month_to' : 'month_from', available);
  if (city !== undefined && available.length === 0) throw notFound('city', available);
}
