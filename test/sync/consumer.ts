import { shortHash } from '#ingest/hash.ts';

export type Row = Readonly<Record<string, unknown>> & { id: number };

export interface ChangeRow {
  position: number;
  type: string;
  listing_id: number;
  reason: string | null;
  merged_into: number | null;
  listing: Row | null;
}

/** The part of a listing that does not change with time alone. */
function digest({ updated_at: _, last_seen_at: __, days_on_market: ___, ...listing }: Row): string {
  return shortHash(JSON.stringify(listing));
}
export const digests = (rows: Iterable<Row>) => new Map([...rows].map((row) => [row.id, digest(row)] as const));

/** Ids of rows that only one of two copies has, or that differ. */
export const differences = (one: ReadonlyMap<number, string>, other: ReadonlyMap<number, string>): number[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((id) => one.get(id) !== other.get(id));

// biome-ignore lint/suspicious/noExplicitAny: the body depends on the path
type Get = (path: string) => Promise<{ status: number; body: any }>;

/** A consumer of the changes, which starts with an empty copy, and again if its position has expired. */
export class Consumer {
  readonly copy = new Map<number, Row>();
  readonly #get: Get;
  readonly #query: Readonly<Record<string, string>>;
  readonly #onRow: (row: ChangeRow) => void;
  #after = 'earliest';
  #stream: string | undefined;
  /** All rows, and those of typed changes since the copy was empty. */
  rows = 0;
  events = 0;
  restarts = 0;

  constructor(get: Get, query: Readonly<Record<string, string>>, onRow: (row: ChangeRow) => void = () => {}) {
    this.#get = get;
    this.#query = query;
    this.#onRow = onRow;
  }

  get position(): string {
    return this.#after;
  }

  /** Begins with the rows of an export, at the position that its manifest states. */
  begin(rows: Iterable<Row>, position: number, stream: string): void {
    for (const row of rows) this.copy.set(row.id, row);
    this.#after = String(position);
    this.#stream = stream;
  }

  /**
   * @param pages most pages that are read; all by default
   * @throws Error if a page is refused, or its positions do not ascend
   */
  async sync(pages = Number.POSITIVE_INFINITY): Promise<void> {
    for (let page = 0, more = true; more && page < pages; page++) {
      const query = { ...this.#query, after: this.#after, ...(this.#stream && { stream: this.#stream }) };
      const { status, body } = await this.#get(`/v1/listings/changes?${new URLSearchParams(query)}`);
      if (status === 400 && body.error.code === 'position_expired') {
        this.copy.clear();
        this.events = 0;
        this.#after = 'earliest';
        this.#stream = undefined;
        this.restarts++;
        if (this.restarts >= 5) throw new Error(`${this.restarts} restarts of ${JSON.stringify(this.#query)}`);
        continue;
      }
      if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
      for (const row of body.data as ChangeRow[]) {
        if (this.#after !== 'earliest' && row.position <= Number(this.#after))
          throw new Error(`position ${row.position} after ${this.#after}`);
        this.#after = String(row.position);
        this.rows++;
        if (row.type !== 'updated') this.events++;
        this.#onRow(row);
        if (row.listing) this.copy.set(row.listing_id, row.listing);
        else this.copy.delete(row.listing_id);
      }
      this.#after = String(body.pagination.next);
      this.#stream = body.pagination.stream;
      more = body.pagination.has_more;
    }
  }
}

/** Small deterministic generator, so that a failed round can be repeated. */
export function generator(seed: number) {
  let state = seed >>> 0 || 1;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
