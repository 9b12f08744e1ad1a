import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StoreError } from '#domain/store-error.ts';
import { postgresFailure } from '#stores/postgres/postgres-failures.ts';
import * as sql from '#stores/postgres/rows.ts';
import {
  type Admitted,
  CHARGE_ROW,
  type ChargeRequest,
  chargeStatement,
  lookupStatement,
  type Refusal,
} from './charge-statement.ts';

/** Further charges would time out: of the process, and of one queue, which delays no others. */
const MAX_WAITING = 500;
const MAX_WAITING_IN_QUEUE = 250;
/** Calls of 0 units in one statement: of a queue, and of all queues until another statement begins. */
const LOOKUPS_OF_QUEUE = 10;
const LOOKUPS = 50;
/**
 * Units of the charges in progress, unless one alone costs more. A killed process leaves at most these charged without
 * a response.
 */
const MAX_UNITS = 20;
/** Share of the timeout for the commit and the response. */
const RESPONSE_SHARE = 0.125;
/** Milliseconds from the timeout until the connection is closed. */
const READ_MS = 500;
/** Code of Postgres. */
const LOCK_TIMEOUT = '55P03';
/** Milliseconds between attempts of a charge whose rows are locked. */
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 160;
/** Responses that determine the offset of the clocks. */
const OFFSETS = 16;

type Charged = Admitted | Refusal;

/** A statement, or the part of a shared one. The deadline is a `performance.now()` timestamp. */
interface Sending {
  request: ChargeRequest;
  deadline: number;
  timeoutMs: number;
}

interface Lookup extends Sending {
  result: PromiseWithResolvers<Charged>;
}

/**
 * A statement has a deadline by the clock of Postgres: if a suspended Postgres processes it later, it charges nothing.
 * If a response is lost after the commit, the units remain charged.
 */
export class Charges {
  readonly #pool: pg.Pool;
  /**
   * Lower bounds, so that a deadline is never later than intended. Only the latest, because either clock may be
   * adjusted.
   */
  readonly #offsets: number[] = [];

  #units = 0;
  /** Charges that wait for units, at most one of each queue. */
  readonly #turns: { units: number; begin: () => void }[] = [];
  /** Queues with a charge in progress, and the charges that wait for it. */
  readonly #queues = new Map<string, (() => void)[]>();
  #queued = 0;
  /** Queues with calls of 0 units. */
  readonly #lookups = new Map<string, { waiting: Lookup[]; isRunning: boolean }>();
  #nextLookups: NodeJS.Immediate | null = null;

  /** @param pool connections only for charges, with a short lock timeout */
  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  get waiting(): number {
    return this.#queued + this.#turns.length + this.#pool.waitingCount;
  }

  /**
   * Charges of one queue run one after another, because they would wait for the same rows.
   * @param timeoutMs includes the wait for a connection
   * @param queue organization of the key
   * @throws StoreError if Postgres did not respond in time
   */
  async charge(
    request: ChargeRequest,
    timeoutMs: number,
    queue = request.keyHash.toString('base64url'),
  ): Promise<Charged> {
    const isFree = request.units === 0;
    const inQueue = isFree ? this.#lookups.get(queue)?.waiting : this.#queues.get(queue);
    const others = isFree ? this.#lookups.size : this.waiting - this.#queued;
    if (others >= MAX_WAITING || (inQueue?.length ?? 0) >= MAX_WAITING_IN_QUEUE)
      throw unavailable('too many charges wait for a connection');
    const { promise: late, reject } = Promise.withResolvers<never>();
    // A response that arrived while this process was busy is read before.
    const timer = setTimeout(() => setImmediate(() => reject(unavailable('the charge timed out'))), timeoutMs);
    const deadline = performance.now() + timeoutMs * (1 - RESPONSE_SHARE);
    const sending = { request, deadline, timeoutMs };
    const sent = isFree ? this.#lookUp(queue, sending) : this.#inQueue(queue, () => this.#charge(sending));
    return Promise.race([sent, late]).finally(() => clearTimeout(timer));
  }

  /**
   * Calls of 0 units lock no row and charge nothing: those that begin in one turn of the event loop share a statement. A
   * queue has one statement at a time, because many would take all connections.
   */
  #lookUp(queue: string, sending: Sending): Promise<Charged> {
    const own = this.#lookups.get(queue) ?? { waiting: [], isRunning: false };
    this.#lookups.set(queue, own);
    const result = Promise.withResolvers<Charged>();
    own.waiting.push({ ...sending, result });
    this.#queued++;
    this.#nextLookups ??= setImmediate(() => this.#sendLookups());
    return result.promise;
  }

  #sendLookups(): void {
    this.#nextLookups = null;
    let queues: string[] = [];
    let lookups: Lookup[] = [];
    const send = () => {
      if (lookups.length > 0) void this.#sendTogether(queues, lookups);
      [queues, lookups] = [[], []];
    };
    for (const [queue, own] of this.#lookups) {
      if (own.isRunning) continue;
      own.isRunning = true;
      queues.push(queue);
      lookups.push(...own.waiting.splice(0, LOOKUPS_OF_QUEUE));
      if (lookups.length >= LOOKUPS) send();
    }
    send();
  }

  async #sendTogether(queues: readonly string[], lookups: readonly Lookup[]): Promise<void> {
    this.#queued -= lookups.length;
    const deadline = Math.max(...lookups.map((each) => each.deadline));
    const timeoutMs = Math.max(...lookups.map((each) => each.timeoutMs));
    const statement = lookupStatement(lookups.map(({ request }) => request));
    try {
      const charged = await this.#send(0, deadline, () => this.#query(deadline, timeoutMs, () => statement));
      for (const [at, { result }] of lookups.entries()) result.resolve(charged[at] as Charged);
    } catch (error) {
      for (const { result } of lookups) result.reject(error);
    }
    for (const queue of queues) {
      const own = this.#lookups.get(queue);
      if (own?.waiting.length) own.isRunning = false;
      else this.#lookups.delete(queue);
    }
    if (this.#lookups.size > 0) this.#nextLookups ??= setImmediate(() => this.#sendLookups());
  }

  async #inQueue<T>(queue: string, send: () => Promise<T>): Promise<T> {
    const others = this.#queues.get(queue);
    if (others) {
      this.#queued++;
      await new Promise<void>((begin) => others.push(begin));
      this.#queued--;
    } else {
      this.#queues.set(queue, []);
    }
    try {
      return await send();
    } finally {
      const next = this.#queues.get(queue)?.shift();
      if (next) next();
      else this.#queues.delete(queue);
    }
  }

  async #charge({ request, deadline, timeoutMs }: Sending): Promise<Charged> {
    const statementUntil = (until: Date | null) => chargeStatement(request, until);
    const [charged] = await this.#send(request.units, deadline, () => this.#query(deadline, timeoutMs, statementUntil));
    return charged as Charged;
  }

  /** While another transaction has locked the rows, it retries, and holds neither units nor a connection between attempts. */
  async #send<T>(units: number, deadline: number, query: () => Promise<T>): Promise<T> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
      if (performance.now() > deadline) throw unavailable('no turn in time');
      await this.#enter(units);
      try {
        return await query();
      } catch (error) {
        if (!isLockTimeout(error) || performance.now() + pauseMs > deadline) throw postgresFailure(error);
      } finally {
        this.#leave(units);
      }
      await sleep(pauseMs);
    }
  }

  /** @param statementUntil receives the deadline by the clock of Postgres */
  async #query(
    deadline: number,
    timeoutMs: number,
    statementUntil: (until: Date | null) => pg.QueryConfig,
  ): Promise<Charged[]> {
    const client = await this.#pool.connect();
    let failure: Error | undefined;
    try {
      // After an outage, charges that have timed out must not delay others.
      if (performance.now() > deadline) throw unavailable('no connection in time');
      const offset = this.#offsets.length === 0 ? null : Math.max(...this.#offsets);
      const decision = statementUntil(offset === null ? null : new Date(deadline + offset));
      const statement = { ...decision, query_timeout: timeoutMs + READ_MS };
      const rows = await sql.queryRows(client, CHARGE_ROW, statement);
      const received = performance.now();
      for (const { charge } of rows)
        if (charge.outcome !== 'invalid_api_key') this.#offsets.push(charge.clock - received);
      this.#offsets.splice(0, this.#offsets.length - OFFSETS);
      return rows.map(({ charge }) => charge);
    } catch (error) {
      if (!(error instanceof StoreError || isLockTimeout(error))) failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }

  /** Each charge begins after the earlier ones of its queue; charges of 0 units begin immediately. */
  #enter(units: number): Promise<void> | undefined {
    if (units === 0 || (this.#turns.length === 0 && this.#fits(units))) {
      this.#units += units;
      return undefined;
    }
    const { promise, resolve: begin } = Promise.withResolvers<void>();
    this.#turns.push({ units, begin });
    return promise;
  }

  #leave(units: number): void {
    this.#units -= units;
    for (let [next] = this.#turns; next && this.#fits(next.units); [next] = this.#turns) {
      this.#turns.shift();
      this.#units += next.units;
      next.begin();
    }
  }

  #fits(units: number): boolean {
    return this.#units === 0 || this.#units + units <= MAX_UNITS;
  }
}

const isLockTimeout = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === LOCK_TIMEOUT;

const unavailable = (reason: string): StoreError => new StoreError('postgres', true, new Error(reason));
