import { RequestError } from '#domain/errors.ts';
import { attributionOf, type DatasetKey } from '#domain/official/attribution.ts';
import { parseMonth, parseQuarter, quarterLabel, quarterOfMonth } from '#domain/official/quarters.ts';
import type { Terms } from '../files.ts';

/** Open government data may be stored, published and resold with the attribution. */
export function openDataTerms(key: DatasetKey, caveats: readonly string[]): Terms {
  const { notice, license, datasets } = attributionOf(key);
  const sources = datasets.flatMap(({ title, title_en, publisher, urls }) => [
    `${title_en} (${title}), ${publisher}`,
    ...urls.map((url) => `  ${url}`),
  ]);
  return {
    licence: {
      name: license.name,
      url: license.url,
      terms: [
        'These rows may be stored, published and resold, provided that ATTRIBUTION.txt, or its text with its links, is included.',
      ],
    },
    caveats,
    attribution: [
      notice,
      '',
      ...sources,
      '',
      `${license.name}: ${license.url}`,
      `Based on ${license.base_license}: ${license.base_license_url}`,
      '',
    ].join('\n'),
  };
}

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
