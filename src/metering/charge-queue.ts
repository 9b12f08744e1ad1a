import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { FairQueue, QueueError, type Taken } from '#domain/fair-queue.ts';
import { StoreError } from '#domain/store-error.ts';
import { postgresFailure } from '#postgres/failures.ts';
import { activeSpan, inSpan, runWithin, type Span } from '#tracing/span.ts';
import { chargeCalls } from './batch-charge.ts';
import { type Admitted, type ChargeId, type ChargeRequest, type Refused, takenUnits } from './charge.ts';
import { PendingRefunds, settleRefund } from './pending-refunds.ts';

/** Timeout of a charge in milliseconds, including the time in the queue and the wait for a connection. */
const CHARGE_TIMEOUT_MS = 2_500;
/**
 * Part of `CHARGE_TIMEOUT_MS` that a call may spend in the queue, in milliseconds. The calls in a statement share the
 * earliest deadline, so each call needs time left for the statement.
 */
const QUEUE_TIMEOUT_MS = 1_500;
/**
 * Maximum numbers of calls and callers per charging statement, and of concurrent statements. Charging several calls by
 * one caller costs little more than charging one call. Calls by several callers are charged sequentially within a
 * statement, but in parallel on several connections.
 */
const MAX_CALLS = 32;
const MAX_CALLERS = 4;
const MAX_STATEMENTS = 8;
/** Minimum remaining time to begin a charge, in milliseconds. With less time, the charge would time out. */
const MIN_CHARGE_MS = 200;
/** Maximum time that the response of a failed call is delayed by its refund, in milliseconds. */
const REFUND_WAIT_MS = 500;
/** Maximum number of queued calls, per caller and in total. */
const MAX_WAITING_PER_CALLER = 500;
const MAX_WAITING = 5_000;

export interface ChargesOptions {
  /** Connection pool used only for charges. */
  chargePool: pg.Pool;
  /** Connection pool for refunds. Commits on this pool wait for the disk. */
  pool: pg.Pool;
  logger: Logger;
  /** Returns the current time in epoch milliseconds. */
  now(): number;
  /** Directory for the journal of pending refunds. */
  journalDir: string;
  /** Multiplies all timeouts. */
  timeoutFactor: number;
  /** Called when a call's charge begins, with the call's time in the queue in milliseconds. */
  onBegin?(waitedMs: number): void;
}

interface Call {
  request: ChargeRequest;
  /** Times in milliseconds, as returned by `performance.now()`. */
  queuedAt: number;
  deadline: number;
  /** Span of the request. A statement runs in the span of its first call. */
  span: Span | undefined;
  /** Timeout of the call in the queue. */
  timer?: NodeJS.Timeout;
  resolve(answer: Admitted | Refused): void;
  reject(error: unknown): void;
}

/**
 * Charges and refunds calls, each exactly once. Calls that arrive in the same event loop iteration share statements.
 * A charge that times out is settled, because Postgres may still complete it. Each connection is a session.
 */
export class Charges {
  readonly #chargePool: pg.Pool;
  readonly #pool: pg.Pool;
  readonly #queue: FairQueue<Call>;
  readonly #timeoutFactor: number;
  readonly #onBegin: ((waitedMs: number) => void) | undefined;
  readonly #pendingRefunds: PendingRefunds;
  /** Last charge on each connection. */
  readonly #sessions = new WeakMap<pg.PoolClient, ChargeId>();
  #statements = 0;
  #refundedUnits = 0;
  #isSending = false;

  constructor({ chargePool, pool, logger, now, journalDir, timeoutFactor, onBegin }: ChargesOptions) {
    this.#timeoutFactor = timeoutFactor;
    this.#onBegin = onBegin;
    this.#queue = new FairQueue({ waitingPerName: MAX_WAITING_PER_CALLER, waiting: MAX_WAITING });
    this.#chargePool = chargePool;
    this.#pool = pool;
    this.#pendingRefunds = new PendingRefunds(pool, logger, now, journalDir);
  }

  get pendingRefunds(): number {
    return this.#pendingRefunds.size;
  }

  /** Number of calls waiting to be charged. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Number of units that this process has refunded. */
  get refundedUnits(): number {
    return this.#refundedUnits;
  }

  /** Recovers pending refunds of killed processes. */
  recoverPendingRefunds(): Promise<void> {
    return this.#pendingRefunds.recover();
  }

  /**
   * Authenticates, authorizes and charges a call.
   * @param name queue for the call; queues are served round-robin
   * @throws StoreError if the charge timed out or failed; if Postgres made the charge, it will be refunded
   * @throws QueueError `name_full` if the queue with this name is full
   */
  charge(request: ChargeRequest, name: string): Promise<Admitted | Refused> {
    return inSpan({ name: 'charge', kind: 'internal' }, () => this.#enqueue(request, name));
  }

  async #enqueue(request: ChargeRequest, name: string): Promise<Admitted | Refused> {
    if (this.#pendingRefunds.isFull) throw postgresUnavailable(new Error('too many refunds are pending'));
    const { promise, resolve, reject } = Promise.withResolvers<Admitted | Refused>();
    const queuedAt = performance.now();
    const deadline = queuedAt + this.#timeoutFactor * CHARGE_TIMEOUT_MS;
    const call: Call = { request, queuedAt, deadline, span: activeSpan(), resolve, reject };
    let leave: () => void;
    try {
      leave = this.#queue.add(name, call);
    } catch (error) {
      if (error instanceof QueueError && error.reason === 'name_full') throw error;
      throw postgresUnavailable(error);
    }
    call.timer = setTimeout(() => {
      leave();
      reject(postgresUnavailable(new Error('the charge timed out in the queue')));
    }, this.#timeoutFactor * QUEUE_TIMEOUT_MS);
    this.#send();
    return promise;
  }

  /** Refunds a failed call, either immediately or when Postgres is available again. Never throws. */
  async refund(charged: Admitted): Promise<void> {
    if (charged.units === 0) return;
    this.#refundedUnits += charged.units;
    const refund = { id: charged.id, taken: takenUnits(charged) };
    const settled = settleRefund(this.#pool, refund).then(
      () => true,
      () => false,
    );
    if (!(await Promise.race([settled, sleep(this.#timeoutFactor * REFUND_WAIT_MS, false, { ref: false })])))
      await this.#pendingRefunds.add(refund);
  }

  /** Retries pending refunds and closes their journal. Call this after the last charge, before the pools close. */
  close(): Promise<void> {
    return this.#pendingRefunds.close();
  }

  async #connect(deadline: number): Promise<pg.PoolClient> {
    if (this.#chargePool.idleCount > 0) return this.#chargePool.connect();
    const connecting = this.#chargePool.connect();
    const late = sleep(Math.max(0, deadline - performance.now()), null, { ref: false });
    const client = await Promise.race([connecting, late]);
    if (client) return client;
    // The call has timed out, so the connection is returned to the pool once it is established.
    connecting.then(
      (unused) => unused.release(),
      () => {},
    );
    throw postgresUnavailable(new Error('no connection in time'));
  }

  /** Sends queued calls at the end of the event loop iteration, so that its calls are sent together. */
  #send(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    setImmediate(() => {
      this.#isSending = false;
      while (this.#statements < MAX_STATEMENTS) {
        const taken = this.#queue.take(MAX_CALLS, MAX_CALLERS);
        if (!taken) return;
        const now = performance.now();
        for (const { timer, queuedAt } of taken.items) {
          clearTimeout(timer);
          this.#onBegin?.(now - queuedAt);
        }
        this.#statements++;
        runWithin(taken.items[0]?.span, () => this.#chargeTaken(taken)).finally(() => {
          this.#statements--;
          this.#send();
        });
      }
    });
  }

  /**
   * Charges calls together and resolves each. If Postgres refuses the statement, the calls are charged by caller and
   * then individually, so that an invalid call does not fail or delay calls by other callers.
   */
  async #chargeTaken({ items, done, byName }: Taken<Call>): Promise<void> {
    if (await this.#charge(items)) return done();
    this.#statements += byName.length - 1;
    await Promise.all(
      byName.map(async (caller, at) => {
        const together = byName.length > 1 && (await this.#charge(caller.items));
        if (!together) await this.#chargeEach(caller.items);
        caller.done();
        if (at === 0) return;
        this.#statements--;
        this.#send();
      }),
    );
  }

  /** Charges the calls by one caller sequentially. */
  async #chargeEach(calls: readonly Call[]): Promise<void> {
    for (const call of calls) {
      if (call.deadline - performance.now() > MIN_CHARGE_MS) await this.#charge([call]);
      else call.reject(postgresUnavailable(new Error('no time is left for the charge')));
    }
  }

  /**
   * Charges calls in one statement and resolves each. Never throws.
   * @returns false if Postgres refused a statement for several calls; none of them is then charged or resolved
   */
  async #charge(calls: readonly Call[]): Promise<boolean> {
    const deadline = Math.min(...calls.map((call) => call.deadline));
    let client: pg.PoolClient;
    try {
      client = await this.#connect(deadline);
    } catch (error) {
      for (const { reject } of calls) reject(postgresFailure(error));
      return true;
    }
    const { session, charge: last } = this.#sessions.get(client) ?? { session: randomUUID(), charge: 0 };
    this.#sessions.set(client, { session, charge: last + calls.length });
    try {
      const requests = calls.map(({ request }) => request);
      const timeLimit = Math.max(1, deadline - performance.now());
      const answers = await chargeCalls(client, { session, charge: last + 1 }, requests, timeLimit);
      client.release();
      for (const [at, { resolve }] of calls.entries()) resolve(answers[at] as Admitted | Refused);
    } catch (error) {
      // If Postgres reports an error, the charges are rolled back. After any other error it is unknown whether they
      // were made, so the connection is closed.
      const isRolledBack = error instanceof pg.DatabaseError && error.severity === 'ERROR';
      client.release(!isRolledBack);
      if (isRolledBack && calls.length > 1) return false;
      await Promise.all(
        calls.map(async ({ request, reject }, at) => {
          const id = { session, charge: last + 1 + at };
          if (!isRolledBack && request.units > 0) await this.#pendingRefunds.add({ id, taken: null });
          reject(postgresFailure(error));
        }),
      );
    }
    return true;
  }
}

const postgresUnavailable = (error: unknown): StoreError => new StoreError('postgres', true, error);
