import type pg from 'pg';
import type { Logger } from 'pino';
import { foldText } from '#domain/fold.ts';
import { redactKeys } from './redact.ts';

interface LoggedQuery {
  kind: 'q' | 'sentence';
  text: string;
  results: number;
  /** Words of a sentence without a filter. */
  notUnderstood?: readonly string[];
}

interface LoggedRow {
  kind: LoggedQuery['kind'];
  text: string;
  calls: number;
  empty: number;
  results: number;
  notUnderstood: readonly string[];
}

/** Days that texts are retained. */
export const QUERY_DAYS = 30;

const FLUSH_EVERY_MS = 10_000;
/** Different texts that wait for Postgres. Others are not logged. */
const MAX_WAITING = 5_000;
const MAX_CHARACTERS = 300;

/** Counts search texts by day, without their callers and times. Writes nothing unless it is on. */
export class QueryLog {
  readonly #pool: pg.Pool;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout | null;
  #waiting = new Map<string, LoggedRow>();

  constructor(pool: pg.Pool, logger: Logger, isOn: boolean) {
    this.#pool = pool;
    this.#logger = logger;
    this.#timer = isOn ? setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref() : null;
  }

  add({ kind, text, results, notUnderstood = [] }: LoggedQuery): void {
    const logged = loggedText(text);
    const id = `${kind} ${logged}`;
    const row = this.#waiting.get(id) ?? { kind, text: logged, calls: 0, empty: 0, results: 0, notUnderstood: [] };
    if (this.#timer === null || logged === '' || (row.calls === 0 && this.#waiting.size >= MAX_WAITING)) return;
    this.#waiting.set(id, {
      ...row,
      calls: row.calls + 1,
      empty: row.empty + (results === 0 ? 1 : 0),
      results: Math.max(row.results, results),
      notUnderstood: notUnderstood.map(loggedText),
    });
  }

  /** Texts that cannot be written are dropped. Never throws. */
  async flush(): Promise<void> {
    const rows = [...this.#waiting.values()];
    if (rows.length === 0) return;
    this.#waiting = new Map();
    try {
      await this.#pool.query(
        `insert into query_log as q (day, kind, text, calls, empty, results, not_understood)
         select (now() at time zone 'UTC')::date, kind, text, calls, empty, results, "notUnderstood"
           from json_to_recordset($1) as r (kind text, text text, calls integer, empty integer, results integer, "notUnderstood" text[])
          order by kind, text
         on conflict (day, kind, text) do update set calls = q.calls + excluded.calls, empty = q.empty + excluded.empty,
           results = greatest(q.results, excluded.results), not_understood = excluded.not_understood`,
        [JSON.stringify(rows)],
      );
    } catch (error) {
      this.#logger.warn({ err: error, texts: rows.length }, 'search texts were not logged');
    }
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.flush();
  }
}

/** Folded, without keys, addresses and long numbers, which could be of a person. */
const loggedText = (text: string): string =>
  foldText(redactKeys(text.replaceAll('\0', ' ')))
    .replace(/\S+@\S+/g, '[address]')
    .replace(/\d(?:[\s-]?\d){6,}/g, '[number]')
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
