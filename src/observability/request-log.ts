import pg from 'pg';
import type { Logger } from 'pino';
import { redactKeys } from './redact.ts';

export interface RequestLogEntry {
  at: Date;
  requestId: string;
  organizationId: number;
  keyId: number;
  method: string;
  /** Path template of the endpoint. */
  route: string;
  /** Query string without credentials. */
  query: string | null;
  operationId: string;
  status: number;
  /** Error code in the response; null if the request succeeded. */
  code: string | null;
  /** Error message in the response. */
  message: string | null;
  param: string | null;
  units: number;
  durationMs: number;
  ip: string | null;
}

/** Returns the result class for usage statistics, for example `429`. */
function resultClass(status: number): string {
  if (status === 429) return '429';
  if (status >= 500) return '5xx';
  return status >= 400 ? '4xx' : '2xx';
}

const FLUSH_EVERY = 1_000;
const FLUSH_AT = 500;
/** Entries buffered while Postgres is unavailable. Billing does not depend on others. */
const MAX_WAITING = 20_000;
/** Maximum for one key, so that it cannot displace the entries of others. */
const MAX_WAITING_OF_KEY = 5_000;

/** Writes request logs and daily usage in batches. */
export class RequestLogWriter {
  readonly #pool: pg.Pool;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  #waiting: RequestLogEntry[] = [];
  #lost = 0;
  #flushing: Promise<void> | null = null;

  constructor(pool: pg.Pool, logger: Logger) {
    this.#pool = pool;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY);
    this.#timer.unref();
  }

  add(entry: RequestLogEntry): void {
    if (this.#isFullFor(entry.keyId)) this.#lost++;
    else this.#waiting.push(entry);
    if (this.#waiting.length === FLUSH_AT) void this.flush();
  }

  #isFullFor(key: number): boolean {
    const { length } = this.#waiting;
    if (length < MAX_WAITING_OF_KEY || length >= MAX_WAITING) return length >= MAX_WAITING;
    return this.#waiting.filter(({ keyId }) => keyId === key).length >= MAX_WAITING_OF_KEY;
  }

  /** Entries that cannot be written remain buffered. Never throws. */
  flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing;
    await this.flush();
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, FLUSH_AT);
      try {
        await writeBatch(this.#pool, batch);
      } catch (error) {
        this.#logger.warn(
          { err: error, waiting: this.#waiting.length, lost: this.#lost },
          'request logs were not written',
        );
        return;
      }
      this.#waiting = this.#waiting.slice(batch.length);
    }
    if (this.#lost > 0) this.#logger.error({ lost: this.#lost }, 'request logs lost while Postgres was unavailable');
    this.#lost = 0;
  }
}

/** A single statement writes all or nothing. */
async function writeBatch(pool: pg.Pool, batch: readonly RequestLogEntry[]): Promise<void> {
  const calls = batch.map((entry) => ({
    ...entry,
    route: clean(entry.route, 200),
    query: entry.query && clean(entry.query, 2_000),
    message: entry.message && clean(entry.message, 1_000),
    param: entry.param && clean(entry.param, 200),
    durationMs: Math.round(entry.durationMs * 100) / 100,
    result: resultClass(entry.status),
  }));
  const insert = {
    name: 'request-logs',
    text: `
      with calls as (
        select at, "requestId" as request_id, "organizationId" as organization_id, "keyId" as key_id, method, route, query,
               "operationId" as operation, status, code, message, param, units, "durationMs" as duration_ms, ip, result
          from json_to_recordset($1::json) as c(
            at timestamptz, "requestId" text, "organizationId" bigint, "keyId" bigint, method text, route text, query text,
            "operationId" text, status smallint, code text, message text, param text, units integer, "durationMs" real, ip inet,
            result text)
      ), logged as (
        insert into request_logs
          (at, request_id, organization_id, key_id, method, route, status, code, units, duration_ms, ip, message, param, query)
        select c.at, c.request_id, c.organization_id, c.key_id, c.method, c.route, c.status, c.code, c.units, c.duration_ms, c.ip,
               case when o.log_request_details then c.message end, case when o.log_request_details then c.param end,
               case when o.log_request_details then c.query end
          from calls c join organizations o on o.id = c.organization_id
        -- A batch that timed out may have been written: existing entries are not counted again.
        on conflict (request_id, at) do nothing
        returning request_id
      ), used as (
        update api_keys k set last_used_at = greatest(k.last_used_at, c.at)
          from (select key_id, max(at) as at from calls group by key_id) c
         where k.id = c.key_id and (k.last_used_at is null or k.last_used_at < c.at - interval '1 minute')
      )
      insert into usage_days as u (organization_id, day, key_id, endpoint, result, requests, units)
      select organization_id, (at at time zone 'UTC')::date, key_id, operation, result, count(*), sum(units)
        from calls join logged using (request_id)
       group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (organization_id, day, key_id, endpoint, result)
        do update set requests = u.requests + excluded.requests, units = u.units + excluded.units`,
    values: [JSON.stringify(calls)],
  };
  try {
    await pool.query(insert);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NO_PARTITION) throw error;
    // A job normally creates the partitions, but no worker may be running.
    const months = [...new Set(batch.map(({ at }) => `${at.toISOString().slice(0, 7)}-01`))];
    await pool.query('select ensure_request_log_partition(month) from unnest($1::date[]) as month', [months]);
    await pool.query(insert);
  }
}

/** Postgres error code (`check_violation`) for a row without a matching partition. */
const NO_PARTITION = '23514';

/** A single invalid row would make the whole batch fail. */
function clean(text: string, length: number): string {
  return redactKeys(text.replaceAll('\0', '\ufffd')).slice(0, length).toWellFormed();
}
