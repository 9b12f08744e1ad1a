import { hash } from 'node:crypto';
import type pg from 'pg';
import { monthLabel } from '#domain/months.ts';
import type { CityWithoutSeries, ReleaseContent, Series } from '#domain/property-index/series.ts';
import { LOCKS } from '#stores/postgres/locks.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';

export type Database = Pick<pg.ClientBase, 'query'>;

export type ReleaseRow = sql.RowOf<typeof RELEASE>;
const RELEASE = {
  month: sql.text,
  revision: sql.integer,
  note: sql.nullable(sql.text),
  digest: sql.text,
  published_at: sql.nullable(sql.timestamp),
};
const COLUMNS = Object.keys(RELEASE).join(', ');

/** Returns a permanent id, for example `2026-11-r1`. */
export const releaseId = ({ month, revision }: Pick<ReleaseRow, 'month' | 'revision'>): string =>
  `${month}-r${revision}`;

/** A month selects its last revision. */
const RELEASE_ID = /^(\d{4}-\d{2})(?:-r([1-9]\d{0,5}))?$/;

export async function publishedReleases(db: Database): Promise<ReleaseRow[]> {
  return (await allReleases(db)).filter(({ published_at }) => published_at !== null);
}

export const allReleases = (db: Database): Promise<ReleaseRow[]> =>
  sql.queryRows(db, RELEASE, `select ${COLUMNS} from property_index_releases order by month desc, revision desc`);

/** Undefined selects the newest release. */
export function findRelease<T extends Pick<ReleaseRow, 'month' | 'revision'>>(
  newestFirst: readonly T[],
  id: string | undefined,
): T | undefined {
  if (id === undefined) return newestFirst[0];
  const [, month, revision] = RELEASE_ID.exec(id) ?? [];
  return newestFirst.find(
    (release) => release.month === month && (revision === undefined || release.revision === Number(revision)),
  );
}

async function lockReleases(db: Transaction): Promise<void> {
  const { sql, values } = LOCKS.propertyIndex;
  await db.query(`select pg_advisory_xact_lock(${sql})`, [...values]);
}

/**
 * Saves a draft, which replaces any earlier draft for the same month.
 * @throws if a correction has no note or changes nothing, or if there is no release to correct
 */
export async function saveDraft(
  db: Transaction,
  month: number,
  content: ReleaseContent,
  note: string | null,
): Promise<ReleaseRow> {
  await lockReleases(db);
  const label = monthLabel(month);
  const published = (await publishedReleases(db)).find((release) => release.month === label);
  const series = content.series.map((each) => JSON.stringify(each));
  const without = JSON.stringify(content.cities_without_series);
  const digest = hash('sha256', [...series, without].join('\n'));
  if (published && note === null)
    throw new Error(`${releaseId(published)} is published and does not change. A correction needs a note.`);
  if (!published && note !== null)
    throw new Error(`Nothing of ${label} is published yet, so there is nothing to correct.`);
  if (published?.digest === digest)
    throw new Error(`Built again, ${releaseId(published)} comes out the same: there is nothing to correct.`);
  await db.query('delete from property_index_releases where month = $1 and published_at is null', [label]);
  const draft = await sql.queryOne(
    db,
    RELEASE,
    `insert into property_index_releases (month, revision, note, digest, cities_without_series)
     values ($1, $2, $3, $4, $5) returning ${COLUMNS}`,
    [label, (published?.revision ?? 0) + 1, note, digest, without],
  );
  await db.query(
    `insert into property_index_series (month, revision, position, kind, property, city, content)
     select $1, $2, s.position, s.kind, s.property, s.city, s.content
       from unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::text[])
         as s (position, kind, property, city, content)`,
    [
      draft.month,
      draft.revision,
      series.map((_, position) => position),
      content.series.map(({ kind }) => kind),
      content.series.map(({ property }) => property),
      content.series.map(({ city }) => city),
      series,
    ],
  );
  return draft;
}

/**
 * Publishes a month's draft. A published release is returned unchanged.
 * @throws if the month has neither a draft nor a release
 */
export async function publish(db: Transaction, label: string, now: Date): Promise<ReleaseRow> {
  await lockReleases(db);
  const published = await sql.queryRow(
    db,
    RELEASE,
    `update property_index_releases set published_at = date_trunc('second', $2::timestamptz)
      where month = $1 and published_at is null returning ${COLUMNS}`,
    [label, now],
  );
  const release = published ?? (await publishedReleases(db)).find(({ month }) => month === label);
  if (release === undefined) throw new Error(`There is no draft of ${label}. Build it first.`);
  return release;
}

export interface SeriesFilter {
  kind?: readonly string[] | undefined;
  property?: readonly string[] | undefined;
  scope?: string | undefined;
  city?: string | undefined;
}

export async function readRelease(
  db: Database,
  { month, revision }: Pick<ReleaseRow, 'month' | 'revision'>,
  { kind, property, scope, city }: SeriesFilter = {},
): Promise<{ series: Series[]; citiesWithoutSeries: CityWithoutSeries[] }> {
  const found = await sql.queryRow(
    db,
    { series: sql.nullable(sql.listOf(sql.text)), without: sql.text },
    `select r.cities_without_series as without,
            array_agg(s.content order by s.position) filter (where s.content is not null) as series
       from property_index_releases r
       left join property_index_series s
         on s.month = r.month and s.revision = r.revision
        and ($3::text[] is null or s.kind = any ($3))
        and ($4::text[] is null or s.property = any ($4))
        and ($5::text is null or $5 = case when s.city is null then 'national' else 'city' end)
        and ($6::text is null or s.city = $6)
      where r.month = $1 and r.revision = $2
      group by r.month, r.revision`,
    [month, revision, kind ?? null, property ?? null, scope ?? null, city ?? null],
  );
  if (found === null) throw new Error(`release ${month}-r${revision} is gone`);
  return {
    series: (found.series ?? []).map((text) => JSON.parse(text) as Series),
    citiesWithoutSeries: JSON.parse(found.without) as CityWithoutSeries[],
  };
}
