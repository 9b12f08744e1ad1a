import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StoreError } from '#domain/store-error.ts';
import { postgresFailure } from '#stores/postgres/postgres-failures.ts';
import * as sql from '#stores/postgres/rows.ts';
import { type Admitted, CHARGE_ROW, type ChargeRequest, chargeStatement, type Refusal } from './charge-statement.ts';

/** Further charges would time out: of the process, and of one line, which delays no others. */
const MAX_WAITING = 500;
const MAX_WAITING_IN_LINE = 250;
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
  /** Charges that wait for units, at most one of each line. */
  readonly #turns: { units: number; begin: () => void }[] = [];
  /** Lines with a charge in progress, and the charges that wait for it. */
  readonly #lines = new Map<string, (() => void)[]>();
  #inLines = 0;

  /** @param pool connections only for charges, with a short lock timeout */
  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  get waiting(): number {
    return this.#inLines + this.#turns.length + this.#pool.waitingCount;
  }

  /**
   * Charges of one line run one after another, because they would wait for the same rows.
   * @param timeoutMs includes the wait for a connection
   * @param line organization of the key
   * @throws StoreError if Postgres did not respond in time
   */
  async charge(
    request: ChargeRequest,
    timeoutMs: number,
    line = request.keyHash.toString('base64url'),
  ): Promise<Admitted | Refusal> {
    // Calls of 0 units lock no row. They have a line of their own, because many would take all connections.
    const own = request.units === 0 ? `${line} free` : line;
    const inLine = this.#lines.get(own)?.length ?? 0;
    if (this.waiting - this.#inLines >= MAX_WAITING || inLine >= MAX_WAITING_IN_LINE)
      throw unavailable('too many charges wait for a connection');
    const { promise: late, reject } = Promise.withResolvers<never>();
    // A response that arrived while this process was busy is read before.
    const timer = setTimeout(() => setImmediate(() => reject(unavailable('the charge timed out'))), timeoutMs);
    const deadline = performance.now() + timeoutMs * (1 - RESPONSE_SHARE);
    const send = () => this.#send(request, deadline, timeoutMs);
    const sent = this.#inLine(own, send);
    return Promise.race([sent, late]).finally(() => clearTimeout(timer));
  }

  async #inLine<T>(line: string, send: () => Promise<T>): Promise<T> {
    const others = this.#lines.get(line);
    if (others) {
      this.#inLines++;
      await new Promise<void>((begin) => others.push(begin));
      this.#inLines--;
    } else {
      this.#lines.set(line, []);
    }
    try {
      return await send();
    } finally {
      const next = this.#lines.get(line)?.shift();
      if (next) next();
      else this.#lines.delete(line);
    }
  }

  /** While another transaction has locked the rows, it tries again, and holds neither units nor a connection between. */
  async #send(request: ChargeRequest, deadline: number, timeoutMs: number): Promise<Admitted | Refusal> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
      if (performance.now() > deadline) throw unavailable('no turn in time');
      await this.#enter(request.units);
      try {
        const charge = await this.#query(request, deadline, timeoutMs);
        if (charge.outcome !== 'invalid_api_key') {
          this.#offsets.push(charge.clock - performance.now());
          if (this.#offsets.length > OFFSETS) this.#offsets.shift();
        }
        return charge;
      } catch (error) {
        if (!isLockTimeout(error) || performance.now() + pauseMs > deadline) throw postgresFailure(error);
      } finally {
        this.#leave(request.units);
      }
      await sleep(pauseMs);
    }
  }

  async #query(request: ChargeRequest, deadline: number, timeoutMs: number): Promise<Admitted | Refusal> {
    const client = await this.#pool.connect();
    let failure: Error | undefined;
    try {
      // After an outage, charges that have timed out must not delay others.
      if (performance.now() > deadline) throw unavailable('no connection in time');
      const offset = this.#offsets.length === 0 ? null : Math.max(...this.#offsets);
      const decision = chargeStatement(request, offset === null ? null : new Date(deadline + offset));
      const statement = { ...decision, query_timeout: timeoutMs + READ_MS };
      return (await sql.queryOne(client, CHARGE_ROW, statement)).charge;
    } catch (error) {
      if (!(error instanceof StoreError || isLockTimeout(error))) failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }

  /** Each charge begins after those before it in its lines; charges of 0 units begin immediately. */
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
