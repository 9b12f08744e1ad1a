import { arrayOf, integer, nullable, number, object } from '#domain/json-schema.ts';
import { type Bar, binsOf } from '#domain/statistics/bins.ts';
import { percentage, rounded } from '#domain/statistics/figures.ts';
import type { Tail } from '#domain/statistics/percents.ts';
import { type PercentilesResult, percentileOf, quartilesOf, snapToRoundWithin } from '#domain/statistics/quantiles.ts';
import { AREA, distributionBody, type Measure, priceMeasure } from '#queries/market/statistics.ts';
import { marketEndpoint } from './cohort-endpoint.ts';
import { amount } from './schemas.ts';

interface Distribution {
  bars: { buckets: readonly Bar[] };
  percentiles: PercentilesResult;
  values: { count: number; min: number | null; max: number | null; avg: number | null };
}

type Figure = 'mean' | 'p5' | 'p10' | 'p25' | 'median' | 'p75' | 'p90' | 'p95' | 'min' | 'max';

/** Figures in the order of the response. Their names there end with the unit, for example `median_area_sqm`. */
const PRICE_FIGURES: readonly Figure[] = ['mean', 'p5', 'p10', 'median', 'p25', 'p75', 'p90', 'p95', 'min', 'max'];
const AREA_FIGURES: readonly Figure[] = ['mean', 'p5', 'p10', 'p25', 'median', 'p75', 'p90', 'p95', 'min', 'max'];

/** Bins include `from` and exclude `to`. */
const binsSchema = arrayOf(
  object({ from: nullable(number), to: nullable(number), count: integer, share_pct: nullable(number) }),
);

const figuresSchema = (figures: readonly Figure[], unit: string) => ({
  ...Object.fromEntries(figures.map((figure) => [`${figure}_${unit}`, amount])),
  bins: binsSchema,
});

function presentFigures(figures: readonly Figure[], unit: string, distribution: Distribution, { bar }: Measure) {
  const { bars, percentiles, values } = distribution;
  const snapToRound = snapToRoundWithin(values.min ?? 0, values.max ?? Number.POSITIVE_INFINITY);
  const tail = (percent: Tail) => percentileOf(percentiles, percent, values.count, snapToRound);
  const found: Partial<Record<Figure, number | null>> = {
    ...quartilesOf(percentiles, values.count, snapToRound),
    mean: values.avg,
    min: values.min,
    max: values.max,
    p5: tail(5),
    p10: tail(10),
    p90: tail(90),
    p95: tail(95),
  };
  return {
    ...Object.fromEntries(figures.map((figure) => [`${figure}_${unit}`, rounded(found[figure])])),
    bins: binsOf(bars.buckets, bar).map((bin) => ({ ...bin, share_pct: percentage(bin.count, values.count) })),
  };
}

export const priceDistribution = marketEndpoint<Distribution>({
  path: '/v1/market/price-distribution',
  operationId: 'getPriceDistribution',
  summary: 'Get the price distribution',
  description:
    'Returns a histogram of prices with bins of equal, rounded width, the percentiles and the mean. The lowest and highest 1% of the values can be in open-ended bins, whose `from` or `to` is null.',
  response: figuresSchema(PRICE_FIGURES, 'price_sar'),
  body: (filters, hour) => distributionBody(priceMeasure(filters.listing_type), filters, hour),
  present: (distribution, { filters }) =>
    presentFigures(PRICE_FIGURES, 'price_sar', distribution, priceMeasure(filters.listing_type)),
});

export const areaDistribution = marketEndpoint<Distribution>({
  path: '/v1/market/area-distribution',
  operationId: 'getAreaDistribution',
  summary: 'Get the area distribution',
  description:
    'Returns a histogram of areas in square meters with bins of equal, rounded width, the percentiles and the mean. Listings that state no area are excluded from these figures and counted in `without_area_count`. The lowest and highest 1% of the values can be in open-ended bins, whose `from` or `to` is null.',
  response: { without_area_count: integer, ...figuresSchema(AREA_FIGURES, 'area_sqm') },
  body: (filters, hour) => distributionBody(AREA, filters, hour),
  present: (distribution, { size }) => ({
    without_area_count: size - distribution.values.count,
    ...presentFigures(AREA_FIGURES, 'area_sqm', distribution, AREA),
  }),
});
