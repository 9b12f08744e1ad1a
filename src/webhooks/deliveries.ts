import { component } from '#domain/json-schema.ts';
import type { EventType } from '#domain/listings/events.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';

export const STATUSES = component('DeliveryStatus', ['pending', 'delivered', 'failed'] as const);
export type DeliveryStatus = (typeof STATUSES)[number];

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

const COLUMNS = `d.id as number, d.public_id as id, d.sequence, d.event_id, d.event_type, d.listing_id, d.test, d.status,
  d.created_at, d.due_at, d.finished_at, d.attempts,
  coalesce((select json_agg(json_build_object('number', a.number, 'status', a.status, 'duration_ms', a.duration_ms,
              'error', a.error, 'reply', a.reply,
              'at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by a.number desc)
              from (select * from webhook_attempts a where a.delivery_id = d.id
                     order by a.number desc limit ${SHOWN_ATTEMPTS}) a), '[]') as log`;

/** Returns deliveries with sequence numbers below `after`, newest first. */
export function listDeliveries(
  db: Queryable,
  endpoint: number,
  status: DeliveryStatus | null,
  size: number,
  after: number | null,
): Promise<DeliveryRecord[]> {
  return sql.queryRows(
    db,
    DELIVERY,
    `select ${COLUMNS} from webhook_deliveries d
      where d.endpoint_id = $1 and ($2::text is null or d.status = $2) and ($3::bigint is null or d.sequence < $3)
      order by d.sequence desc limit $4`,
    [endpoint, status, after, size],
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

export const countTests = (db: Queryable, endpoint: number, since: Date): Promise<number> =>
  sql.countRows(db, 'from webhook_deliveries where endpoint_id = $1 and test and created_at > $2', [endpoint, since]);

export async function takeSequence(db: Transaction, endpoint: number): Promise<number> {
  const row = await sql.queryOne(
    db,
    { sequence: sql.integer },
    'update webhook_endpoints set sequence = sequence + 1 where id = $1 returning sequence',
    [endpoint],
  );
  return row.sequence;
}

/**
 * Replays completed deliveries with the full retry schedule. Until they complete again, they count neither as delivered
 * nor as failed.
 * @returns number of replayed deliveries
 */
export async function replayDeliveries(
  db: Transaction,
  endpoint: number,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  // Locks are taken in the order of `settleDeliveries`, to prevent deadlocks.
  await db.query('select from webhook_endpoints where id = $1 for no key update', [endpoint]);
  const row = await sql.queryRow(
    db,
    { replayed: sql.integer },
    `with ended as (
       select id, status from webhook_deliveries
        where endpoint_id = $1 and public_id = any ($2::text[]) and status <> 'pending' for no key update
     ), replayed as (
       update webhook_deliveries d set status = 'pending', requested = true, tries = 0, due_at = $3, finished_at = null
         from ended where d.id = ended.id
     ), counted as (
       select count(*) filter (where status = 'delivered') as delivered, count(*) filter (where status = 'failed') as failed from ended
     )
     update webhook_endpoints e set delivered = e.delivered - c.delivered, failed = e.failed - c.failed
       from counted c where e.id = $1 returning c.delivered + c.failed as replayed`,
    [endpoint, ids, now],
  );
  return row?.replayed ?? 0;
}
