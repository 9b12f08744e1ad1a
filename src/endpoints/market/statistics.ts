import { arrayOf, integer, nullable, number, object, string, timestamp } from '#domain/json-schema.ts';
import { timestamp as formatTimestamp } from '#domain/listings/present.ts';
import { type Bar, binsOf } from '#domain/statistics/bins.ts';
import { difference, percentage, priceQuartiles, rounded } from '#domain/statistics/figures.ts';
import type { Tail } from '#domain/statistics/percents.ts';
import {
  exactQuartiles,
  medianOf,
  type PercentilesResult,
  percentileOf,
  quartilesOf,
  snapToRoundWithin,
} from '#domain/statistics/quantiles.ts';
import { DAY } from '#queries/market/cohort.ts';
import {
  AREA,
  distributionBody,
  type Measure,
  neighborhoodsBody,
  priceMeasure,
  SPANS,
  summaryBody,
  supplyBody,
  vacancyBody,
} from '#queries/market/statistics.ts';
import { marketEndpoint } from './cohort-endpoint.ts';
import {
  amount,
  approximateSchema,
  namedNeighborhoodSchema,
  priceQuartilesSchema,
  sampleOf,
  sampleSchema,
} from './schemas.ts';

interface Buckets {
  buckets: readonly { key: string; doc_count: number }[];
}

interface Summary {
  price: PercentilesResult;
  prices: { min: number | null; max: number | null; avg: number | null };
  price_per_sqm: PercentilesResult;
  area: PercentilesResult;
  updated: Buckets;
  last_updated: { value: number | null };
  property_types: Buckets;
  neighborhoods: Buckets;
  sources: Buckets;
}

export const marketSummary = marketEndpoint({
  path: '/v1/market/summary',
  operationId: 'getMarketSummary',
  summary: 'Get a market summary',
  description:
    'Returns prices, areas and prices per square meter of the listings that match the filters, their freshness, and their number by property type, by source (a listing on several sources counts for each), and in the ten neighborhoods with the most listings.',
  response: {
    ...approximateSchema,
    ...priceQuartilesSchema,
    mean_price_sar: amount,
    median_price_per_sqm_sar: amount,
    median_area_sqm: amount,
    freshness: object({
      last_updated_at: nullable(timestamp),
      updated_last_7_days_pct: nullable(number),
    }),
    property_types: arrayOf(object({ property_type: string, sample_size: integer, share_pct: amount })),
    top_neighborhoods: arrayOf(object({ ...namedNeighborhoodSchema, sample_size: integer, share_pct: amount })),
    sources: arrayOf(object({ name: string, sample_size: integer, share_pct: amount })),
  },
  body: summaryBody,
  present: (found: Summary, { size, neighborhood }) => {
    const snapPriceToRound = snapToRoundWithin(found.prices.min ?? 0, found.prices.max ?? Number.POSITIVE_INFINITY);
    const snapAreaToRound = snapToRoundWithin(0, Number.POSITIVE_INFINITY);
    const last = found.last_updated.value;
    const counts = ({ buckets }: Buckets, named: (key: string) => object) =>
      buckets.map(({ key, doc_count }) => ({
        ...named(key),
        sample_size: doc_count,
        share_pct: percentage(doc_count, size),
      }));
    return {
      ...priceQuartiles(quartilesOf(found.price, size, snapPriceToRound)),
      mean_price_sar: rounded(found.prices.avg),
      median_price_per_sqm_sar: rounded(medianOf(found.price_per_sqm)),
      median_area_sqm: rounded(medianOf(found.area, snapAreaToRound)),
      freshness: {
        last_updated_at: last === null ? null : formatTimestamp(Math.floor(last / 1000)),
        updated_last_7_days_pct: percentage(found.updated.buckets[0]?.doc_count ?? 0, size),
      },
      property_types: counts(found.property_types, (key) => ({ property_type: key })),
      top_neighborhoods: counts(found.neighborhoods, neighborhood),
      sources: counts(found.sources, (name) => ({ name })),
    };
  },
});

interface Distribution {
  bars: { buckets: readonly Bar[] };
  percentiles: PercentilesResult;
  values: { count: number; min: number | null; max: number | null; avg: number | null };
}

type Figure = 'mean' | 'p5' | 'p10' | 'p25' | 'median' | 'p75' | 'p90' | 'p95' | 'min' | 'max';

/** In the order of the response, where names end with the unit, as in `median_area_sqm`. */
const PRICE_FIGURES: readonly Figure[] = ['mean', 'p5', 'p10', 'median', 'p25', 'p75', 'p90', 'p95', 'min', 'max'];
const AREA_FIGURES: readonly Figure[] = ['mean', 'p5', 'p10', 'p25', 'median', 'p75', 'p90', 'p95', 'min', 'max'];

/** Bins include `from` and exclude `to`. */
const binsSchema = arrayOf(
  object({ from: nullable(number), to: nullable(number), count: integer, share_pct: nullable(number) }),
);

const figuresSchema = <const Unit extends string>(figures: readonly Figure[], unit: Unit) => ({
  ...(Object.fromEntries(figures.map((figure) => [`${figure}_${unit}`, amount])) as {
    readonly [Each in Figure as `${Each}_${Unit}`]: typeof amount;
  }),
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

export const priceDistribution = marketEndpoint({
  path: '/v1/market/price-distribution',
  operationId: 'getPriceDistribution',
  summary: 'Get the price distribution',
  description:
    'Returns a histogram of prices with bins of equal, rounded width, the percentiles and the mean. The lowest and highest 1% of the values can be in open-ended bins, whose `from` or `to` is null.',
  response: { ...approximateSchema, ...figuresSchema(PRICE_FIGURES, 'price_sar') },
  body: (filters, hour) => distributionBody(priceMeasure(filters.listing_type), filters, hour),
  present: (distribution: Distribution, { filters }) =>
    presentFigures(PRICE_FIGURES, 'price_sar', distribution, priceMeasure(filters.listing_type)),
});

const areaDistribution = marketEndpoint({
  path: '/v1/market/area-distribution',
  operationId: 'getAreaDistribution',
  summary: 'Get the area distribution',
  description:
    'Returns a histogram of areas in square meters with bins of equal, rounded width, the percentiles and the mean. Listings that state no area are excluded from these figures and counted in `without_area_count`. The lowest and highest 1% of the values can be in open-ended bins, whose `from` or `to` is null.',
  response: { ...approximateSchema, without_area_count: integer, ...figuresSchema(AREA_FIGURES, 'area_sqm') },
  body: (filters, hour) => distributionBody(AREA, filters, hour),
  present: (distribution: Distribution, { size }) => ({
    without_area_count: size - distribution.values.count,
    ...presentFigures(AREA_FIGURES, 'area_sqm', distribution, AREA),
  }),
});

interface Supply {
  first_seen: { buckets: Readonly<Record<string, { doc_count: number }>> };
}

const SUPPLY_METHOD =
  'Counts the listings of the sample by when they were first seen. Listings withdrawn since then are not counted, so counts of the earlier period are somewhat low and changes somewhat high.';

const marketSupply = marketEndpoint({
  path: '/v1/market/supply',
  operationId: 'getMarketSupply',
  summary: 'Get new supply',
  description:
    'Returns the number of new listings in the last 7 days and the 7 days before, and in the last 30 days and the 30 days before.',
  response: {
    periods: arrayOf(
      object({
        days: integer,
        from: timestamp,
        to: timestamp,
        new_listings: integer,
        previous_new_listings: integer,
        change_pct: nullable(number),
      }),
    ),
    method: string,
  },
  body: supplyBody,
  present: ({ first_seen }: Supply, { hour }) => {
    const count = (key: string): number => first_seen.buckets[key]?.doc_count ?? 0;
    return {
      periods: SPANS.map((days) => ({
        days,
        from: formatTimestamp((hour - days * DAY) / 1000),
        to: formatTimestamp(hour / 1000),
        new_listings: count(`last_${days}`),
        previous_new_listings: count(`before_${days}`),
        change_pct: difference(count(`last_${days}`), count(`before_${days}`)),
      })),
      method: SUPPLY_METHOD,
    };
  },
});

interface Vacancy {
  days: { buckets: readonly { key: number; doc_count: number }[] };
}

const VACANCY_METHOD =
  'Days on the market are a proxy for vacancy: the time that current live listings have been advertised, not the share of vacant dwellings.';

/** Thresholds of `lasting`, in whole days on the market. */
const LASTING_DAYS = [30, 60, 90] as const;

const marketVacancy = marketEndpoint({
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
  present: ({ days }: Vacancy, { size, hour }) => {
    // The newest bucket is last. A listing that was first seen after the full hour has zero days.
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
      method: VACANCY_METHOD,
    };
  },
});

interface Ranking {
  neighborhoods: {
    buckets: readonly { key: string; doc_count: number; price: PercentilesResult; price_per_sqm: PercentilesResult }[];
  };
}

export const marketNeighborhoods = marketEndpoint({
  path: '/v1/market/neighborhoods',
  operationId: 'listMarketNeighborhoods',
  summary: 'Rank neighborhoods by price',
  description:
    'Returns every neighborhood of the city with listings that match the filters, highest median price first. Listings without a neighborhood are counted only in the total `sample_size`.',
  response: {
    ...approximateSchema,
    neighborhoods: arrayOf(
      object({
        ...namedNeighborhoodSchema,
        ...sampleSchema,
        ...priceQuartilesSchema,
        median_price_per_sqm_sar: amount,
      }),
    ),
  },
  body: neighborhoodsBody,
  present: ({ neighborhoods }: Ranking, { neighborhood }) => {
    const rows = neighborhoods.buckets.map(({ key, doc_count, price, price_per_sqm }) => ({
      ...neighborhood(key),
      ...sampleOf(doc_count),
      ...priceQuartiles(quartilesOf(price, doc_count)),
      median_price_per_sqm_sar: rounded(medianOf(price_per_sqm)),
    }));
    rows.sort(
      (a, b) =>
        (b.median_price_sar ?? 0) - (a.median_price_sar ?? 0) ||
        b.sample_size - a.sample_size ||
        a.neighborhood_id - b.neighborhood_id,
    );
    return { neighborhoods: rows };
  },
});

export const marketEndpoints = [
  marketSummary,
  priceDistribution,
  areaDistribution,
  marketSupply,
  marketVacancy,
  marketNeighborhoods,
];
