import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { FairQueue, QueueError, type Taken } from '#domain/fair-queue.ts';
import { StoreError } from '#domain/store-error.ts';
import { postgresFailure } from '#postgres/failures.ts';
import { chargeCalls } from './batch-charge.ts';
import type { Admitted, ChargeId, ChargeRequest, Refused } from './charge.ts';
import { Debts, pay } from './pending-refunds.ts';

/** Milliseconds that a call waits for its charge, its wait for its turn and for a connection included. */
const CHARGE_LIMIT = 2_500;
/** Of these for its turn: who is charged together gives up together, and nobody is to have little time left by then. */
const TURN_LIMIT = 1_500;
/**
 * Calls that are charged in one statement, callers in it, and statements under way. Calls of one caller cost together
 * hardly more than one; those of several are charged one after the other, where several connections do it side by side.
 */
const AT_ONCE = 32;
const CALLERS_AT_ONCE = 4;
const STATEMENTS = 8;
/** Milliseconds that a charge needs: with less left it is not begun, as it could only be given up. */
const LEAST_TIME = 200;
/** Milliseconds that the answer of a failed call waits for its units to be given back. */
const REFUND_LIMIT = 500;
/** Calls that may wait for their turn, of one caller and in all. */
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
  /** What the limits on waiting are multiplied by. */
  timeoutFactor: number;
}

/** A call that is to be charged. */
interface Call {
  request: ChargeRequest;
  /** Of `performance.now()`. */
  deadline: number;
  /** Runs until its turn. */
  timer?: NodeJS.Timeout;
  resolve(answer: Admitted | Refused): void;
  reject(error: unknown): void;
}

/**
 * Charges calls and gives units back, each exactly once. What comes in one turn of the event loop is charged in one
 * statement. A charge that gets no answer in time is settled: Postgres may have made it, may be making it, or may find it
 * in a buffer later. Its connection is its session.
 */
export class Charges {
  readonly #chargePool: pg.Pool;
  readonly #pool: pg.Pool;
  readonly #queue: FairQueue<Call>;
  readonly #timeoutFactor: number;
  readonly #debts: Debts;
  /** The last charge of each connection. */
  readonly #sessions = new WeakMap<pg.PoolClient, ChargeId>();
  #underWay = 0;
  #isSending = false;

  constructor({ chargePool, pool, logger, now, journalDir, timeoutFactor }: ChargesOptions) {
    this.#timeoutFactor = timeoutFactor;
    this.#queue = new FairQueue({ waitingPerName: WAITING_PER_CALLER, waiting: WAITING });
    this.#chargePool = chargePool;
    this.#pool = pool;
    this.#debts = new Debts(pool, logger, now, journalDir);
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
    if (this.#debts.isFull) throw postgresAway(new Error('too many charges are to be given back'));
    const { promise, resolve, reject } = Promise.withResolvers<Admitted | Refused>();
    const deadline = performance.now() + this.#timeoutFactor * CHARGE_LIMIT;
    const call: Call = { request, deadline, resolve, reject };
    let leave: () => void;
    try {
      leave = this.#queue.add(name, call);
    } catch (error) {
      if (error instanceof QueueError && error.reason === 'name_full') throw error;
      throw postgresAway(error);
    }
    call.timer = setTimeout(() => {
      leave();
      reject(postgresAway(new Error('the charge waited too long for its turn')));
    }, this.#timeoutFactor * TURN_LIMIT);
    this.#send();
    return promise;
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
    if (!(await Promise.race([paid, sleep(this.#timeoutFactor * REFUND_LIMIT, false, { ref: false })])))
      await this.#debts.owe(debt);
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
    throw postgresAway(new Error('no connection in time'));
  }

  /** Sends what waits, at the end of this turn of the event loop: all that comes in it goes together. */
  #send(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    setImmediate(() => {
      this.#isSending = false;
      while (this.#underWay < STATEMENTS) {
        const taken = this.#queue.take(AT_ONCE, CALLERS_AT_ONCE);
        if (!taken) return;
        for (const { timer } of taken.items) clearTimeout(timer);
        this.#underWay++;
        this.#chargeTaken(taken).finally(() => {
          this.#underWay--;
          this.#send();
        });
      }
    });
  }

  /** Charges calls together, and answers each. Where one is at fault the others neither fail with it nor wait for it. */
  async #chargeTaken({ items, done, turns }: Taken<Call>): Promise<void> {
    if (await this.#charge(items)) return done();
    this.#underWay += turns.length - 1;
    await Promise.all(
      turns.map(async (turn, at) => {
        const together = turns.length > 1 && (await this.#charge(turn.items));
        if (!together) await this.#chargeEach(turn.items);
        turn.done();
        if (at === 0) return;
        this.#underWay--;
        this.#send();
      }),
    );
  }

  /** Charges calls of one caller one after the other. */
  async #chargeEach(calls: readonly Call[]): Promise<void> {
    for (const call of calls) {
      if (call.deadline - performance.now() > LEAST_TIME) await this.#charge([call]);
      else call.reject(postgresAway(new Error('no time is left for the charge')));
    }
  }

  /**
   * Charges calls in one statement, and answers each. Never throws.
   * @returns false when Postgres refused the statement for several: then none was charged, and none has its answer
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
      // What Postgres itself calls an error has rolled the charges back. After anything else the connection is of no use,
      // and nobody knows whether they were made.
      const isRolledBack = error instanceof pg.DatabaseError && error.severity === 'ERROR';
      client.release(!isRolledBack);
      if (isRolledBack && calls.length > 1) return false;
      await Promise.all(
        calls.map(async ({ request, reject }, at) => {
          const id = { session, charge: last + 1 + at };
          if (!isRolledBack && request.units > 0) await this.#debts.owe({ id, taken: null });
          reject(postgresFailure(error));
        }),
      );
    }
    return true;
  }
}

const postgresAway = (error: unknown): StoreError => new StoreError('postgres', true, error);
