import {
  arrayOf,
  boolean,
  component,
  integer,
  nullable,
  number,
  object,
  oneOf,
  single,
  string,
} from '#domain/json-schema.ts';
import type { Interval } from '#domain/statistics/bootstrap.ts';
import { ESTIMATE_VERSION } from '#domain/statistics/estimate.ts';
import { hundredths, isSmall, rounded } from '#domain/statistics/figures.ts';
import { quantile } from '#domain/statistics/quantiles.ts';
import { scoreEstimates } from '#domain/statistics/ratio-study.ts';
import { rowOf, rowsOf } from '#queries/filters/table.ts';
import { dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { LEDGER_DAYS, type LedgerEntry, readEstimates } from '#stores/postgres/estimate-ledger.ts';
import { toParameter } from '../listings/parameters.ts';
import { amount, cohortSchema } from '../market/schemas.ts';
import { REFERENCE } from '../reference/common.ts';

const COHORT = rowsOf(['city', 'listing_type']);
const GROUPS = component('AccuracyGroup', ['all', 'property_type', 'price_third', 'month'] as const);
const THIRDS = ['lowest', 'middle', 'highest'] as const;

const intervalSchema = object({ low: number, high: number });

export const estimateAccuracy = defineEndpoint({
  path: '/v1/market/estimate/accuracy',
  operationId: 'getEstimateAccuracy',
  ...REFERENCE,
  summary: 'Get the accuracy of price estimates',
  description: `Returns how far the estimates of new listings were from their asking prices. Each night, up to 1,000 listings first found on the previous day are estimated with \`GET /listings/{id}/estimate\`, from listings found before that day only, and the estimates are retained for ${LEDGER_DAYS} days. Errors are relative to the asking price. \`coverage_80_pct\` and \`coverage_50_pct\` are the shares of prices within the intervals. \`cod\`, \`prd\` and \`prb\` are the measures of a ratio study by the assessors' standard (IAAO), with the asking price as the price, and have 95% confidence intervals if the sample is not small. Figures of groups without estimates are absent.`,
  parameters: [toParameter(rowOf('city')), toParameter(rowOf('listing_type'))],
  response: single(
    object({
      cohort: cohortSchema(COHORT),
      version: string,
      groups: arrayOf(
        object({
          group_by: oneOf(GROUPS),
          group: string,
          sample_size: integer,
          small_sample: boolean,
          median_error_pct: amount,
          within_10_pct: amount,
          within_20_pct: amount,
          coverage_80_pct: amount,
          coverage_50_pct: amount,
          median_ratio: amount,
          cod: amount,
          prd: amount,
          prb: amount,
          median_ratio_interval: nullable(intervalSchema),
          cod_interval: nullable(intervalSchema),
          prd_interval: nullable(intervalSchema),
          prb_interval: nullable(intervalSchema),
        }),
      ),
    }),
  ),
  handle: async ({ query, services }) => {
    const estimates = await readEstimates(services.pool, { ...query, version: ESTIMATE_VERSION });
    const thirds = thirdsOf(estimates);
    const keys = {
      all: () => 'all',
      property_type: ({ property_type }: LedgerEntry) => property_type,
      price_third: (each: LedgerEntry) => thirds.get(each) ?? THIRDS[0],
      month: ({ day }: LedgerEntry) => day.slice(0, 7),
    };
    const groups = GROUPS.flatMap((group_by) =>
      [...Map.groupBy(estimates, keys[group_by])].map(([group, sample]) => ({ group_by, group, ...figuresOf(sample) })),
    );
    return dataResponse({ cohort: query, version: ESTIMATE_VERSION, groups });
  },
});

/** Thirds of the prices of each property type. */
function thirdsOf(estimates: readonly LedgerEntry[]): Map<LedgerEntry, (typeof THIRDS)[number]> {
  const thirds = new Map<LedgerEntry, (typeof THIRDS)[number]>();
  for (const sample of Map.groupBy(estimates, ({ property_type }) => property_type).values()) {
    const prices = Float64Array.from(sample, ({ price }) => price).sort();
    const [low, high] = [quantile(prices, 1 / 3), quantile(prices, 2 / 3)];
    for (const each of sample) thirds.set(each, THIRDS[each.price <= low ? 0 : each.price <= high ? 1 : 2]);
  }
  return thirds;
}

function figuresOf(sample: readonly LedgerEntry[]) {
  const { medianError, within10, within20, coverage80, coverage50, ...study } = scoreEstimates(sample);
  return {
    sample_size: sample.length,
    small_sample: isSmall(sample.length),
    median_error_pct: hundredths(medianError * 100),
    within_10_pct: hundredths(within10 * 100),
    within_20_pct: hundredths(within20 * 100),
    coverage_80_pct: hundredths(coverage80 * 100),
    coverage_50_pct: hundredths(coverage50 * 100),
    median_ratio: thousandths(study.medianRatio),
    cod: rounded(study.cod),
    prd: thousandths(study.prd),
    prb: thousandths(study.prb),
    median_ratio_interval: inThousandths(study.intervals?.medianRatio),
    cod_interval: inThousandths(study.intervals?.cod),
    prd_interval: inThousandths(study.intervals?.prd),
    prb_interval: inThousandths(study.intervals?.prb),
  };
}

const toThousandths = (value: number): number => Math.round(value * 1e3) / 1e3;
const thousandths = (value: number | null): number | null => (value === null ? null : toThousandths(value));
const inThousandths = (interval: Interval | null | undefined): Interval | null =>
  interval ? { low: toThousandths(interval.low), high: toThousandths(interval.high) } : null;
