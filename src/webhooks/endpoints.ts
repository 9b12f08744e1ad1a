import type { EventType } from '#domain/listings/events.ts';
import type { Records } from '#stores/postgres/records.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';

export const MAX_ENDPOINTS = 25;
/** Events that an endpoint receives per run. It receives the others with later runs, in order. */
export const EVENTS_PER_RUN = 500;

/** The position after the last event of a run, above all listing ids. */
export const RUN_END = Number.MAX_SAFE_INTEGER;

export const ENDPOINT_STATUS = sql.oneOf(['enabled', 'disabled']);

const ENDPOINT = {
  number: sql.integer,
  id: sql.text,
  organization_id: sql.integer,
  url: sql.text,
  event_types: sql.listOf(sql.textAs<EventType>()),
  filters: sql.json<Readonly<Record<string, unknown>>>(),
  status: ENDPOINT_STATUS,
  disabled_reason: sql.nullable(sql.oneOf(['exhausted', 'operator'])),
  disabled_at: sql.nullable(sql.timestamp),
  created_at: sql.timestamp,
  previous_secret_until: sql.nullable(sql.timestamp),
  /** Since the endpoint was enabled, except those that a replay delivered. */
  exhausted: sql.integer,
  delivered: sql.integer,
  failed: sql.integer,
  sequence: sql.integer,
  pending: sql.integer,
  oldest_pending_at: sql.nullable(sql.timestamp),
  /** Whether the endpoint has not been matched with all released events. */
  behind: sql.boolean,
  /** The last event that was deleted before it was matched. */
  missed_until: sql.nullable(sql.timestamp),
};

export type EndpointRecord = sql.RowOf<typeof ENDPOINT>;

export const ENDPOINTS: Records<typeof ENDPOINT> = {
  columns: ENDPOINT,
  select: `e.id as number, e.public_id as id, e.organization_id, e.url, e.event_types, e.filters, e.status, e.disabled_reason,
  e.disabled_at, e.created_at, e.previous_secret_until, e.delivered, e.failed, e.sequence, e.missed_until,
  (select count(*)::int from webhook_deliveries d
    where d.endpoint_id = e.id and d.status = 'failed' and d.finished_at >= e.enabled_at) as exhausted,
  (select count(*)::int from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending') as pending,
  (select min(created_at) from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending') as oldest_pending_at,
  (e.matched_run, e.matched_listing) <
    ((select coalesce(max(id), 0) from ingest_runs where status = 'completed'), ${RUN_END}) as behind`,
  from: 'webhook_endpoints e',
  table: 'e',
};

export interface NewEndpoint {
  id: string;
  organizationId: number;
  url: string;
  host: string;
  eventTypes: readonly EventType[];
  filters: Readonly<Record<string, unknown>>;
  /** Encrypted. */
  secret: Buffer;
  now: Date;
}

/** It receives the events of runs that complete afterwards. */
export async function insertEndpoint(db: Queryable, wanted: NewEndpoint): Promise<void> {
  await db.query(
    `insert into webhook_endpoints (public_id, organization_id, url, host, event_types, filters, secret, created_at,
       enabled_at, matched_run, matched_listing)
     select $1, $2, $3, $4, $5, $6, $7, $8, $8, coalesce(max(id), 0), $9 from ingest_runs where status = 'completed'`,
    [
      wanted.id,
      wanted.organizationId,
      wanted.url,
      wanted.host,
      wanted.eventTypes,
      JSON.stringify(wanted.filters),
      wanted.secret,
      wanted.now,
      RUN_END,
    ],
  );
}

export interface EndpointChanges {
  url?: Pick<NewEndpoint, 'url' | 'host'>;
  eventTypes?: readonly EventType[];
  filters?: NewEndpoint['filters'];
}

export async function changeEndpoint(
  db: Queryable,
  endpoint: number,
  { url, eventTypes, filters }: EndpointChanges,
): Promise<void> {
  await db.query(
    `update webhook_endpoints set url = coalesce($2, url), host = coalesce($3, host),
            event_types = coalesce($4, event_types), filters = coalesce($5::json, filters),
            -- The worker indexes the changed filters before it matches the next events.
            indexed_in = case when $5 is null then indexed_in end where id = $1`,
    [endpoint, url?.url ?? null, url?.host ?? null, eventTypes ?? null, filters ? JSON.stringify(filters) : null],
  );
}

export const countEndpoints = (db: Queryable, organizationId: number): Promise<number> =>
  sql.countRows(db, 'from webhook_endpoints where organization_id = $1', [organizationId]);

/**
 * A housekeeping job deletes its deliveries.
 * @returns false if the endpoint does not exist
 */
export async function deleteEndpoint(db: Queryable, organizationId: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from webhook_endpoints where organization_id = $1 and public_id = $2', [
    organizationId,
    id,
  ]);
  return rowCount === 1;
}
