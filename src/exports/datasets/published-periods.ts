import { RequestError } from '#domain/errors.ts';
import { parseMonth, parseQuarter, quarterLabel, quarterOfMonth } from '#domain/official/quarters.ts';

const notFound = (param: string, available: readonly number[]): RequestError =>
  new RequestError('period_not_found', {
    param: `filters.${param}`,
    details: { available_periods: available.map(quarterLabel) },
  });

/**
 * @param available published quarters for the cities, ascending
 * @throws RequestError period_not_found if there are none, or a requested quarter is not among them
 */
export function requireQuarters(
  { city, period }: { city?: readonly string[]; period?: readonly string[] },
  available: readonly number[],
): void {
  if (period?.some((label) => !available.includes(parseQuarter(label)))) throw notFound('period', available);
  if (city !== undefined && available.length === 0) throw notFound('city', available);
}

/**
 * @param available published quarters for the cities, ascending
 * @throws RequestError period_not_found if none contains a requested month
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
