import { arrayOf, integer, object, string, timestamp } from '#domain/json-schema.ts';
import { timestamp as formatTimestamp } from '#domain/listings/present.ts';
import { percentage, rounded } from '#domain/statistics/figures.ts';
import { exactQuartiles } from '#domain/statistics/quantiles.ts';
import { vacancyBody } from '#queries/market/statistics.ts';
import { DAY } from '#queries/market/window.ts';
import { marketEndpoint } from './cohort-endpoint.ts';
import { amount } from './schemas.ts';

interface Aggregations {
  days: { buckets: readonly { key: number; doc_count: number }[] };
}

const METHOD =
  'Days on the market are a proxy for vacancy: the time that current live listings have been advertised, not the share of vacant dwellings.';

/** Thresholds of `lasting`, in whole days on the market. */
const LASTING_DAYS = [30, 60, 90] as const;

export const marketVacancy = marketEndpoint<Aggregations>({
  path: '/v1/market/vacancy',
  operationId: 'getMarketVacancy',
  summary: 'Get vacancy: days on market',
  description:
    'Returns days on the market as a proxy for vacancy (see `method`): quartiles, mean, and the shares of listings advertised for 30, 60 and 90 days or more.',
  response: {
    counted_to: timestamp,
    median_days_on_market: amount,
    p25_days_on_market: amount,
    p75_days_on_market: amount,
    mean_days_on_market: amount,
    lasting: arrayOf(object({ days_or_more: integer, count: integer, share_pct: amount })),
    method: string,
  },
  body: vacancyBody,
  present: ({ days }, { size, hour }) => {
    // The newest bucket comes last. A listing that was first seen after the full hour has been on the market for zero
    // days.
    const perDay = days.buckets.map(({ key, doc_count }) => ({
      day: Math.max(0, Math.floor((hour - key) / DAY)),
      count: doc_count,
    }));
    const ascending = new Float64Array(size);
    let at = size;
    for (const { day, count } of perDay) {
      ascending.fill(day, at - count, at);
      at -= count;
    }
    const quartiles = size === 0 ? null : exactQuartiles(ascending);
    const atLeast = (minDays: number): number =>
      perDay.reduce((sum, { day, count }) => (day >= minDays ? sum + count : sum), 0);
    return {
      counted_to: formatTimestamp(hour / 1000),
      median_days_on_market: rounded(quartiles?.median),
      p25_days_on_market: rounded(quartiles?.p25),
      p75_days_on_market: rounded(quartiles?.p75),
      mean_days_on_market: rounded(perDay.reduce((sum, { day, count }) => sum + day * count, 0) / size),
      lasting: LASTING_DAYS.map((minDays) => ({
        days_or_more: minDays,
        count: atLeast(minDays),
        share_pct: percentage(atLeast(minDays), size),
      })),
      method: METHOD,
    };
  },
});
