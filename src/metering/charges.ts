import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { StoreError } from '#domain/store-error.ts';
import { postgresFailure } from '#postgres/failures.ts';
import { type Admitted, type ChargeId, type ChargeRequest, charge, type Refused } from './charge.ts';
import { Debts, pay } from './debts.ts';
import { FairQueue, QueueError } from './fair-queue.ts';

/** Milliseconds that a call waits for its charge, its wait for a connection included. */
const CHARGE_LIMIT = 2_500;
/** Milliseconds that the answer of a failed call waits for its units to be given back. */
const REFUND_LIMIT = 500;
/** Charges that may wait for a connection, of one caller and in all. */
const WAITING_PER_CALLER = 500;
const WAITING = 5_000;

export interface ChargesOptions {
  /** Charges go over it; nothing else does. */
  chargePool: pg.Pool;
  /** Units are given back over it: those commits wait for the disk. */
  pool: pg.Pool;
  logger: Logger;
  /** Epoch milliseconds. */
  now(): number;
  /** Where debts are written. */
  journalDir: string;
}

/**
 * Charges calls and gives units back, each exactly once. A charge that gets no answer in time is settled: Postgres may
 * have made it, may be making it, or may find it in a buffer later. Its connection is its session.
 */
export class Charges {
  readonly #chargePool: pg.Pool;
  readonly #pool: pg.Pool;
  readonly #queue: FairQueue;
  readonly #debts: Debts;
  /** The last charge of each connection. */
  readonly #sessions = new WeakMap<pg.PoolClient, ChargeId>();

  constructor({ chargePool, pool, logger, now, journalDir }: ChargesOptions) {
    this.#chargePool = chargePool;
    this.#pool = pool;
    this.#debts = new Debts(pool, logger, now, journalDir);
    this.#queue = new FairQueue({
      places: chargePool.options.max,
      waitingPerName: WAITING_PER_CALLER,
      waiting: WAITING,
    });
  }

  /** Charges that are to be given back and are not yet. */
  get owed(): number {
    return this.#debts.size;
  }

  /** Takes up what processes that were killed have left. */
  takeUpDebts(): Promise<void> {
    return this.#debts.takeUp();
  }

  /**
   * Authenticates, authorizes and charges a call.
   * @param name under whose name it waits: names take turns
   * @throws StoreError when no answer came, and the call will not be charged
   * @throws QueueError `name_full` when too many of this name wait
   */
  async charge(request: ChargeRequest, name: string): Promise<Admitted | Refused> {
    if (this.#debts.isFull) throw new StoreError('postgres', true, new Error('too many charges are to be given back'));
    const deadline = performance.now() + CHARGE_LIMIT;
    const leave = await this.#queue.enter(name, CHARGE_LIMIT).catch((error: unknown) => {
      if (error instanceof QueueError && error.reason === 'name_full') throw error;
      throw new StoreError('postgres', true, error);
    });
    try {
      const client = await this.#connect(deadline);
      return await this.#send(client, request, deadline);
    } catch (error) {
      throw postgresFailure(error);
    } finally {
      leave();
    }
  }

  /** Gives the units of a failed call back: now, or when Postgres answers again. Never throws. */
  async giveBack(charged: Admitted): Promise<void> {
    if (charged.units === 0) return;
    const { id, kind, organization_id, key_id, project_id, month, units } = charged;
    const debt = { id, taken: { kind, organization_id, key_id, project_id, month, units } };
    const paid = pay(this.#pool, debt).then(
      () => true,
      () => false,
    );
    if (!(await Promise.race([paid, sleep(REFUND_LIMIT, false, { ref: false })]))) await this.#debts.owe(debt);
  }

  /** To be called when nothing charges any more, and before the pools are closed. */
  close(): Promise<void> {
    return this.#debts.close();
  }

  async #connect(deadline: number): Promise<pg.PoolClient> {
    if (this.#chargePool.idleCount > 0) return this.#chargePool.connect();
    const connecting = this.#chargePool.connect();
    const late = sleep(Math.max(0, deadline - performance.now()), null, { ref: false });
    const client = await Promise.race([connecting, late]);
    if (client) return client;
    // Nobody waits for the connection any more; the next charge may have it.
    connecting.then(
      (unused) => unused.release(),
      () => {},
    );
    throw new StoreError('postgres', true, new Error('no connection in time'));
  }

  async #send(client: pg.PoolClient, request: ChargeRequest, deadline: number): Promise<Admitted | Refused> {
    const last = this.#sessions.get(client);
    const id = last ? { session: last.session, charge: last.charge + 1 } : { session: randomUUID(), charge: 1 };
    this.#sessions.set(client, id);
    try {
      const answer = await charge(client, id, request, Math.max(1, deadline - performance.now()));
      client.release();
      return answer;
    } catch (error) {
      // What Postgres itself calls an error has rolled the charge back. After anything else the connection is of no use,
      // and nobody knows whether the charge was made.
      const isRolledBack = error instanceof pg.DatabaseError && error.severity === 'ERROR';
      client.release(!isRolledBack);
      if (!isRolledBack && request.units > 0) await this.#debts.owe({ id, taken: null });
      throw error;
    }
  }
}
