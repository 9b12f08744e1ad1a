import { COVERAGES, type Coverage, coverageOf, historyFrom } from '#domain/coverage.ts';
import { neighborhoodNames, type Places } from '#domain/geography/reference.ts';
import {
  arrayOf,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  single,
  string,
  type ValueOf,
} from '#domain/json-schema.ts';
import { monthLabel, monthOf } from '#domain/months.ts';
import { difference, priceBasis } from '#domain/statistics/figures.ts';
import {
  MAX_MONTHS,
  MAX_SERIES,
  type MonthBucket,
  monthFigures,
  TREND_BASES,
  TREND_ROWS,
  type TrendBasis,
  type TrendsResponse,
  trendsBody,
} from '#queries/analytics/trends.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import { cohortOf } from '#queries/market/cohort.ts';
import { defineEndpoint, type Parameter } from '#src/http/endpoint.ts';
import { PRICES } from '#src/metering/prices.ts';
import { cachedAggregation } from '#stores/opensearch/aggregation-cache.ts';
import { toParameter } from '../listings/parameters.ts';
import { amount, approximateSchema, askingSchema, cohortSchema, priceQuartilesSchema } from '../market/schemas.ts';
import { ANALYTICS } from './common.ts';

const basisParameter = {
  name: 'basis',
  schema: { type: 'string', enum: TREND_BASES, default: 'on_market' },
  description:
    'Listings that a month includes. `on_market`: listings that were live at any time in the month, at their price at the end of the month, or at their last price if they were withdrawn earlier. `new_listings`: listings first found in the month, at their first price.',
  example: 'new_listings',
} as const satisfies Parameter;

const monthsParameter = {
  name: 'months',
  schema: { type: 'integer', minimum: 1, maximum: MAX_MONTHS, default: 12 },
  description: 'Number of calendar months (UTC), including the current month.',
  example: '6',
} as const satisfies Parameter;

const filters = TREND_ROWS.map((row) =>
  row.name === 'neighborhood_id'
    ? {
        ...toParameter(row),
        schema: { ...row.kind.schema(row), maxItems: MAX_SERIES },
        description: 'Up to five neighborhood ids, each with its own series; defaults to one series of the city.',
      }
    : toParameter(row),
);

const POINT = object({
  month: string,
  coverage: oneOf(COVERAGES),
  sample_size: nullable(integer),
  small_sample: nullable(boolean),
  ...priceQuartilesSchema,
  median_price_per_sqm_sar: amount,
  change_pct: amount,
});

export const marketTrends = defineEndpoint({
  path: '/v1/market/trends',
  operationId: 'getMarketTrends',
  ...ANALYTICS,
  summary: 'Get monthly price trends',
  description:
    'Returns the median and quartiles of asking prices and the median price per square meter for each month, oldest first, from the listings and prices of that month. Withdrawn listings are included; prices that are implausible by current bounds are excluded. `coverage` of a month is `no_history` before the history begins (figures are null, which does not mean zero listings), `history_start` if the history begins during the month (with `new_listings`, the entire initial stock counts as new), `complete`, or `in_progress` for the current month. `change_pct` of a month compares its median with the previous month; `change_pct` of a series compares its last complete month with its first complete month.',
  price: PRICES.trends,
  caching: 'fresh',
  parameters: [...filters, basisParameter, monthsParameter],
  response: single(
    object({
      cohort: cohortSchema(TREND_ROWS),
      basis: oneOf(TREND_BASES),
      window: object({ months: integer, from: string, to: string }),
      history: object({ start_date: string, first_complete_month: string }),
      ...askingSchema,
      ...approximateSchema,
      series: arrayOf(
        object({
          neighborhood_id: nullable(integer),
          name_en: nullable(string),
          name_ar: nullable(string),
          change_pct: amount,
          change_from: nullable(string),
          change_to: nullable(string),
          points: arrayOf(POINT),
        }),
      ),
    }),
  ),
  load: (call) => {
    const { basis, months } = call.query;
    const { historyStart } = call.services.config;
    return readTrends({ ...call, filters: { cohort: cohortOf(call.query), basis, months, historyStart } });
  },
  present: (_call, json) => ({ bytes: [Buffer.from(`{"data":${json}}`)] }),
});

/** The cache key also contains the hour and the state of the index. */
interface TrendRequest {
  cohort: FilterValues & { city: string };
  basis: TrendBasis;
  months: number;
  historyStart: string;
}

const readTrends = cachedAggregation<TrendRequest, TrendsResponse>({
  name: 'market/trends',
  index: 'history',
  body({ cohort: filters, basis, months, historyStart }, hour) {
    const lastMonth = monthOf(hour);
    // Listings can have wrong earlier dates.
    const firstMonth = Math.max(lastMonth - months + 1, historyFrom(historyStart).startMonth);
    return trendsBody({ filters, basis, firstMonth: Math.min(firstMonth, lastMonth), lastMonth });
  },
  present: ({ aggregations: found, approximate }, { filters: request, hour, places }) => {
    const { cohort, basis, months, historyStart } = request;
    const lastMonth = monthOf(hour);
    const firstMonth = lastMonth - months + 1;
    const history = historyFrom(historyStart);
    const coverage = Array.from({ length: months }, (_, at) => coverageOf(firstMonth + at, history, hour));
    const named = neighborhoodNames(places, cohort.city);
    const ids = cohort.neighborhood_id;
    const series =
      ids === undefined
        ? [
            {
              neighborhood_id: null,
              ...cityNames(places, cohort.city),
              ...seriesOf(found.months?.buckets, firstMonth, coverage),
            },
          ]
        : [...new Set(ids)].map((id) => {
            const buckets = found.series?.buckets.find(({ key }) => Number(key) === id)?.months.buckets;
            return { ...named(id), ...seriesOf(buckets, firstMonth, coverage) };
          });
    return {
      cohort,
      basis,
      window: { months, from: monthLabel(firstMonth), to: monthLabel(lastMonth) },
      history: { start_date: historyStart, first_complete_month: monthLabel(history.firstComplete) },
      price_source: 'asking',
      price_basis: priceBasis(cohort.listing_type),
      approximate,
      series,
    };
  },
});

function cityNames(places: Pick<Places, 'cities'>, slug: string) {
  const { name_en = null, name_ar = null } = places.cities().find((city) => city.slug === slug) ?? {};
  return { name_en, name_ar };
}

function seriesOf(buckets: readonly MonthBucket[] = [], firstMonth: number, coverages: readonly Coverage[]) {
  const found = new Map(buckets.map((bucket) => [bucket.key, bucket]));
  const points: TrendPoint[] = [];
  for (const [at, coverage] of coverages.entries()) {
    const before = points.at(-1);
    const figures = coverage === 'no_history' ? NO_HISTORY : monthFigures(found.get(firstMonth + at));
    const compared = coverage === 'complete' && before?.coverage === 'complete';
    const change = compared ? difference(figures.median_price_sar, before.median_price_sar) : null;
    points.push({ month: monthLabel(firstMonth + at), coverage, ...figures, change_pct: change });
  }
  const complete = points.filter((each) => each.coverage === 'complete' && each.median_price_sar !== null);
  const from = complete.length > 1 ? complete[0] : undefined;
  const to = from && complete.at(-1);
  return {
    change_pct: from && to ? difference(to.median_price_sar, from.median_price_sar) : null,
    change_from: from?.month ?? null,
    change_to: to?.month ?? null,
    points,
  };
}

type TrendPoint = ValueOf<typeof POINT>;
type Figures = Omit<TrendPoint, 'month' | 'coverage' | 'change_pct'>;

const NO_HISTORY: Figures = {
  sample_size: null,
  small_sample: null,
  median_price_sar: null,
  p25_price_sar: null,
  p75_price_sar: null,
  median_price_per_sqm_sar: null,
};
