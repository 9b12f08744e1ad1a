import { SMALL_SAMPLE } from '#domain/statistics/figures.ts';
import { yieldTypes } from '#queries/analytics/rental-yield.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import { priceMeasure } from '#queries/market/statistics.ts';
import { DAY, hourOf, marketWindow } from '#queries/market/window.ts';
import type { Statement } from '../load/protocol.ts';
import type { MarketKind, MarketRequest } from '../requests/market.ts';
import { type Bind, prepare } from './statement.ts';

/** Creates the equivalent of a market data request as one prepared statement that returns JSON text. */
export const marketStatement = ({ kind, filters }: MarketRequest, now: number): Statement =>
  prepare((bind) => STATEMENTS[kind]({ filters, now, bind }));

interface StatementInput {
  filters: MarketRequest['filters'];
  now: number;
  bind: Bind;
}

/** Returns the SQL conditions that match a cohort's rows. Column names equal filter names. */
function cohortConditions({ filters, bind }: { filters: FilterValues; bind: Bind }): string[] {
  const where = Object.entries(filters).map(([name, value]) => {
    if (name === 'neighborhood_id_exclude')
      return `(neighborhood_id is null or neighborhood_id <> all (${bind(value)}::integer[]))`;
    return Array.isArray(value) && value.length > 1
      ? `${name} = any (${bind(value)})`
      : `${name} = ${bind(single(value))}`;
  });
  // Both types are listed explicitly, so that the index is used as for a single type.
  if (filters.listing_type === undefined) where.push(`listing_type in ('rent', 'sale')`);
  const types = filters.property_type;
  where.push(Array.isArray(types) && types.length === 1 ? 'plausible_typed' : 'plausible_pooled');
  return where;
}

/** Returns SQL for a cohort's listings, with the required columns. */
function cohort(input: StatementInput, columns: string): string {
  const { now, bind } = input;
  const where = cohortConditions(input);
  where.push(`updated_at >= ${bind(marketWindow(now).from)}::bigint`);
  return `select ${columns} from bench_market.listings where ${where.join(' and ')}`;
}

const single = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

const quartiles = (column: string): string =>
  `percentile_cont(array[0.25, 0.5, 0.75]) within group (order by ${column})`;
const median = (column: string): string => `percentile_cont(0.5) within group (order by ${column})`;

const STATEMENTS: Readonly<Record<MarketKind, (input: StatementInput) => string>> = {
  summary: (input) => {
    const by = (column: string, limit: number): string =>
      `(select json_agg(g) from (select ${column}, count(*) as sample_size from m group by 1 order by 2 desc limit ${limit}) g)`;
    return `
      with m as materialized (${cohort(input, 'price, price_per_sqm, area, updated_at, property_type, neighborhood_id, source')}),
      s as (
        select count(*) as n, ${quartiles('price')} as q, avg(price) as mean, ${median('price_per_sqm')} as sqm,
               ${median('area')} as area, max(updated_at) as last,
               count(*) filter (where updated_at >= ${input.bind(hourOf(input.now) - 7 * DAY)}::bigint) as week
          from m)
      select json_build_object('sample_size', n, 'p25_price_sar', q[1], 'median_price_sar', q[2], 'p75_price_sar', q[3],
               'mean_price_sar', mean, 'median_price_per_sqm_sar', sqm, 'median_area_sqm', area, 'last', last,
               'week', week, 'property_types', ${by('property_type', 100)},
               'top_neighborhoods', ${by('neighborhood_id', 10)}, 'sources', ${by('source', 100)})::text from s`;
  },
  'price-distribution': (input) => distribution(input, 'price', priceMeasure(input.filters.listing_type).bar),
  'area-distribution': (input) => distribution(input, 'area', 5),
  supply: (input) => {
    const end = hourOf(input.now);
    const source = cohort(input, 'first_seen_at');
    const between = (from: number, to: number): string =>
      `count(*) filter (where first_seen_at >= ${input.bind(end - from * DAY)}::bigint and first_seen_at < ${input.bind(end - to * DAY)}::bigint)`;
    const period = (days: number): string =>
      `json_build_object('new_listings', ${between(days, 0)}, 'previous_new_listings', ${between(2 * days, days)})`;
    return `select json_build_object('sample_size', count(*), 'periods', json_build_array(${period(7)}, ${period(30)}))::text
              from (${source}) m`;
  },
  vacancy: (input) => {
    const end = input.bind(hourOf(input.now));
    const lasting = [30, 60, 90].map((days) => `count(*) filter (where days >= ${days})`).join(', ');
    return `
      with m as (${cohort(input, `greatest(0, (${end}::bigint - first_seen_at) / ${DAY})::integer as days`)}),
      s as (select count(*) as n, ${quartiles('days')} as q, avg(days) as mean, json_build_array(${lasting}) as lasting from m)
      select json_build_object('sample_size', n, 'p25_days_on_market', q[1], 'median_days_on_market', q[2],
               'p75_days_on_market', q[3], 'mean_days_on_market', mean, 'lasting', lasting)::text from s`;
  },
  neighborhoods: (input) => `
    with g as (
      select neighborhood_id, count(*) as n, ${quartiles('price')} as q, ${median('price_per_sqm')} as sqm
        from (${cohort(input, 'neighborhood_id, price, price_per_sqm')}) m
       where neighborhood_id is not null group by 1)
    select json_build_object('neighborhoods', coalesce(json_agg(json_build_object(
             'neighborhood_id', neighborhood_id, 'sample_size', n, 'p25_price_sar', q[1], 'median_price_sar', q[2],
             'p75_price_sar', q[3], 'median_price_per_sqm_sar', sqm) order by q[2] desc), '[]'))::text from g`,
  'rental-yield': (input) => {
    const property_type = yieldTypes(input.filters);
    const filters = { ...input.filters, ...(property_type ? { property_type } : {}) };
    return `
    with m as materialized (${cohort({ ...input, filters }, 'neighborhood_id, property_type, listing_type, price')}),
    g as (
      select neighborhood_id, grouping(neighborhood_id) = 1 as whole, property_type, listing_type, count(*) as n,
             ${median('price')} as median
        from m group by grouping sets ((neighborhood_id, property_type, listing_type), (property_type, listing_type))),
    y as (
      select rent.neighborhood_id, rent.whole, sum(rent.n) as rents, sum(sale.n) as sales,
             sum(least(rent.n, sale.n) * rent.median) / sum(least(rent.n, sale.n)) as rent,
             sum(least(rent.n, sale.n) * sale.median) / sum(least(rent.n, sale.n)) as sale,
             sum(least(rent.n, sale.n) * rent.median / sale.median) / sum(least(rent.n, sale.n)) * 100 as yield
        from g rent
        join g sale on sale.neighborhood_id is not distinct from rent.neighborhood_id and sale.whole = rent.whole
                   and sale.property_type = rent.property_type
       where rent.listing_type = 'rent' and sale.listing_type = 'sale'
         and rent.n >= ${SMALL_SAMPLE} and sale.n >= ${SMALL_SAMPLE}
       group by 1, 2)
    select json_build_object(
      'city', (
        select json_build_object('median_yearly_rent_sar', rent, 'median_sale_price_sar', sale) from y where whole),
      'neighborhoods', (
        select coalesce(json_agg(json_build_object(
                 'neighborhood_id', neighborhood_id, 'rent_sample_size', rents, 'sale_sample_size', sales,
                 'median_yearly_rent_sar', rent, 'median_sale_price_sar', sale,
                 'gross_yield_pct', yield) order by yield desc), '[]')
          from y where not whole and neighborhood_id is not null))::text`;
  },
  'neighborhoods/compare': (input) => {
    const { listing_type, ...others } = input.filters;
    const rental = listing_type === 'rent';
    const columns = 'neighborhood_id, listing_type, property_type, price, price_per_sqm, area, beds, amenities';
    const source = cohort({ ...input, filters: rental ? others : input.filters }, columns);
    const shares = (name: string, rows: string): string =>
      `(select json_agg(x) from (select ${name} as name, count(*) as n from ${rows} where a.neighborhood_id = s.id group by 1) x)`;
    const of = input.bind(listing_type);
    return `
      with m as materialized (${source}),
      a as materialized (select * from m where listing_type = ${of}),
      s as (
        select neighborhood_id as id, count(*) as n, ${quartiles('price')} as q, avg(price) as mean,
               ${median('price_per_sqm')} as sqm, ${median('area')} as area
          from a group by 1),
      sale as (
        select neighborhood_id as id, count(*) as n, ${median('price')} as median
          from m where ${rental} and listing_type = 'sale' group by 1)
      select json_build_object('neighborhoods', coalesce(json_agg(json_build_object(
               'neighborhood_id', w.id, 'sample_size', coalesce(s.n, 0), 'p25_price_sar', q[1],
               'median_price_sar', q[2], 'p75_price_sar', q[3], 'mean_price_sar', mean,
               'median_price_per_sqm_sar', sqm, 'median_area_sqm', area, 'sales', sale.n,
               'gross_yield_pct', q[2] / sale.median * 100,
               'amenities', ${shares('amenity', 'a, unnest(amenities) amenity')},
               'bedrooms', ${shares('beds', 'a')}, 'property_types', ${shares('property_type', 'a')})), '[]'))::text
        from unnest(${input.bind(input.filters.neighborhood_id)}::integer[]) w (id)
        left join s on s.id = w.id left join sale on sale.id = w.id`;
  },
};

function distribution(input: StatementInput, column: 'price' | 'area', bar: number): string {
  return `
    with m as materialized (${cohort(input, `${column} as v`)}),
    s as (
      select count(*) as n, count(v) as stated, avg(v) as mean, min(v) as least, max(v) as most,
             percentile_cont(array[0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95]) within group (order by v) as q from m),
    b as (select floor(v / ${bar}) as bar, count(*) as n from m group by 1)
    select json_build_object('sample_size', n, 'without_area_count', n - stated, 'mean', mean, 'min', least, 'max', most,
             'p25_price_sar', q[3], 'median_price_sar', q[4], 'p75_price_sar', q[5], 'median_area_sqm', q[4], 'all', q,
             'bars', (select json_agg(json_build_array(b.bar, b.n)) from b))::text from s`;
}
