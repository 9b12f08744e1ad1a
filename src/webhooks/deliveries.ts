import { component } from '#domain/json-schema.ts';
import type { EventType } from '#domain/listings/events.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';

export const STATUSES = component('DeliveryStatus', ['pending', 'delivered', 'failed'] as const);

export const DELIVERY_DAYS = 30;

const ATTEMPT = {
  number: sql.integer,
  at: sql.text,
  /** Null if there was no response. */
  status: sql.nullable(sql.integer),
  duration_ms: sql.integer,
  error: sql.nullable(sql.text),
  reply: sql.text,
};

const DELIVERY = {
  number: sql.integer,
  id: sql.text,
  sequence: sql.integer,
  event_id: sql.text,
  event_type: sql.textAs<EventType>(),
  listing_id: sql.nullable(sql.integer),
  test: sql.boolean,
  status: sql.oneOf(STATUSES),
  body: sql.text,
  created_at: sql.timestamp,
  due_at: sql.timestamp,
  finished_at: sql.nullable(sql.timestamp),
  attempts: sql.integer,
  /** Attempts, newest first. */
  log: sql.listOf(sql.object(ATTEMPT)),
};
export type DeliveryRecord = sql.RowOf<typeof DELIVERY>;

/** Attempts that are shown. Replayed deliveries can have more. */
const SHOWN_ATTEMPTS = 12;

const COLUMNS = `d.id as number, d.public_id as id, d.sequence, d.event_id, d.event_type, d.listing_id, d.test, d.status, d.body,
  d.created_at, d.due_at, d.finished_at, d.attempts,
  coalesce((select json_agg(json_build_object('number', a.number, 'status', a.status, 'duration_ms', a.duration_ms,
              'error', a.error, 'reply', a.reply,
              'at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by a.number desc)
              from (select * from webhook_attempts a where a.delivery_id = d.id
                     order by a.number desc limit ${SHOWN_ATTEMPTS}) a), '[]') as log`;

export interface DeliveryFilters {
  status?: (typeof STATUSES)[number] | undefined;
  event_type?: EventType | undefined;
  /** Earliest time of creation. */
  since?: string | undefined;
  /** Exclusive. */
  until?: string | undefined;
}

/** Returns deliveries with sequence numbers below `after`, newest first. */
export function listDeliveries(
  db: Queryable,
  endpoint: number,
  { status, event_type, since, until }: DeliveryFilters,
  size: number,
  after: number | null,
): Promise<DeliveryRecord[]> {
  return sql.queryRows(
    db,
    DELIVERY,
    `select ${COLUMNS} from webhook_deliveries d
      where d.endpoint_id = $1 and ($2::text is null or d.status = $2) and ($3::bigint is null or d.sequence < $3)
        and ($5::text is null or d.event_type = $5) and ($6::timestamptz is null or d.created_at >= $6)
        and ($7::timestamptz is null or d.created_at < $7)
      order by d.sequence desc limit $4`,
    [endpoint, status ?? null, after, size, event_type ?? null, since ?? null, until ?? null],
  );
}

export function readDelivery(db: Queryable, endpoint: number, id: string): Promise<DeliveryRecord | null> {
  return sql.queryRow(
    db,
    DELIVERY,
    `select ${COLUMNS} from webhook_deliveries d where d.endpoint_id = $1 and d.public_id = $2`,
    [endpoint, id],
  );
}

export interface NewDelivery {
  id: string;
  sequence: number;
  eventId: string;
  eventType: EventType;
  listingId: number | null;
  body: string;
}

export async function insertDeliveries(
  db: Queryable,
  wanted: readonly (NewDelivery & { endpoint: number })[],
  { now, test = false }: { now: Date; test?: boolean },
): Promise<void> {
  await db.query(
    `insert into webhook_deliveries (public_id, endpoint_id, sequence, event_id, event_type, listing_id, body, test, requested,
       created_at, due_at)
     select id, endpoint, sequence, "eventId", "eventType", "listingId", body, $2::boolean, $2, $3::timestamptz, $3
       from json_to_recordset($1::json) as d (id text, endpoint bigint, sequence bigint, "eventId" text, "eventType" text,
         "listingId" bigint, body text)`,
    [JSON.stringify(wanted), test, now],
  );
}

export async function takeSequence(db: Transaction, endpoint: number): Promise<number> {
  const row = await sql.queryOne(
    db,
    { sequence: sql.integer },
    'update webhook_endpoints set sequence = sequence + 1 where id = $1 returning sequence',
    [endpoint],
  );
  return row.sequence;
}

/** An attempt is in flight. */
const LEASED = `(d.status = 'pending' and coalesce(d.leased_until > now(), false))`;

/**
 * Replays deliveries with the full retry schedule, except those in flight. Until they complete again, they count neither
 * as delivered nor as failed.
 * @param dueAt of each; a pending delivery that is due before is not delayed
 * @returns number of replayed deliveries
 */
export async function replayDeliveries(
  db: Transaction,
  endpoint: number,
  ids: readonly string[],
  dueAt: readonly Date[],
): Promise<number> {
  // Locks are taken in the order of `settleDeliveries`, to prevent deadlocks.
  await db.query('select from webhook_endpoints where id = $1 for no key update', [endpoint]);
  const row = await sql.queryRow(
    db,
    { replayed: sql.integer },
    `with wanted as (
       select * from unnest($2::text[], $3::timestamptz[]) as w (public_id, due_at)
     ), ended as (
       select d.id, d.public_id, d.status from webhook_deliveries d
        where d.endpoint_id = $1 and d.public_id = any ($2) and not ${LEASED} for no key update
     ), replayed as (
       update webhook_deliveries d set status = 'pending', requested = true, tries = 0, finished_at = null,
              due_at = case when e.status = 'pending' then least(d.due_at, w.due_at) else w.due_at end
         from ended e join wanted w on w.public_id = e.public_id where d.id = e.id
     ), counted as (
       select count(*) as replayed, count(*) filter (where status = 'delivered') as delivered,
              count(*) filter (where status = 'failed') as failed from ended
     )
     update webhook_endpoints e set delivered = e.delivered - c.delivered, failed = e.failed - c.failed
       from counted c where e.id = $1 returning c.replayed`,
    [endpoint, ids, dueAt],
  );
  return row?.replayed ?? 0;
}

/** Test events count for the host that the endpoint had: none may reach another one. */
export async function endTestDeliveries(db: Transaction, endpoint: number): Promise<void> {
  await db.query(
    `with ended as (
       update webhook_deliveries d set status = 'failed', finished_at = now()
        where endpoint_id = $1 and test and status = 'pending' returning 1
     )
     update webhook_endpoints set failed = failed + (select count(*) from ended) where id = $1`,
    [endpoint],
  );
}

/**
 * Returns the deliveries to recover, oldest first: those that failed, and those that wait after a failed attempt or
 * because failures disabled the endpoint. A recovered delivery is none of these until an attempt fails again.
 * @param since of creation; null for all
 * @returns at most `limit` public ids, and the number of all
 */
export async function findRecoverable(
  db: Queryable,
  endpoint: number,
  since: string | null,
  limit: number,
): Promise<{ ids: string[]; total: number }> {
  const rows = await sql.queryRows(
    db,
    { id: sql.text, total: sql.integer },
    `select d.public_id as id, (count(*) over ())::int as total
       from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      where d.endpoint_id = $1 and ($2::timestamptz is null or d.created_at >= $2) and d.status <> 'delivered' and not ${LEASED}
        and (d.status = 'failed' or d.tries > 0 or (e.status = 'disabled' and not d.requested))
      order by d.sequence limit $3`,
    [endpoint, since, limit],
  );
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}
