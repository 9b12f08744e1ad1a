import { hash } from 'node:crypto';
import { RequestError } from '#domain/errors.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';

/** Messages at once. */
export const SENDING_BURST = 20;

/**
 * Messages in any hour that organizations can cause, of one organization and to one receiving host, whatever endpoints
 * they delete and create. Many organizations have mailboxes at one host.
 */
export const SENDING_LIMITS = {
  test: { organization: 60, host: 60 },
  replay: { organization: 600, host: 600 },
  mail: { organization: 60, host: 600 },
} as const;

const HOUR_MS = 3_600_000;

/** After a burst, the rest of the hour's messages at regular intervals. */
const intervalMs = (perHour: number): number => HOUR_MS / (perHour - SENDING_BURST);

interface OutgoingMessage {
  kind: keyof typeof SENDING_LIMITS;
  organizationId: number;
  host: string;
  now: Date;
}

interface Reservation {
  patienceMs: number;
  count?: number;
}

/** After `burst` events at once, one per interval. */
interface Pace {
  burst: number;
  intervalMs: number;
}

const paceOf = (perHour: number): Pace => ({ burst: SENDING_BURST, intervalMs: intervalMs(perHour) });

/**
 * Reserves `count` events, or none if the last of them had to wait for more than `patienceMs`.
 * @returns milliseconds after which the last may happen, negative during a burst; null if none is reserved
 */
async function reserve(
  db: Queryable,
  { kind, now }: { kind: string; now: Date },
  subject: string,
  { burst, intervalMs }: Pace,
  { patienceMs, count = 1 }: Reservation,
): Promise<number | null> {
  const at = now.getTime();
  const burstMs = burst * intervalMs;
  const found = await sql.queryRow(
    db,
    { free_at: sql.timestamp },
    `insert into sending_limits as l (kind, subject, free_at) values ($1, $2, $4)
     on conflict (kind, subject) do update
       set free_at = greatest(l.free_at, $3::timestamptz) + ($4::timestamptz - $3::timestamptz)
       where greatest(l.free_at, $3::timestamptz) + ($4::timestamptz - $3::timestamptz) <= $5
     returning free_at`,
    [kind, subject, now, new Date(at + count * intervalMs), new Date(at + burstMs + patienceMs)],
  );
  return found && found.free_at.getTime() - at - burstMs;
}

/** Reserves first for the organization: what exceeds its limit does not count against the host, which others share. */
async function reserveBoth(db: Queryable, sending: OutgoingMessage, reservation: Reservation): Promise<number | null> {
  const { organization, host } = SENDING_LIMITS[sending.kind];
  const first = await reserve(db, sending, `organization ${sending.organizationId}`, paceOf(organization), reservation);
  if (first === null) return null;
  const name = sending.host.toLowerCase().replace(/\.$/, '');
  const second = await reserve(db, sending, `host ${name}`, paceOf(host), reservation);
  return second === null ? null : Math.max(first, second);
}

const MAX_WAIT_MS = 24 * HOUR_MS;

/** In the transaction of the request, which a refusal ends. @throws RequestError rate_limited */
export async function requireSending(db: Transaction, sending: OutgoingMessage): Promise<void> {
  const waitMs = (await reserveBoth(db, sending, { patienceMs: MAX_WAIT_MS })) ?? MAX_WAIT_MS;
  if (waitMs > 0) throw refusal(sending, waitMs);
}

/**
 * Reserves up to `most` messages of the next hour, in the transaction of the request, which a refusal ends.
 * @returns when each may be sent
 * @throws RequestError rate_limited if the hour is reserved
 */
export async function reserveTimes(db: Transaction, sending: OutgoingMessage, most: number): Promise<Date[]> {
  const { organization, host } = SENDING_LIMITS[sending.kind];
  const interval = intervalMs(Math.min(organization, host));
  // Reserves nothing, but locks both rows.
  const ahead = (await reserveBoth(db, sending, { patienceMs: MAX_WAIT_MS, count: 0 })) ?? MAX_WAIT_MS;
  const count = Math.min(most, Math.floor((HOUR_MS - ahead) / interval));
  if (count < 1) throw refusal(sending, ahead + interval - HOUR_MS);
  await reserveBoth(db, sending, { patienceMs: HOUR_MS, count });
  return Array.from({ length: count }, (_, index) => {
    return new Date(sending.now.getTime() + Math.max(0, ahead + (index + 1) * interval));
  });
}

const refusal = ({ kind }: OutgoingMessage, waitMs: number): RequestError =>
  new RequestError('rate_limited', {
    message: `An organization, and all organizations together to one host, can send at most ${SENDING_LIMITS[kind].host} of these messages per hour, and ${SENDING_BURST} at once. Retry after the number of seconds in the Retry-After header.`,
    retryAfterS: Math.ceil(waitMs / 1_000),
  });

/** Returns when an email may be sent; null if it must not be sent, because an hour's emails wait already. */
export async function mailTime(db: Queryable, sending: Omit<OutgoingMessage, 'kind'>): Promise<Date | null> {
  const waitMs = await reserveBoth(db, { kind: 'mail', ...sending }, { patienceMs: HOUR_MS });
  return waitMs === null ? null : new Date(sending.now.getTime() + Math.max(0, waitMs));
}

const MINUTE_MS = 60_000;

/** Limits for people and programs without an account: in any interval at most `burst`, because each of them takes one interval. */
export const VISITOR_LIMITS = {
  // Few from one network, so that others cannot use up the links of an address.
  link_sender: { burst: 3, intervalMs: 15 * MINUTE_MS },
  link_address: { burst: 20, intervalMs: HOUR_MS },
  link_network: { burst: 10, intervalMs: HOUR_MS },
  sign_up_network: { burst: 3, intervalMs: 24 * HOUR_MS },
  registration_network: { burst: 120, intervalMs: 20_000 },
  /** Of one network, to one host of redirects. */
  registration_host: { burst: 30, intervalMs: MINUTE_MS },
  trial_network: { burst: 1, intervalMs: 24 * HOUR_MS },
} as const satisfies Readonly<Record<string, Pace>>;

/**
 * Counts an event of an address or network, in the transaction of its effect.
 * @param subject is stored as a digest
 * @param message says what the limit is, and what to do
 * @throws RequestError rate_limited
 */
export async function requireVisitorLimit(
  db: Queryable,
  kind: keyof typeof VISITOR_LIMITS,
  subject: string,
  now: Date,
  message = 'Too many of these requests came from your network. Retry after the number of seconds in the Retry-After header.',
): Promise<void> {
  const pace = VISITOR_LIMITS[kind];
  const name = hash('sha256', subject);
  if ((await reserve(db, { kind, now }, name, pace, { patienceMs: 0 })) !== null) return;
  const { free_at } = await sql.queryOne(
    db,
    { free_at: sql.timestamp },
    'select free_at from sending_limits where kind = $1 and subject = $2',
    [kind, name],
  );
  const waitMs = free_at.getTime() - now.getTime() - (pace.burst - 1) * pace.intervalMs;
  throw new RequestError('rate_limited', { message, retryAfterS: Math.max(1, Math.ceil(waitMs / 1_000)) });
}
