import type pg from 'pg';
import { HOME_TYPES } from '#domain/listing-vocabulary.ts';
import * as sql from '#stores/postgres/rows.ts';

/** Days since the last update of a recent ad. Equals the window of statistics. */
const RECENT_DAYS = 30;

/** Reasons why no search returns a live ad. The first that applies counts. */
const HIDDEN = {
  no_photos: `not needs_photos or photos <> '' or photos_pending <> 0`,
  photos_pending: 'served',
  no_price: 'price is not null',
  implausible: 'plausible_typed or plausible_pooled',
} as const;

const WITH_ROOMS = `property_type in (${HOME_TYPES.filter((type) => type !== 'studio')
  .map((type) => `'${type}'`)
  .join(', ')})`;

/** SQL that matches ads with a field, and ads to which it applies. */
const FIELDS: Readonly<Record<string, readonly [filled: string, applies: string]>> = {
  price: ['price is not null', 'true'],
  area: ['area_sqm is not null', 'true'],
  bedrooms: ['bedrooms is not null', WITH_ROOMS],
  bathrooms: ['bathrooms is not null', WITH_ROOMS],
  age: ['age_years is not null', WITH_ROOMS],
  neighborhood: ['neighborhood_id is not null', 'true'],
  point: ['lat is not null', 'true'],
  photos: [`photos <> '' or photos_pending <> 0`, 'needs_photos'],
};

type Row = sql.RowOf<typeof ROW>;
const ROW = {
  source: sql.text,
  rows: sql.integer,
  /** Number of rejected rows by reason. */
  rejected: sql.json<Record<string, number>>(),
  live: sql.integer,
  merged: sql.integer,
  /** Number of live ads that a search for their property type returns. */
  found: sql.integer,
  hidden: sql.json<Record<keyof typeof HIDDEN, number>>(),
  /** Number of live ads that were updated within `RECENT_DAYS`. */
  recent: sql.integer,
  /** Mean number of days since the live ads were last updated. */
  age_days: sql.nullable(sql.number),
  fields: sql.json<Record<string, { of: number; filled: number }>>(),
};

export type SourceReport = Awaited<ReturnType<typeof sourceReports>>[number];

/** Counts the live ads of each source of a run by outcome, and the rows of its feed. */
export async function sourceReports(pool: pg.Pool, run: number) {
  const passed: string[] = [];
  const counts = Object.entries(HIDDEN).map(([reason, pass]) => {
    const before = passed.map((condition) => `(${condition}) and `).join('');
    passed.push(pass);
    return `'${reason}', count(*) filter (where duplicate_of is null and ${before}not (${pass}))`;
  });
  const fields = Object.entries(FIELDS).map(
    ([field, [filled, applies]]) =>
      `'${field}', json_build_object('of', count(*) filter (where ${applies}),
                                     'filled', count(*) filter (where (${applies}) and (${filled})))`,
  );
  const rows = await sql.queryRows(
    pool,
    ROW,
    `select s.source, coalesce((s.details->>'rows')::int, 0) as rows, s.dropped as rejected, coalesce(l.live, 0) as live,
            coalesce(l.merged, 0) as merged, coalesce(l.found, 0) as found, coalesce(l.hidden, '{}') as hidden,
            coalesce(l.recent, 0) as recent, l.age_days, coalesce(l.fields, '{}') as fields
       from ingest_run_stages s
       left join (
         select source, count(*) as live, count(*) filter (where duplicate_of is not null) as merged,
                count(*) filter (where served and ${passed.map((condition) => `(${condition})`).join(' and ')}) as found,
                json_build_object(${counts.join(', ')}) as hidden,
                count(*) filter (where updated_at > r.at - interval '${RECENT_DAYS} days') as recent,
                avg(extract(epoch from r.at - updated_at)::float8 / 86400) as age_days,
                json_build_object(${fields.join(', ')}) as fields
           from listings cross join (select at from ingest_runs where id = $1) r
          where withdrawn_at is null group by source) l using (source)
      where s.run_id = $1 and s.stage = 'fetch' order by s.source`,
    [run],
  );
  return rows.map((row) => {
    const { source, rows: read, rejected, live, merged, found, hidden, age_days: age } = row;
    const age_days = age === null ? null : Math.max(0, rounded(age));
    return { source, read, rejected, live, merged, found, hidden, age_days, quality: scoreOf(row) };
  });
}

/** In percent. A part is null if there are no rows or ads to measure. */
function scoreOf({ rows, rejected, live, merged, hidden, recent, fields }: Row) {
  const repeated = rejected.duplicate_id ?? 0;
  const shares = Object.fromEntries(
    Object.entries(fields).map(([field, { of, filled }]) => [field, percent(filled, of)]),
  );
  const parts = {
    filled: mean(Object.values(shares)),
    /** Share of feed rows that are not rejected. Repeated rows do not count. */
    accepted: percent(rows - total(rejected), rows - repeated),
    /** Share of live ads that are not hidden. Merged ads do not count. */
    visible: percent(live - merged - total(hidden), live - merged),
    /** Share of separate listings among live ads and repeated rows. */
    unique: percent(live - merged, live + repeated),
    recent: percent(recent, live),
  };
  const score = live > 0 ? mean(Object.values(parts)) : null;
  return { ...roundedAll({ score, ...parts }), fields: roundedAll(shares) };
}

/** Clamped to 0 to 100, because counts from a resumed run may be inconsistent. */
const percent = (part: number, of: number): number | null =>
  of > 0 ? (100 * Math.min(of, Math.max(0, part))) / of : null;

function mean(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null);
  return present.length === 0 ? null : present.reduce((sum, value) => sum + value, 0) / present.length;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

const roundedAll = <Name extends string>(values: Record<Name, number | null>): Record<Name, number | null> =>
  Object.fromEntries(
    Object.entries<number | null>(values).map(([name, value]) => [name, value === null ? null : rounded(value)]),
  ) as Record<Name, number | null>;

/** Returns the source reports of the last completed run; empty before the first. */
export async function lastSourceReports(pool: pg.Pool): Promise<SourceReport[]> {
  const last = await sql.queryRow(
    pool,
    { run: sql.integer },
    `select id as run from ingest_runs where status = 'completed' order by id desc limit 1`,
  );
  return last ? sourceReports(pool, last.run) : [];
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
