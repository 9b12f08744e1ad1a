import { setImmediate } from 'node:timers/promises';
import { COVERAGES, coverageOf, historyFrom } from '#domain/coverage.ts';
import { neighborhoodNames } from '#domain/geography/reference.ts';
import { amount, boolean, integer, nullable, object, oneOf, string, type ValueOf } from '#domain/json-schema.ts';
import { LISTING_TYPES, PROPERTY_TYPES } from '#domain/listing-vocabulary.ts';
import { monthLabel, monthOf } from '#domain/months.ts';
import { parseMonth } from '#domain/official/quarters.ts';
import { PRICE_BASES, priceBasis } from '#domain/statistics/figures.ts';
import { type Intervals, monthFigures, monthsOf, TREND_BASES, type TrendBasis } from '#queries/analytics/trends.ts';
import { filterProperties } from '#queries/filters/compile.ts';
import { rowsOf } from '#queries/filters/table.ts';
import { transactionRow } from '#queries/transactions/filters.ts';
import type { Dataset, DatasetSource, RowBytes } from '../dataset.ts';
import { listingTerms, openSnapshot, PAGE_SIZE, type PointInTime, readPages } from './read-listings.ts';

const ROW = object({
  city: string,
  neighborhood_id: nullable(integer),
  name_en: nullable(string),
  name_ar: nullable(string),
  month: string,
  coverage: oneOf(COVERAGES),
  listing_type: oneOf(LISTING_TYPES),
  property_type: nullable(oneOf(PROPERTY_TYPES)),
  bedrooms: nullable(integer),
  price_basis: oneOf(PRICE_BASES),
  sample_size: integer,
  small_sample: boolean,
  median_price_sar: nullable(amount),
  p25_price_sar: nullable(amount),
  p75_price_sar: nullable(amount),
  median_price_per_sqm_sar: nullable(amount),
});

interface MedianFilters {
  city?: readonly string[];
  listing_type?: readonly string[];
  neighborhood_id?: readonly number[];
  property_type?: readonly string[];
  beds?: readonly number[];
  month_from?: string;
  month_to?: string;
  basis?: TrendBasis;
  min_sample_size?: number;
}

/** Monthly figures of `GET /market/trends` for every cohort by place, type and number of bedrooms. */
export const marketMediansDataset: Dataset = {
  name: 'market_medians',
  description:
    'monthly medians and quartiles of asking prices, as `GET /v1/market/trends` returns them for one cohort per call, for every city and neighborhood, listing type, property type and number of bedrooms. Rows with a null `neighborhood_id` are for the whole city, with a null `property_type` for all types, and with a null `bedrooms` for all numbers. Filters select rows and default to all: `city`, `listing_type`, `neighborhood_id`, `property_type` and `beds` take several values; `min_sample_size` leaves out rows with fewer listings',
  scope: 'analytics',
  free: false,
  filters: {
    properties: {
      ...filterProperties(rowsOf(['city', 'listing_type', 'neighborhood_id', 'property_type', 'beds'])),
      ...filterProperties([
        { ...transactionRow('month_from'), description: 'First month, `YYYY-MM`.' },
        { ...transactionRow('month_to'), description: 'Last month, `YYYY-MM`.' },
      ]),
      basis: {
        type: 'string',
        enum: TREND_BASES,
        default: 'on_market',
        description: 'Listings that a month includes, as for `GET /v1/market/trends`.',
      },
      min_sample_size: {
        type: 'integer',
        minimum: 1,
        maximum: 10_000,
        default: 1,
        description: 'Minimum number of listings per row.',
      },
    },
    required: [],
  },
  row: ROW,
  terms: (services) =>
    listingTerms(services, [
      `History begins ${services.config.historyStart}. The month with coverage in_progress is not complete.`,
      'A row has the figures of GET /market/trends for its cohort. They are always exact; those of the endpoint are within 1% where it states approximate.',
      'Rows with a null neighborhood_id, property_type or bedrooms contain the listings of the other rows: do not add samples of different levels.',
      'Rows with small_sample can show the price of a single listing. Keep them at most 30 days.',
    ]),
  async open(source) {
    return openSnapshot(source, 'history', async (pit) => {
      let count = 0;
      for await (const rows of readMedians(source, pit)) count += rows.length;
      return {
        count,
        rows: async function* (): AsyncGenerator<readonly RowBytes[]> {
          for await (const rows of readMedians(source, pit))
            for (let at = 0; at < rows.length; at += PAGE_SIZE)
              yield rows.slice(at, at + PAGE_SIZE).map((row) => [Buffer.from(JSON.stringify(row))]);
        },
      };
    });
  },
};

type Row = ValueOf<typeof ROW>;

/** Yields the rows of a cohort: by city and listing type, whose intervals are in memory together, 60 bytes each. */
async function* readMedians(source: DatasetSource, pit: PointInTime): AsyncGenerator<Row[]> {
  const { services, asOf } = source;
  const filters = source.filters as MedianFilters;
  const history = historyFrom(services.config.historyStart);
  const basis = filters.basis ?? 'on_market';
  const bound = (month: string | undefined, otherwise: number) => (month ? parseMonth(month) : otherwise);
  const firstMonth = Math.max(history.startMonth, bound(filters.month_from, 0));
  const lastMonth = Math.min(monthOf(asOf), bound(filters.month_to, Number.POSITIVE_INFINITY));
  if (firstMonth > lastMonth) return;
  for (const city of services.places.cities()) {
    if (filters.city?.includes(city.slug) === false) continue;
    const named = neighborhoodNames(services.places, city.slug);
    for (const listing_type of LISTING_TYPES) {
      if (filters.listing_type?.includes(listing_type) === false) continue;
      const place = { city: city.slug, listing_type };
      const cohorts = await readCohorts(source, pit, { basis, firstMonth, lastMonth }, place);
      for (const [key, intervals] of [...cohorts].sort(([a], [b]) => (a < b ? -1 : 1))) {
        // Other work of the process runs in between.
        await setImmediate();
        const [neighborhood_id, property_type, bedrooms] = JSON.parse(key) as Level;
        const { name_en, name_ar } = neighborhood_id === null ? city : named(neighborhood_id);
        const months = monthsOf(intervals, { basis, firstMonth, lastMonth }).filter(
          ({ doc_count }) => doc_count >= (filters.min_sample_size ?? 1),
        );
        yield months.map((month) => ({
          ...{ city: city.slug, neighborhood_id, name_en, name_ar },
          ...{ month: monthLabel(month.key), coverage: coverageOf(month.key, history, asOf) },
          ...{ listing_type, property_type, bedrooms, price_basis: priceBasis(listing_type) },
          ...monthFigures(month),
        }));
      }
    }
  }
}

/** Neighborhood, property type and bedrooms of a row; null for all. */
type Level = readonly [number | null, Row['property_type'], number | null];

interface Hit {
  fields?: Readonly<Record<string, readonly unknown[]>>;
  sort: readonly unknown[];
}

interface Interval {
  basis: TrendBasis;
  firstMonth: number;
  lastMonth: number;
}

/** Intervals by level, as JSON. */
async function readCohorts(
  { services, signal, filters }: DatasetSource,
  pit: PointInTime,
  { basis, firstMonth, lastMonth }: Interval,
  place: Readonly<Record<'city' | 'listing_type', string>>,
): Promise<Map<string, Intervals>> {
  const { neighborhood_id, property_type, beds } = filters as MedianFilters;
  const [placeField, typeField, bedsField] = ['filter.neighborhood_id', 'filter.property_type', 'filter.beds'] as const;
  const names = ['first_month', 'last_month', 'price', 'price_per_sqm', 'plausible_typed', 'plausible_pooled'];
  const fields = [placeField, typeField, bedsField, ...names.map((name) => `${basis}.${name}`)];
  const filter = [
    ...Object.entries(place).map(([name, value]) => ({ term: { [`filter.${name}`]: value } })),
    { range: { [`${basis}.months`]: { gte: firstMonth, lte: lastMonth } } },
  ];
  const levels = <Value>(value: Value | undefined, wanted: readonly Value[] | undefined): (Value | null)[] => {
    const own = value !== undefined && (wanted === undefined || wanted.includes(value)) ? [value] : [];
    return wanted === undefined ? [...own, null] : own;
  };
  const cohorts = new Map<string, Intervals>();
  for await (const hits of readPages<Hit>(services, filter, pit, signal, fields))
    for (const { fields: found = {} } of hits) {
      const valueIn = <Value>(field: string): Value | undefined => found[field]?.[0] as Value | undefined;
      const [first, last, price, perSqm, typed, pooled] = names.map((name) => valueIn(`${basis}.${name}`));
      const id = valueIn<string>(placeField);
      for (const type of levels(valueIn<string>(typeField), property_type)) {
        // Bounds of plausible prices are those of one type, or of all.
        if ((type === null ? pooled : typed) !== true) continue;
        for (const place of levels(id === undefined ? undefined : Number(id), neighborhood_id))
          for (const rooms of levels(valueIn<number>(bedsField), beds)) {
            const key = JSON.stringify([place, type, rooms]);
            const columns = cohorts.get(key) ?? [[], [], [], []];
            cohorts.set(key, columns);
            for (const [at, value] of [first, last, price, perSqm ?? null].entries())
              (columns[at] as unknown[]).push(value);
          }
      }
    }
  return cohorts;
}
