import type pg from 'pg';
import { StoreError } from '#domain/store-error.ts';
import { postgresFailure } from '#stores/postgres/failures.ts';
import * as sql from '#stores/postgres/rows.ts';
import { type Admitted, CHARGE_ROW, type ChargeRequest, chargeStatement, type Refused } from './charge.ts';

/** Further charges would time out. */
const MAX_WAITING = 500;
/**
 * Units of the charges in progress, unless one alone costs more. A killed process leaves at most these charged without
 * a response.
 */
const MAX_UNITS = 20;
/** Share of the timeout for the commit and the response. */
const RESPONSE_SHARE = 0.125;
/** Milliseconds from the timeout until the connection is closed. */
const READ_MS = 500;
/** Responses that determine the offset of the clocks. */
const OFFSETS = 16;

/**
 * A statement has a deadline by the clock of Postgres: if a suspended Postgres processes it later, it charges nothing.
 * If a response is lost after the commit, the units stay charged.
 */
export class Charges {
  readonly #pool: pg.Pool;
  /**
   * Lower bounds, so that a deadline is never later than intended. Only the latest, because either clock may be
   * adjusted.
   */
  readonly #offsets: number[] = [];

  #units = 0;
  readonly #turns: { units: number; begin: () => void }[] = [];

  /** @param pool connections only for charges */
  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  get waiting(): number {
    return this.#turns.length + this.#pool.waitingCount;
  }

  /**
   * @param timeoutMs includes the wait for a connection
   * @throws StoreError if Postgres did not respond in time
   */
  async charge(request: ChargeRequest, timeoutMs: number): Promise<Admitted | Refused> {
    if (this.waiting >= MAX_WAITING) throw unavailable('too many charges wait for a connection');
    const { promise: late, reject } = Promise.withResolvers<never>();
    // A response that arrived while this process was busy is read before.
    const timer = setTimeout(() => setImmediate(() => reject(unavailable('the charge timed out'))), timeoutMs);
    return Promise.race([this.#send(request, timeoutMs), late]).finally(() => clearTimeout(timer));
  }

  async #send(request: ChargeRequest, timeoutMs: number): Promise<Admitted | Refused> {
    const deadline = performance.now() + timeoutMs * (1 - RESPONSE_SHARE);
    await this.#enter(request.units);
    try {
      const charge = await this.#query(request, deadline, timeoutMs);
      if (charge.outcome !== 'invalid_api_key') {
        this.#offsets.push(charge.clock - performance.now());
        if (this.#offsets.length > OFFSETS) this.#offsets.shift();
      }
      return charge;
    } catch (error) {
      throw postgresFailure(error);
    } finally {
      this.#leave(request.units);
    }
  }

  async #query(request: ChargeRequest, deadline: number, timeoutMs: number): Promise<Admitted | Refused> {
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
      if (!(error instanceof StoreError)) failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }

  /** Charges begin in the order of their arrival, those of 0 units at once. */
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

const unavailable = (reason: string): StoreError => new StoreError('postgres', true, new Error(reason));
