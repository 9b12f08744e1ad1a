import type pg from 'pg';
import { isoSeconds } from '#domain/timestamps.ts';
import { type AuditedChange, recordAudit } from '#src/accounts/audit.ts';
import type { RandomBytes } from '#src/accounts/keys.ts';
import { mailTime } from '#src/accounts/sending-limits.ts';
import type { Config } from '#src/config.ts';
import { type Mail, queueMails, readOwners } from '#src/mail/outbox.ts';
import * as sql from '#stores/postgres/rows.ts';
import { inTransaction, type Queryable } from '#stores/postgres/transaction.ts';

/** Number of retained failed deliveries at which an endpoint is disabled. */
const MAX_EXHAUSTED = 20;

const CLAIMED_DELIVERY = {
  number: sql.integer,
  claims: sql.integer,
  endpoint: sql.integer,
  organization_id: sql.integer,
  host: sql.text,
  url: sql.text,
  event_id: sql.text,
  event_type: sql.text,
  body: sql.text,
  attempts: sql.integer,
  tries: sql.integer,
  /** Encrypted, newest first. */
  secrets: sql.listOf(sql.bytes),
};
export type ClaimedDelivery = sql.RowOf<typeof CLAIMED_DELIVERY>;

export interface ClaimRequest {
  limit: number;
  perHost: number;
  /** Remaining capacity by host; 1 for a host that is not listed. */
  hosts: ReadonlyMap<string, number>;
  perOrganization: number;
  /** Remaining capacity by organization, where it is lower than `perOrganization`. */
  organizations: ReadonlyMap<number, number>;
  leaseMs: number;
  now: Date;
}

/**
 * In the order of due times, within the capacity of each host and organization, so that unresponsive receivers do not
 * delay others. A delivery without a recorded outcome can be claimed again after `leaseMs`.
 */
export function claimDeliveries(
  db: Queryable,
  { limit, perHost, hosts, perOrganization, organizations, leaseMs, now }: ClaimRequest,
): Promise<ClaimedDelivery[]> {
  return sql.queryRows(db, CLAIMED_DELIVERY, {
    name: 'claim-webhook-deliveries',
    text: `with ready as (
       select d.id, d.due_at, e.host, e.organization_id, row_number() over (partition by e.host order by d.due_at, d.id) as place
         from webhook_endpoints e
         -- An organization without capacity would occupy slots of a host that others share.
         left join unnest($7::bigint[], $8::int[]) as busy (id, capacity) on busy.id = e.organization_id
         cross join lateral (
           select id, due_at from webhook_deliveries
            where endpoint_id = e.id and status = 'pending' and due_at <= $5 and (leased_until > now()) is not true
              and (e.status = 'enabled' or (requested and e.disabled_reason = 'exhausted'))
            order by due_at, id limit $2) d
        where (e.status = 'enabled' or e.disabled_reason = 'exhausted') and coalesce(busy.capacity, 1) > 0
     ), fitting as (
       select r.id, r.due_at, r.organization_id,
              row_number() over (partition by r.organization_id order by r.due_at, r.id) as place
         from ready r left join unnest($3::text[], $4::int[]) as known (host, capacity) on known.host = r.host
        where r.place <= coalesce(known.capacity, 1)
     ), chosen as (
       select f.id from fitting f left join unnest($7::bigint[], $8::int[]) as busy (id, capacity) on busy.id = f.organization_id
        where f.place <= coalesce(busy.capacity, $9) order by f.due_at, f.id limit $1
     ), locked as (
       select id from webhook_deliveries where id in (select id from chosen) and status = 'pending' and due_at <= $5
          and (leased_until > now()) is not true for no key update skip locked
     )
     -- Releases without leased_until read due_at as the end of the lease.
     update webhook_deliveries d set due_at = $5 + $6 * interval '1 ms', leased_until = now() + $6 * interval '1 ms',
            claims = claims + 1
       from locked l, webhook_endpoints e where d.id = l.id and e.id = d.endpoint_id
     returning d.id as number, d.claims, d.endpoint_id as endpoint, e.organization_id, e.host, e.url, d.event_id, d.event_type,
               d.body, d.attempts, d.tries, case when e.previous_secret_until > $5 then array[e.secret, e.previous_secret]
                                                 else array[e.secret] end as secrets`,
    values: [
      limit,
      perHost,
      [...hosts.keys()],
      [...hosts.values()],
      now,
      leaseMs,
      [...organizations.keys()],
      [...organizations.values()],
      perOrganization,
    ],
  });
}

export interface DeliveryOutcome {
  delivery: ClaimedDelivery;
  status: 'pending' | 'delivered' | 'failed';
  /** Time of the next attempt, if the status is `pending`. */
  dueAt: Date;
  at: Date;
  answer: number | null;
  durationMs: number;
  error: string | null;
  reply: string;
}

/** Host with port. Emails omit the path, which may contain a secret. */
const DISABLED_ENDPOINT = { id: sql.text, organization_id: sql.integer, host: sql.text };
export type DisabledEndpoint = sql.RowOf<typeof DISABLED_ENDPOINT>;

type MailSender = Pick<Config, 'serviceName' | 'siteUrl'>;

/**
 * Ignores attempts whose lease has expired. Disables endpoints with too many failed deliveries.
 * @param sender service shown in emails to owners; null sends no email
 * @returns the disabled endpoints
 */
export function settleDeliveries(
  pool: pg.Pool,
  random: RandomBytes,
  settled: readonly DeliveryOutcome[],
  now: Date,
  sender: MailSender | null = null,
): Promise<DisabledEndpoint[]> {
  return inTransaction(pool, async (db) => {
    // In the order of ids, to prevent deadlocks.
    await db.query('select from webhook_endpoints where id = any ($1::bigint[]) order by id for no key update', [
      [...new Set(settled.map(({ delivery }) => delivery.endpoint))],
    ]);
    const counted = await sql.queryRows(
      db,
      { failing: sql.nullable(sql.integer) },
      {
        name: 'settle-webhook-deliveries',
        text: `with settled as (
         select * from json_to_recordset($1::json) as s (id bigint, claims int, status text, "dueAt" timestamptz,
           at timestamptz, answer int, "durationMs" int, error text, reply text)
       ), updated as (
         update webhook_deliveries d
            set status = s.status, due_at = s."dueAt", leased_until = null, attempts = attempts + 1, tries = tries + 1,
                finished_at = case when s.status <> 'pending' then s.at end
           from settled s where d.id = s.id and d.claims = s.claims and d.status = 'pending'
         returning d.id, d.endpoint_id, d.attempts, d.status
       ), logged as (
         insert into webhook_attempts (delivery_id, number, at, status, duration_ms, error, reply)
         select u.id, u.attempts, s.at, s.answer, s."durationMs", s.error, s.reply from updated u join settled s on s.id = u.id
       ), counted as (
         select endpoint_id, count(*) filter (where status = 'delivered') as delivered,
                count(*) filter (where status = 'failed') as failed
           from updated where status <> 'pending' group by endpoint_id
       )
       update webhook_endpoints e set delivered = e.delivered + c.delivered, failed = e.failed + c.failed
         from counted c where e.id = c.endpoint_id
       returning case when c.failed > 0 then e.id end as failing`,
        values: [
          JSON.stringify(
            settled.map(({ delivery: { number: id, claims }, ...outcome }) => ({ id, claims, ...outcome })),
          ),
        ],
      },
    );
    const disabled = await sql.queryRows(
      db,
      DISABLED_ENDPOINT,
      `update webhook_endpoints e set status = 'disabled', disabled_reason = 'exhausted', disabled_at = $3
        where e.id = any ($1::bigint[]) and e.status = 'enabled'
          and (select count(*) from webhook_deliveries d
                where d.endpoint_id = e.id and d.status = 'failed' and d.finished_at >= e.enabled_at) >= $2
        returning e.public_id as id, e.organization_id, e.host`,
      [counted.flatMap(({ failing }) => failing ?? []), MAX_EXHAUSTED, now],
    );
    const change: AuditedChange = { db, random, actor: { type: 'system', id: null, requestId: null } };
    for (const endpoint of disabled) {
      const details = { reason: 'exhausted', failed_deliveries: MAX_EXHAUSTED };
      await recordAudit(change, endpoint.organization_id, 'webhook.disabled', endpoint.id, details);
      if (!sender) continue;
      const owners = await readOwners(db, endpoint.organization_id);
      for (const mail of disabledMails(endpoint, owners, sender, now)) {
        const host = mail.recipient.slice(mail.recipient.lastIndexOf('@') + 1);
        const dueAt = await mailTime(db, { organizationId: endpoint.organization_id, host, now });
        if (dueAt) await queueMails(db, [mail], now, dueAt);
      }
    }
    return disabled;
  });
}

function disabledMails(
  { id, host }: DisabledEndpoint,
  owners: readonly string[],
  { serviceName, siteUrl }: MailSender,
  now: Date,
): Mail[] {
  const at = isoSeconds(now);
  return owners.map((recipient) => ({
    // Owners receive another email if the endpoint fails again.
    reason: `webhook.disabled ${id} ${at}`,
    recipient,
    subject: `${serviceName}: webhook endpoint ${id} was disabled`,
    body: `The webhook endpoint ${id} at ${host} was disabled at ${at}.

${MAX_EXHAUSTED} deliveries failed after all their attempts. No deliveries are sent until it is enabled again. No event is
lost: new events wait, and failed deliveries can be replayed.

1. Read the responses of the receiver: GET /v1/organization/webhooks/${id}/deliveries?status=failed
2. Fix the receiver. Test events and replays are still sent.
3. Contact us to enable the endpoint.

${siteUrl}
`,
  }));
}
