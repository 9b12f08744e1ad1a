import type pg from 'pg';
import { quarterLabel } from '#domain/official/quarters.ts';
import * as sql from '#postgres/rows.ts';
import { type KindReader, mediansSql } from './kind.ts';

/** Facts about one quarter in a file, computed from its rows, for comparison with the served quarter. */
export interface QuarterFacts {
  quarter: number;
  rows: number;
  /** Number of deeds or contracts in this quarter and in the one to be replaced. Null if not stated, or if none is. */
  deeds: number | null;
  replacedDeeds: number | null;
  /** Number of rows that repeat another row. */
  repeated: number;
  /** Number of rows with a stated mean price, and how many of these have a mean outside their stated bounds. */
  means: number;
  outOfBounds: number;
  /** Median ratio of `value / area` to the stated mean price. Null if no mean is stated. */
  meanRatio: number | null;
  /** Strata that the nearest served quarter has too, their median price change as a factor, and large changes. */
  strata: number;
  priceFactor: number | null;
  strataApart: number;
}

/** Minimum size relative to the served quarter, in deeds or rows. Smaller files are held. */
export const MIN_SHARE_OF_SERVED = 0.7;
/** Maximum share of rejected or repeated rows. Published files have at most 0.002. */
export const MAX_FAULTY_SHARE = 0.05;
/** Minimum number of rows or strata for checks of shares and medians. */
const JUDGED_FROM = 10;
/** Maximum share of rows whose mean is outside its bounds. Published files have none. */
const MAX_OUT_OF_BOUNDS_SHARE = 0.01;
/** Accepted range for the ratio of `value / area` to the stated mean price. Published files have 0.99 to 1.37. */
const MEAN_RATIO: readonly [number, number] = [0.5, 2];
/** Accepted range for the median price change of strata between quarters, as a factor. */
const PRICE_FACTOR: readonly [number, number] = [0.5, 2];
/** Maximum share of strata whose price changed more than fourfold from the nearest quarter. */
const MAX_APART_SHARE = 0.25;

const percent = (part: number, of: number): string => `${Math.round((100 * part) / of)}%`;
const isOutside = (value: number | null, [least, most]: readonly [number, number]): boolean =>
  value !== null && (value < least || value > most);

/** Returns the reasons to hold a quarter. Pure. @param today the latest quarter that can have begun */
export function doubtsOf(facts: QuarterFacts, today: number): string[] {
  const { rows, deeds, replacedDeeds, repeated, means, outOfBounds, meanRatio, strata, priceFactor, strataApart } =
    facts;
  const doubts: string[] = [];
  if (facts.quarter > today) doubts.push(`${quarterLabel(facts.quarter)} has not begun`);
  if (replacedDeeds !== null && deeds !== null && deeds < replacedDeeds * MIN_SHARE_OF_SERVED)
    doubts.push(`${deeds} deeds where ${replacedDeeds} are served`);
  if (rows >= JUDGED_FROM && repeated > rows * MAX_FAULTY_SHARE)
    doubts.push(`${repeated} of ${rows} rows repeat another one (${percent(repeated, rows)})`);
  if (outOfBounds > 0 && outOfBounds > means * MAX_OUT_OF_BOUNDS_SHARE)
    doubts.push(`${outOfBounds} of ${means} mean prices are above their maximum or below their minimum`);
  if (means >= JUDGED_FROM && isOutside(meanRatio, MEAN_RATIO))
    doubts.push(
      `value over area is ${meanRatio?.toPrecision(2)} times the mean price: columns may stand under other names`,
    );
  if (strata >= JUDGED_FROM && isOutside(priceFactor, PRICE_FACTOR))
    doubts.push(
      `prices are ${priceFactor?.toPrecision(2)} times those of the nearest quarter (median of ${strata} strata)`,
    );
  else if (strata >= JUDGED_FROM && strataApart > strata * MAX_APART_SHARE)
    doubts.push(
      `${strataApart} of ${strata} strata are under a quarter or over four times their price of the nearest quarter`,
    );
  return doubts;
}

/** Returns facts about the staged rows of a quarter. */
export async function factsOf(
  db: pg.PoolClient,
  { table, kind, columns, deeds, price, means }: KindReader,
  { scope, quarter, repeated }: { scope: string; quarter: number; repeated: number },
): Promise<QuarterFacts> {
  const content = Object.keys(columns).join(', ');
  const bounds = means
    ? `count(${means.mean})::integer as means,
       count(*) filter (where ${means.mean} > ${means.max} * 1.001 or ${means.mean} < ${means.min} * 0.999)::integer as out_of_bounds,
       percentile_cont(0.5) within group (order by ${means.ofRow} / nullif(${means.mean}, 0)) as mean_ratio`
    : '0 as means, 0 as out_of_bounds, null::float as mean_ratio';
  const sum = `sum(${deeds ?? 'null::bigint'})::bigint`;
  const found = await sql.queryOne(
    db,
    {
      rows: sql.integer,
      deeds: sql.nullable(sql.integer),
      different: sql.integer,
      means: sql.integer,
      out_of_bounds: sql.integer,
      mean_ratio: sql.nullable(sql.number),
    },
    `select count(*)::integer as rows, ${sum} as deeds, ${bounds},
            (select count(*)::integer from (select distinct ${content} from staged where scope = $1 and quarter = $2) d) as different
       from staged where scope = $1 and quarter = $2`,
    [scope, quarter],
  );
  const before = await sql.queryOne(
    db,
    { deeds: sql.nullable(sql.integer) },
    `select ${sum} as deeds from ${table}
      where load_id in (select id from official_loads where kind = $1 and quarter = $2 and state = 'current' and ($3 = '' or scope = $3))`,
    [kind, quarter, scope],
  );
  const facts = {
    quarter,
    rows: found.rows,
    deeds: found.deeds,
    replacedDeeds: before.deeds,
    repeated: repeated + found.rows - found.different,
    means: found.means,
    outOfBounds: found.out_of_bounds,
    meanRatio: found.mean_ratio,
  };
  return { ...facts, ...(await priceChanges(db, { table, kind, price }, scope, quarter)) };
}

/** Compares the prices of strata with the nearest served quarter, the earlier of two that are equally near. */
async function priceChanges(
  db: pg.PoolClient,
  { table, kind, price }: Pick<KindReader, 'table' | 'kind' | 'price'>,
  scope: string,
  quarter: number,
): Promise<Pick<QuarterFacts, 'strata' | 'priceFactor' | 'strataApart'>> {
  const { strata, factor, apart } = await sql.queryOne(
    db,
    { strata: sql.integer, factor: sql.nullable(sql.number), apart: sql.integer },
    `with near as (
       select id from official_loads
        where kind = $1 and state = 'current' and ($3 = '' or scope in ('', $3)) and quarter = (
          select quarter from official_loads
           where kind = $1 and state = 'current' and ($3 = '' or scope in ('', $3)) and quarter <> $2
           order by abs(quarter - $2), quarter limit 1)),
     these as (${mediansSql(price, 'staged where scope = $3 and quarter = $2')}),
     those as (${mediansSql(price, `${table} where load_id in (select id from near)`)})
     select count(*)::integer as strata, percentile_cont(0.5) within group (order by these.price / those.price) as factor,
            count(*) filter (where these.price not between those.price / 4 and those.price * 4)::integer as apart
       from these join those using (stratum)`,
    [kind, quarter, scope],
  );
  return { strata, priceFactor: factor, strataApart: apart };
}
