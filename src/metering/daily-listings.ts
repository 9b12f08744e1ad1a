import { hash } from 'node:crypto';
import type pg from 'pg';
import { StoreError } from '#domain/store-error.ts';
import * as sql from '#stores/postgres/rows.ts';

/** An address, or who reads from it: a session of the site. */
export interface Reader {
  kind: 'address' | 'session';
  /** Stored as a hash. */
  id: string;
  /** Distinct listings per UTC day. */
  limit: number;
}

/** Further responses would time out. */
const MAX_WAITING = 200;

/** Distinct listings that callers without units have read in a UTC day, counted in Postgres for all processes. */
export class DailyListings {
  readonly #pool: pg.Pool;
  readonly #pepper: string;
  /** Responses that were refused, for metrics. */
  readonly refused = { address: 0, session: 0 };

  /** @param pool connections of its own, because reads of one address wait for each other */
  constructor(pool: pg.Pool, pepper: string) {
    this.#pool = pool;
    this.#pepper = pepper;
  }

  /**
   * Counts the listings of a response before it is sent. A response that exceeds a limit counts nothing.
   * @param reader null if it is not identified
   * @param at null for the clock of Postgres
   * @returns whose limit refuses the response; null if it may be sent
   * @throws StoreError if they cannot be counted: the response must not be sent
   */
  async take(
    address: Reader,
    reader: Reader | null,
    listings: ReadonlySet<number>,
    at: Date | null,
  ): Promise<Reader | null> {
    if (listings.size === 0) return null;
    if (this.#pool.waitingCount >= MAX_WAITING)
      throw new StoreError('postgres', true, new Error('too many responses wait until their listings are counted'));
    const [row] = await sql.readRows(
      this.#pool,
      { refused: sql.nullable(sql.oneOf(['address', 'reader'])) },
      {
        name: 'take-listings',
        text: 'select take_listings($1, $2, $3, $4, $5, $6) as refused',
        values: [
          at,
          this.#subject(address),
          address.limit,
          reader && this.#subject(reader),
          reader?.limit ?? 0,
          [...listings],
        ],
      },
    );
    const refused = row?.refused === 'address' ? address : row?.refused === 'reader' ? reader : null;
    if (refused) this.refused[refused.kind]++;
    return refused;
  }

  #subject({ kind, id }: Reader): Buffer {
    return hash('sha256', `${this.#pepper}:${kind}:${id}`, 'buffer').subarray(0, 16);
  }
}
