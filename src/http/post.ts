import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { lockOrganization } from '#src/accounts/organization-store.ts';
import { requirePermission } from '#src/accounts/roles.ts';
import { type Admitted, chargeInBackground } from '#src/metering/charge-statement.ts';
import type { Services } from '#src/services.ts';
import * as sql from '#stores/postgres/rows.ts';
import { inTransaction, type Queryable, type Transaction } from '#stores/postgres/transaction.ts';
import { costFault, dryRunResponse } from './cost-limits.ts';
import type { CostLimits, Quote } from './cost-parameters.ts';
import type { Endpoint, EndpointResponse } from './endpoint.ts';
import { ApiError, faultError } from './errors/api-error.ts';
import { refusalError } from './errors/refusal.ts';
import { createIdempotency, type Post } from './idempotency.ts';

/** Milliseconds that a call waits for others of its organization before 409 `conflict`. */
const WAIT_LIMIT = 1_500;

/** Lock timeout and deadlock. */
const LOCKED = new Set(['55P03', '40P01']);

export function createPostHandler(services: Services) {
  const waitLimit = services.config.timeoutFactor * WAIT_LIMIT;
  const queues = new OrganizationQueues(waitLimit);
  const { isRepeated, runOnce } = createIdempotency(services);

  const inOneTransaction = (
    post: Post,
    quoted: Promise<Quote | undefined>,
    prepared: Promise<unknown>,
  ): Promise<EndpointResponse> =>
    inTransaction(services.pool, async (transaction) => {
      const { endpoint, call, idempotencyKey } = post;
      await transaction.query(`set local lock_timeout = '${waitLimit}'`);
      const db = await lockOrganization(transaction, call.caller.organization_id);
      await authorize(db, post);
      const effect = async () => {
        const quote = await quoted;
        return quote && limitsOf(post).dry_run ? dryRun(db, post, quote) : endpoint.handle({ ...call, db }, prepared);
      };
      return idempotencyKey === null ? effect() : runOnce(db, idempotencyKey, post, effect);
    }).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && LOCKED.has(error.code ?? '')) throw stillRunning();
      throw error;
    });

  return async (post: Post): Promise<EndpointResponse> => {
    const { endpoint, call, idempotencyKey } = post;
    // Before the queue, so that refused calls delay no others, and again under the lock: permissions may have changed.
    await authorize(services.pool, post);
    const isKnown =
      (endpoint.prepare ?? endpoint.quote) !== undefined &&
      idempotencyKey !== null &&
      (await isRepeated(services.pool, idempotencyKey, post));
    // An effect without its preparation, because the stored response has just expired, is refused.
    const quoted = isKnown ? Promise.reject(stillRunning()) : quoteOf(post);
    const prepared = quoted.then(() => (limitsOf(post).dry_run ? undefined : endpoint.prepare?.(call)));
    await Promise.allSettled([quoted, prepared]);
    return queues.run(call, () => inOneTransaction(post, quoted, prepared));
  };
}

const limitsOf = ({ endpoint, call: { body } }: Post): CostLimits => (endpoint.quote ? (body as CostLimits) : {});

/** @throws ApiError invalid_value if the call can cost more than it may */
async function quoteOf(post: Post): Promise<Quote | undefined> {
  const { endpoint, call } = post;
  const { max_units: most, dry_run: isDryRun } = limitsOf(post);
  if (most === undefined && !isDryRun) return undefined;
  const quote = await endpoint.quote?.(call);
  const fault = quote && costFault(quote, limitsOf(post));
  if (fault) throw faultError([fault], endpoint);
  return quote;
}

async function dryRun(db: Transaction, { endpoint, call }: Post, quote: Quote): Promise<EndpointResponse> {
  const charged = quote.units ? await chargePost(db, endpoint, call, quote.units) : call.caller;
  return { ...dryRunResponse(quote, charged), charged };
}

/** Not for the rate limit. @throws ApiError if quota or caps do not allow the units */
export async function chargePost(
  db: Transaction,
  endpoint: Endpoint,
  call: Post['call'],
  units: number,
): Promise<Admitted> {
  const { caller, services } = call;
  const found = 'select hash from api_keys where id = $1';
  const { hash } = await sql.queryOne(db, { hash: sql.bytes }, found, [caller.key_id]);
  const now = services.clock.chargeTime();
  const charged = await chargeInBackground(db, { keyHash: hash, scope: endpoint.scope, units, now });
  if (charged.outcome !== null) throw refusalError(charged, { call, faults: [] }, endpoint);
  return charged;
}

/** Calls of an organization run one after the other, and wait here without a database connection. */
class OrganizationQueues {
  readonly #queues = new Map<number, { end: Promise<unknown>; calls: number; movedAt: number }>();
  readonly #waitLimit: number;

  constructor(waitLimit: number) {
    this.#waitLimit = waitLimit;
  }

  /** @throws ApiError `conflict` if a call before it takes longer than the limit */
  async run<T>({ caller, deadline }: Post['call'], work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(caller.organization_id) ?? { end: Promise.resolve(), calls: 0, movedAt: 0 };
    this.#queues.set(caller.organization_id, queue);
    const turn = queue.end.then(() => true);
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    queue.end = Promise.all([turn, left]);
    queue.calls++;
    try {
      const timeLeft = (): number => Math.min(queue.movedAt + this.#waitLimit, deadline) - performance.now();
      while (!(await Promise.race([turn, sleep(Math.max(1, timeLeft()), false, { ref: false })])))
        if (timeLeft() <= 0) throw stillRunning();
      queue.movedAt = performance.now();
      return await work();
    } finally {
      leave();
      if (--queue.calls === 0) this.#queues.delete(caller.organization_id);
    }
  }
}

/** @throws RequestError if the caller may not make the call, also if a response is stored for it */
async function authorize(db: Queryable, { endpoint, call }: Post): Promise<void> {
  if (endpoint.permission) await requirePermission(db, call.caller.key_id, endpoint.permission);
  await endpoint.authorize?.({ ...call, db });
}

const stillRunning = (): ApiError =>
  new ApiError('conflict', {
    message: 'A conflicting request is still running. Retry after the number of seconds in the Retry-After header.',
    retryAfterS: 1,
  });
