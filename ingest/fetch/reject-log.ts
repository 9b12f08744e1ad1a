import type { Transaction } from '#stores/postgres/transaction.ts';
import { shortHash } from '../hash.ts';
import type { RejectReason } from '../normalize/listing.ts';
import type { Run } from '../run/run-state.ts';
import { excerptOf } from './excerpt.ts';

/** Distinct rejects per source and run. `FetchCounts` counts all. */
const MAX_REJECTS = 1_000;
const DETAIL_CHARACTERS = 500;
const ROW_CHARACTERS = 2_000;

export interface Reject {
  reason: RejectReason;
  detail: string;
  row: string;
  count: number;
}

export class RejectLog {
  readonly #rejects = new Map<string, Reject>();

  get list(): Reject[] {
    return [...this.#rejects.values()];
  }

  add(reason: RejectReason, detail: string, row: unknown): void {
    const text = excerptOf(row, ROW_CHARACTERS);
    const digest = shortHash(`${reason} ${text}`);
    const known = this.#rejects.get(digest);
    if (known) known.count++;
    else if (this.#rejects.size < MAX_REJECTS) {
      this.#rejects.set(digest, { reason, detail: excerptOf(detail, DETAIL_CHARACTERS), row: text, count: 1 });
    }
  }

  /** Saves rejects once per run, in the transaction that completes the source. */
  async save(client: Transaction, run: Run, source: string): Promise<void> {
    if (this.#rejects.size === 0) return;
    const rejects = this.list;
    await client.query(
      `insert into ingest_rejects as known (source, digest, run_id, position, reason, detail, row, count, first_at, at)
         select $1::text, digest, $2::integer, position, reason, detail, row, count, $3::timestamptz, $3::timestamptz
           from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::int[]) with ordinality
             as r (digest, reason, detail, row, count, position)
       on conflict (source, digest) do update
         set run_id = excluded.run_id, position = excluded.position, detail = excluded.detail,
             count = known.count + excluded.count, at = excluded.at`,
      [
        source,
        run.id,
        run.at,
        [...this.#rejects.keys()],
        rejects.map(({ reason }) => reason),
        rejects.map(({ detail }) => detail),
        rejects.map(({ row }) => row),
        rejects.map(({ count }) => count),
      ],
    );
  }
}
