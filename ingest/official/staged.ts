import type pg from 'pg';
import { boolean, integer, nullable, number, queryOne, queryRows, type RowOf, text } from '#stores/postgres/rows.ts';
import { type Transaction, transact } from '#stores/postgres/transaction.ts';
import { copyIn, copyNumber, copyText } from '../postgres/copy-in.ts';
import { saveAccepted } from '../postgres/save-accepted.ts';
import type { FileReport } from './file-report.ts';
import type { RejectLines, ReleaseFormat } from './official-file.ts';
import type { ReadRow } from './read.ts';

/** Number of rows that are stored together. */
const BATCH = 1_000;
/** Maximum number of rejects stored per file and check. */
const MAX_REJECTS = 1_000;
/** Minimum number of transactions in a file for rejecting quarters with fewer than 1% of them. */
const STRAYS_FROM = 200;

const QUARTER = {
  scope: text,
  quarter: integer,
  rows: integer,
  /** Number of rows that no rule excludes. */
  served: integer,
  last_day: nullable(text),
  /** Whether the file states land-use classes, which files of single cities do not. */
  names_classes: boolean,
  digest: text,
  /** Number of deeds or contracts; null if not stated. */
  deeds: nullable(number),
  /** Number of rows with a stated mean price, and how many of these have a mean outside their stated bounds. */
  means: integer,
  out_of_bounds: integer,
  /** Median ratio of `value / area` to the stated mean price. Null if no mean is stated. */
  mean_ratio: nullable(number),
};
export type StagedQuarter = RowOf<typeof QUARTER>;

const copyValue = (value: string | number | null): string =>
  typeof value === 'number' ? copyNumber(value) : copyText(value);

/** The rows of a file in a temporary table. Rejects are counted in the report. */
export class StagedRows {
  readonly #db: pg.PoolClient;
  readonly #format: ReleaseFormat;
  readonly #report: FileReport;
  readonly #columns: readonly string[];

  constructor(db: pg.PoolClient, format: ReleaseFormat, report: FileReport) {
    this.#db = db;
    this.#format = format;
    this.#report = report;
    this.#columns = Object.keys(format.columns);
  }

  /**
   * Reads rows into the table.
   * @param onBatch may throw to stop
   * @returns the number of rows with an ambiguous column, by column
   */
  async fill(rows: AsyncIterable<ReadRow>, onBatch: (rows: number) => void): Promise<Record<string, number>> {
    const report = this.#report;
    const definitions = Object.entries(this.#format.columns).map(([column, type]) => `${column} ${type}`);
    await this.#db.query(
      `drop table if exists staged; create temp table staged (line integer, scope text, ${definitions.join(', ')})`,
    );
    let taken: { line: number; text: string }[] = [];
    let rejects: string[] = [];
    let kept = 0;
    const ambiguous: Record<string, number> = {};
    const reject = (line: number, reason: string, detail: string): void => {
      this.#countReject(reason);
      if (kept++ < MAX_REJECTS) rejects.push(`${report.id}\t${line}\t${copyText(reason)}\t${copyText(detail)}`);
    };
    const save = (part: readonly { text: string }[]): Promise<void> =>
      copyIn(
        this.#db,
        `staged (line, scope, ${this.#columns.join(', ')})`,
        part.map((row) => row.text),
      );
    const saveBatch = async (): Promise<void> => {
      await transact(this.#db, (db) =>
        // The reason of Postgres contains the value, which may be a deed number.
        saveAccepted(db, taken, save, ({ line }) => {
          report.taken -= 1;
          reject(line, 'refused_by_store', 'Postgres does not accept a value of the row');
        }),
      );
      await copyIn(this.#db, 'official_rejects (file_id, line, reason, detail)', rejects);
      taken = [];
      rejects = [];
      onBatch(report.rows);
    };
    for await (const row of rows) {
      report.rows += 1;
      if ('taken' in row) {
        report.taken += 1;
        const column = row.taken.ambiguous;
        if (column !== null) ambiguous[column] = (ambiguous[column] ?? 0) + 1;
        const values = row.taken.values.map(copyValue).join('\t');
        taken.push({ line: row.line, text: `${row.line}\t${copyText(row.taken.scope)}\t${values}` });
      } else reject(row.line, row.reason, row.detail);
      if (report.rows % BATCH === 0) await saveBatch();
    }
    await saveBatch();
    await this.#db.query('analyze staged');
    return ambiguous;
  }

  drop(): Promise<unknown> {
    return this.#db.query('drop table staged');
  }

  medianRatio(): Promise<{ rows: number; median: number | null }> {
    return queryOne(
      this.#db,
      { rows: integer, median: nullable(number) },
      `select count(*) as rows,
              percentile_cont(0.5) within group (order by ${this.#format.ratio?.sql ?? 'null::float8'}) as median
         from staged`,
    );
  }

  /** Returns the number of repeated rows, keyed by `scope quarter`. */
  async repeated(): Promise<Map<string, number>> {
    const rows = await queryRows(
      this.#db,
      { scope: text, quarter: integer, repeated: integer },
      `select scope, quarter, sum(n - 1)::integer as repeated
         from (select scope, quarter, count(*) as n from staged group by scope, ${this.#columns.join(', ')}) c
        group by 1, 2 having sum(n - 1) > 0`,
    );
    return new Map(rows.map(({ scope, quarter, repeated }) => [`${scope} ${quarter}`, repeated]));
  }

  /**
   * Rejects repeated rows. Different transactions with equal identities get consecutive keys in an order that does not
   * depend on their positions in the file.
   */
  async settleRepeats(db: Transaction): Promise<void> {
    const { unique, kind } = this.#format;
    if (unique.length === 0) return;
    const identity = asText(unique);
    const repeated = kind === 'transactions' ? this.#columns : unique;
    await db.query(`drop table if exists repeats; create temp table repeats on commit drop as
      select line, row_number() over (partition by ${repeated.join(', ')} order by line) as copy
        from staged where (${identity}) in (select ${identity} from staged group by ${identity} having count(*) > 1)`);
    await this.#reject('repeated_row', 'the row repeats an earlier row', 'select line from repeats where copy > 1');
    if (kind !== 'transactions') return;
    await db.query(
      `update staged s set key = s.key + n.place - 1
         from (select line, row_number() over (partition by key order by day, price_sar, area_sqm, ministry_district_ar, line) as place
                 from staged where line in (select line from repeats)) n
        where n.line = s.line and n.place > 1`,
    );
  }

  /** Rejects rows dated outside the quarters of the file. Served and excluded transactions are counted separately. */
  async rejectStrays(served: string): Promise<void> {
    if (this.#format.day === undefined) return;
    const isFew = (count: string, all: string): string => `${all} >= ${STRAYS_FROM} and ${count} * 100 < ${all}`;
    await this.#reject(
      'outside_quarter',
      'the date is outside the quarters of the file',
      `select line from staged where quarter in (
         select quarter from (
           select quarter, served, deals, sum(served) over () as all_served, sum(deals) over () as all_deals from (
             select quarter, count(*) filter (where ${served}) as served, count(*) as deals from staged group by quarter) c) q
          where case when served > 0 then ${isFew('served', 'all_served')} else ${isFew('deals', 'all_deals')} end)`,
    );
  }

  readonly rejectLines: RejectLines = (reason, detail, lines) => this.#reject(reason, detail, lines);

  /** @param served SQL for rows that no rule excludes */
  quarters(served: string): Promise<StagedQuarter[]> {
    const { kind, day, deeds, means } = this.#format;
    const bounds = means
      ? `count(${means.mean})::integer as means,
         count(*) filter (where ${means.mean} > ${means.max} * 1.001 or ${means.mean} < ${means.min} * 0.999)::integer as out_of_bounds,
         percentile_cont(0.5) within group (order by ${means.ofRow} / nullif(${means.mean}, 0)) as mean_ratio`
      : '0 as means, 0 as out_of_bounds, null::float8 as mean_ratio';
    return queryRows(
      this.#db,
      QUARTER,
      `select scope, quarter, count(*)::integer as rows, (count(*) filter (where ${served}))::integer as served,
              ${day === undefined ? 'null' : `(max(${day}) filter (where ${served}))::text`} as last_day,
              ${kind === 'transactions' ? `bool_or(land_use_class <> 'other')` : 'true'} as names_classes,
              count(*) || ':' || sum(hashtextextended(concat_ws('|', ${asText(this.#columns)}), 0)::numeric) as digest,
              ${deeds === undefined ? 'null' : `sum(${deeds})`}::float8 as deeds, ${bounds}
         from staged group by scope, quarter order by scope, quarter`,
    );
  }

  #countReject(reason: string, count = 1): void {
    this.#report.rejected[reason] = (this.#report.rejected[reason] ?? 0) + count;
  }

  /** @param lines of the rows, or SQL that selects them */
  async #reject(reason: string, detail: string, lines: string | readonly number[]): Promise<void> {
    const [selected, values] = typeof lines === 'string' ? [lines, []] : ['select unnest($4::int[])', [lines]];
    const { count } = await queryOne(
      this.#db,
      { count: integer },
      `with gone as (delete from staged where line in (${selected}) returning line),
            kept as (insert into official_rejects (file_id, line, reason, detail)
                     select $1, line, $2, $3 from gone order by line limit ${MAX_REJECTS} on conflict do nothing)
       select count(*) as count from gone`,
      [this.#report.id, reason, detail, ...values],
    );
    if (count === 0) return;
    this.#report.taken -= count;
    this.#countReject(reason, count);
  }
}

const asText = (names: readonly string[]): string => names.map((name) => `coalesce(${name}::text, '')`).join(', ');
