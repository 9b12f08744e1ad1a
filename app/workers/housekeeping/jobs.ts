import type pg from 'pg';
import { EVENT_DAYS } from '#domain/listings/events.ts';
import { unitMonth } from '#domain/months.ts';
import type { RandomBytes } from '#src/accounts/keys.ts';
import { CLOSED_DAYS, changeOrganization, lockOrganization } from '#src/accounts/organization-store.ts';
import { RECORD_DAYS } from '#src/exports/store.ts';
import { MAIL_DAYS } from '#src/mail/outbox.ts';
import { QUERY_DAYS } from '#src/observability/query-log.ts';
import { DELIVERY_DAYS } from '#src/webhooks/deliveries.ts';
import type { Job } from '#stores/postgres/job.ts';
import * as sql from '#stores/postgres/rows.ts';
import { transact } from '#stores/postgres/transaction.ts';

/** Rows per statement: few, so that locks are held briefly. */
const BATCH = 5_000;

async function deleteAll(db: pg.ClientBase, statement: (limit: string) => string, values: unknown[]): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await db.query(statement(`limit ${BATCH}`), values);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return deleted;
  }
}

function deleteRows(db: pg.ClientBase, table: string, condition: string, values: unknown[]): Promise<number> {
  const statement = (limit: string) =>
    `delete from ${table} where ctid = any (array(select ctid from ${table} where ${condition} ${limit}))`;
  return deleteAll(db, statement, values);
}

/** Partitions have rows with equal places. */
function deleteRequestLogs(db: pg.ClientBase, condition: string, values: unknown[]): Promise<number> {
  const statement = (limit: string) =>
    `delete from request_logs where (at, id) in (select at, id from request_logs where ${condition} ${limit})`;
  return deleteAll(db, statement, values);
}

/** Rows whose column has a time at least this many days ago. */
interface Expired {
  column: string;
  days: number;
  /** Further condition; all rows by default. */
  where?: string;
}

const deleteExpired = (
  db: pg.ClientBase,
  table: string,
  { column, days, where = 'true' }: Expired,
  now: Date,
): Promise<number> =>
  deleteRows(db, table, `${where} and ${column} <= $1::timestamptz - make_interval(days => $2)`, [now, days]);

const expire = (name: string, schedule: string, table: string, expired: Expired): Job => ({
  name,
  schedule,
  run: async (db, now) => ({ deleted: await deleteExpired(db, table, expired, now) }),
});

export const expireIdempotencyRecords = expire('expire-idempotency-records', '7 * * * *', 'idempotency_records', {
  column: 'created_at',
  days: 1,
});

/** Pending deliveries are retained until they complete. */
const expireWebhookDeliveries = expire('expire-webhook-deliveries', '7 4 * * *', 'webhook_deliveries', {
  column: 'finished_at',
  days: DELIVERY_DAYS,
  where: "status <> 'pending'",
});

/** Emails are deleted because they contain addresses. */
export const expireMails = expire('expire-mails', '22 4 * * *', 'mails', { column: 'finished_at', days: MAIL_DAYS });

/** Mail that expired unsent, links, sessions, and trial keys that were not claimed in a month. */
export const expireSignIn: Job = {
  name: 'expire-sign-in',
  schedule: '27 4 * * *',
  run: async (db, now) => ({
    mails: await deleteRows(db, 'mails', 'finished_at is null and expires_at <= $1', [now]),
    links: await deleteRows(db, 'sign_in_links', 'expires_at <= $1', [now]),
    sessions: await deleteRows(db, 'sessions', `expires_at <= $1 or seen_at <= $1::timestamptz - interval '12 hours'`, [
      now,
    ]),
    trials: await deleteRows(
      db,
      'api_keys',
      `id in (select key_id from trial_keys where claimed_at is null and expires_at <= $1::timestamptz - interval '30 days')`,
      [now],
    ),
  }),
};

/** A week later, so that a client with an old token receives the error for an expired one. */
const expireOauth = expire('expire-oauth', '52 4 * * *', 'oauth_records', { column: 'expires_at', days: 7 });
export const expireQueryLog = expire('expire-query-log', '2 4 * * *', 'query_log', { column: 'day', days: QUERY_DAYS });

/** The files of an export expire earlier. */
const expireExportRecords = expire('expire-export-records', '57 3 * * *', 'exports', {
  column: 'created_at',
  days: RECORD_DAYS,
  where: "status not in ('queued', 'running')",
});

export const expireRequestLogs: Job = {
  name: 'expire-request-logs',
  schedule: '17 2 * * *',
  run: async (db, now) => {
    const organizations = await sql.queryRows(
      db,
      { id: sql.integer, days: sql.integer },
      'select id, log_retention_days as days from organizations where log_retention_days < 90',
    );
    let deleted = 0;
    for (const { id, days } of organizations) {
      const condition = 'organization_id = $1 and at < $2::timestamptz - make_interval(days => $3)';
      deleted += await deleteRequestLogs(db, condition, [id, now, days]);
    }
    return { deleted };
  },
};

/** Creates the partitions of this month and the next two; drops those past the longest retention. */
export const rollRequestLogPartitions: Job = {
  name: 'roll-request-log-partitions',
  schedule: '27 1 * * *',
  run: async (db, now) => {
    await db.query(
      `select ensure_request_log_partition((($1::timestamptz at time zone 'UTC') + make_interval(months => m))::date)
         from generate_series(0, 2) m`,
      [now],
    );
    const partitions = await sql.queryRows(
      db,
      { name: sql.text },
      `select c.relname as name from pg_inherits i
         join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
        where p.relname = 'request_logs' and c.relname ~ '^request_logs_[0-9]{4}_[0-9]{2}$'
          and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month'
              <= ($1::timestamptz at time zone 'UTC') - interval '91 days'`,
      [now],
    );
    // `drop table` waits for readers and blocks writers. After a timeout, it runs again the next day.
    await db.query("set lock_timeout = '5s'");
    for (const { name } of partitions) await db.query(`drop table "${name}"`);
    return { dropped: partitions.length };
  },
};

/**
 * Deletes unit counters after two years, rates after an hour, idle sending limits, listings read after a day, and usage
 * that the API cannot return.
 */
export const expireCounters: Job = {
  name: 'expire-counters',
  schedule: '37 3 * * *',
  run: async (db, now) => {
    const counters = await db.query('delete from unit_counters where month < $1 or month between 10000000 and $2', [
      unitMonth(now) - 200,
      // Counters of trial keys have days.
      unitMonth(now) * 100 - 1,
    ]);
    const windows = await db.query('delete from rate_windows where second < $1', [
      Math.floor(now.getTime() / 1000) - 3_600,
    ]);
    const usage = await db.query(
      "delete from usage_days where day < ($1::timestamptz at time zone 'UTC')::date - 400",
      [now],
    );
    await db.query('delete from sending_limits where free_at < $1', [now]);
    const reads = await db.query("delete from listing_reads where day < ($1::timestamptz at time zone 'UTC')::date", [
      now,
    ]);
    return {
      counters: counters.rowCount ?? 0,
      windows: windows.rowCount ?? 0,
      usage: usage.rowCount ?? 0,
      reads: reads.rowCount ?? 0,
    };
  },
};

/** The export files of these organizations have expired before. */
export const deleteClosedOrganizations: Job = {
  name: 'delete-closed-organizations',
  schedule: '2 3 * * *',
  run: async (db, now) => {
    const closed = await sql.queryRows(
      db,
      { id: sql.integer },
      'select id from organizations where closed_at <= $1::timestamptz - make_interval(days => $2)',
      [now, CLOSED_DAYS],
    );
    for (const { id } of closed) {
      await deleteRequestLogs(db, 'organization_id = $1', [id]);
      await db.query(
        `delete from unit_counters where subject in ('organization', 'tests') and subject_id = $1
            or subject = 'project' and subject_id in (select id from projects where organization_id = $1)
            or subject = 'key' and subject_id in (select id from api_keys where organization_id = $1)`,
        [id],
      );
      await db.query('delete from organizations where id = $1 and closed_at is not null', [id]);
    }
    return { organizations: closed.length };
  },
};

/** Begins the plans that organizations have chosen for this month. */
export const applyPlans = (random: RandomBytes): Job => ({
  name: 'apply-plans',
  schedule: '1 * * * *',
  run: async (db, now) => {
    const due = await sql.queryRows(
      db,
      { id: sql.integer, plan: sql.text },
      'select id, next_plan as plan from organizations where next_plan_from <= $1',
      [now],
    );
    for (const { id, plan } of due)
      await transact(db, async (transaction) => {
        await lockOrganization(transaction, id);
        const change = { db: transaction, random, actor: { type: 'system', id: null, requestId: null } } as const;
        await changeOrganization(change, id, { plan, next_plan: null, next_plan_from: null });
      });
    return { plans: due.length };
  },
});

/** There may be too much for the request that deletes an endpoint. */
export const removeWebhookHistory: Job = {
  name: 'remove-webhook-history',
  schedule: '32 * * * *',
  run: async (db) => {
    const removed = await sql.queryRows(db, { endpoint_id: sql.integer }, 'select endpoint_id from webhook_remains');
    let deleted = 0;
    for (const { endpoint_id } of removed) {
      deleted += await deleteRows(db, 'webhook_deliveries', 'endpoint_id = $1', [endpoint_id]);
      await db.query('delete from webhook_remains where endpoint_id = $1', [endpoint_id]);
    }
    return { endpoints: removed.length, deleted };
  },
};

/** Days after rejects last occurred. */
const REJECT_DAYS = 90;
/** Days after which only the last price of a withdrawn listing is retained. Live listings keep all. */
const PRICE_DAYS = 400;

/**
 * Endpoints not matched with the deleted events are marked: retaining events for them would let the table grow without
 * bound.
 */
export const expireIngestRecords: Job = {
  name: 'expire-ingest-records',
  schedule: '12 4 * * *',
  run: async (db, now) => ({
    rejects: await deleteExpired(db, 'ingest_rejects', { column: 'at', days: REJECT_DAYS }, now),
    ...(await expireEvents(db, now)),
    prices: await deleteAll(
      db,
      // The history of a returning listing continues from its last price.
      (limit) => `delete from listing_prices where ctid = any (array(
         select p.ctid from listings l join listing_prices p on p.listing_id = l.id
          where l.withdrawn_at < $1::timestamptz - make_interval(days => $2)
            and exists (select from listing_prices n where n.listing_id = p.listing_id and n.at > p.at) ${limit}))`,
      [now, PRICE_DAYS],
    ),
  }),
};

/**
 * Before events are deleted, the position is recorded after which changes are complete.
 * @returns numbers of events, and of endpoints that were not matched with all of them
 */
async function expireEvents(db: pg.ClientBase, now: Date): Promise<{ behind: number; events: number }> {
  const last = 'select max(id) as id from ingest_runs where at < $1::timestamptz - make_interval(days => $2)';
  const { id } = await sql.queryOne(db, { id: sql.nullable(sql.integer) }, last, [now, EVENT_DAYS]);
  if (id === null) return { behind: 0, events: 0 };
  const { rowCount: behind } = await db.query(
    `update webhook_endpoints w set missed_until = r.at from ingest_runs r
      where r.id = $1 and exists (
        select from listing_events e where (e.run_id, e.listing_id) > (w.matched_run, w.matched_listing) and e.run_id <= r.id)`,
    [id],
  );
  await db.query(
    `update modification_clock set since = greatest(since,
       (select max(position) from listing_events where run_id <= $1))`,
    [id],
  );
  return { behind: behind ?? 0, events: await deleteRows(db, 'listing_events', 'run_id <= $1', [id]) };
}

/** Jobs that need only Postgres. */
export const JOBS: readonly Job[] = [
  deleteClosedOrganizations,
  expireIdempotencyRecords,
  expireRequestLogs,
  rollRequestLogPartitions,
  expireCounters,
  expireWebhookDeliveries,
  removeWebhookHistory,
  expireMails,
  expireSignIn,
  expireOauth,
  expireQueryLog,
  expireExportRecords,
  expireIngestRecords,
];
