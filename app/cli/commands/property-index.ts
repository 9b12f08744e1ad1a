import { type Command, InvalidArgumentError } from 'commander';
import { monthLabel, monthOf } from '#domain/months.ts';
import { parseMonth } from '#domain/official/quarters.ts';
import { SERIES_KINDS, type Series } from '#domain/property-index/series.ts';
import { draftRelease } from '#src/property-index/publish-month.ts';
import {
  allReleases,
  findRelease,
  publish,
  type ReleaseRow,
  readRelease,
  releaseId,
} from '#src/property-index/releases.ts';
import { accountCommands, type Connection } from '../connect.ts';
import { type OutputOptions, printOne, printRows, type Result } from '../output.ts';
import { parseNote } from '../values.ts';

export const HELP = `Examples:
  npm run cli -- property-index build 2026-11
  npm run cli -- property-index publish 2026-11
  npm run cli -- property-index correct 2026-11 --note "Deals of 2026-Q2 were republished."
  npm run cli -- property-index show 2026-11-r1`;

export function addCommands(index: Command): void {
  const add = accountCommands(index);

  add(
    'build [month]',
    'Build the release of a month (default: this month) as a draft, replacing its earlier draft',
    async (connection, flags, month?: string) =>
      show(connection, await build(connection, { month: readMonth(month), note: null }), flags),
  );

  add(
    'publish [month]',
    'Publish the draft of a month; published releases never change',
    async ({ change }, _flags, month?: string) =>
      summary(await change(({ db }) => publish(db, monthLabel(readMonth(month)), new Date()))),
  );

  add(
    'correct <month>',
    'Build the next revision of a published month as a draft, with a note that states the reason',
    async (connection, flags, month) =>
      show(
        connection,
        await build(connection, { month: readMonth(month), note: parseNote(String(flags.note)) }),
        flags,
      ),
  ).requiredOption('--note <text>', 'the corrected fault; this text is published');

  add(
    'show [release]',
    'List all releases and drafts, or the series of one (2026-11, 2026-11-r1)',
    async (connection, flags, id?: string) => {
      const releases = await allReleases(connection.pool);
      if (id === undefined) return releases.map(summary);
      const release = findRelease(releases, id);
      if (release === undefined) throw new Error(`There is no release "${id}".`);
      return show(connection, release, flags);
    },
  );
}

/** In milliseconds: a release reads much source data. */
const READ_LIMIT = 300_000;

function build(
  { change, historyStart }: Connection,
  draft: { month: number; note: string | null },
): Promise<ReleaseRow> {
  return change(async ({ db }) => {
    await db.query(`set transaction isolation level repeatable read; set local statement_timeout = ${READ_LIMIT}`);
    return draftRelease(db, { historyStart, ...draft });
  });
}

function readMonth(text: string | undefined): number {
  const now = monthOf(Date.now());
  if (text === undefined) return now;
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(text))
    throw new InvalidArgumentError(`"${text}" is not a month, such as 2026-11.`);
  const month = parseMonth(text);
  if (month > now) throw new InvalidArgumentError(`${text} has not begun.`);
  return month;
}

const summary = (release: ReleaseRow) => ({
  release: releaseId(release),
  state: release.published_at === null ? 'draft' : 'published',
  published_at: release.published_at,
  note: release.note,
  digest: release.digest,
});

async function show({ pool }: Connection, release: ReleaseRow, flags: OutputOptions): Promise<Result> {
  const { series, citiesWithoutSeries: without } = await readRelease(pool, release);
  if (flags.json) return { ...summary(release), series, cities_without_series: without };
  printOne(summary(release), flags);
  printRows(series.map(line), flags);
  if (without.length > 0) printRows(without, flags);
}

/** Values at the last point. */
function line({ kind, series_version, city, points, chain_drift_pct, withheld_periods }: Series) {
  const last = points.at(-1);
  return {
    kind,
    version: series_version,
    of: city ?? 'national',
    points: points.length,
    last: last?.period,
    index: last?.[SERIES_KINDS[kind].index_name],
    interval: last?.interval ? `${last.interval.low} to ${last.interval.high}` : null,
    change_pct: last?.change_pct,
    change_year_pct: last?.change_year_pct,
    sample_size: last?.sample_size,
    neighborhoods: last?.matched_neighborhoods,
    drift_pct: chain_drift_pct,
    withheld: withheld_periods.length,
  };
}
