import pg from 'pg';
import { chunks } from '#domain/chunks.ts';
import { storable } from '#domain/text/visible.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import type { AdEnd } from '../normalize/ad-words.ts';
import { copyOut, flag, number } from '../postgres/copy-out.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { RunContext } from '../run/run-context.ts';
import { finishStage } from '../run/run-state.ts';
import type { FetchCounts } from './ad-counts.ts';

const CHUNK = 10_000;

interface LiveEntry {
  readonly id: number;
  /** Whether the last complete run confirmed the entry. Only these are counted when a feed shrinks. */
  readonly confirmed: boolean;
}

/** SQL for a row `l` whose feed has the state `s`. */
export const CONFIRMED_SQL =
  's.last_complete_run is not null and (l.listed_run is null or l.listed_run <= s.last_complete_run)';

export interface FeedStore {
  live(context: RunContext, feed: string): AsyncIterable<readonly LiveEntry[]>;
  /** @param reason `stale` if the feed is too old to confirm them, or what the feed states; null if it lacks them */
  withdraw(
    client: Transaction,
    run: RunContext['run'],
    ids: readonly number[],
    reason: AdEnd | 'stale' | null,
  ): Promise<void>;
}

const LISTINGS: FeedStore = {
  live: (context, source) =>
    copyOut(
      context,
      { id: number('l.id'), confirmed: flag(CONFIRMED_SQL) },
      `from listings l left join source_states s on s.source = l.source
        where l.source = ${pg.escapeLiteral(source)} and l.withdrawn_at is null`,
    ),
  withdraw: async (client, run, ids, reason) => {
    for (const part of chunks(ids, CHUNK))
      await client.query(
        `update listings l set ${touchVersion('$1')}, content_run = $1, withdrawn_at = $2, withdrawn_reason = $4
          where id = any ($3::bigint[])`,
        [run.id, run.at, part, reason],
      );
  },
};

/**
 * In one transaction: withdraws the ads that the feed no longer lists. A feed that lacks more than half of the ads that
 * the last complete run confirmed is held until an operator releases it. Held and incomplete feeds withdraw no ads. If
 * the feed has expired, all its ads are withdrawn.
 */
export async function finalizeSource(
  context: RunContext,
  source: string,
  counts: FetchCounts,
  store: FeedStore = LISTINGS,
): Promise<void> {
  const { run, writer } = context;
  const failed = counts.failed === null ? null : storable(counts.failed);
  const readable = failed === null && counts.held === null;
  const { gone, missing, confirmed } = readable ? await findGone(context, source, counts, store) : NOTHING_GONE;
  await writer.transaction(
    async (client) => {
      const { released } = await sql.queryOne(
        client,
        { released: sql.boolean },
        `insert into source_states (source) values ($1)
         on conflict (source) do update set source = excluded.source returning released`,
        [source],
      );
      const shrunk = missing * 2 > confirmed && !released && !counts.expired;
      const doubt = counts.held ?? (shrunk ? `${missing} of ${confirmed} ads are gone from the feed` : null);
      const held = doubt === null ? null : `${doubt}; release it if that is true`;
      const details: Record<string, number | string> = {
        rows: counts.rows,
        new: counts.added,
        changed: counts.changed,
        relisted: counts.relisted,
        unchanged: counts.unchanged,
        withdrawn: 0,
        ...counts.notes,
      };
      if (counts.stale !== null) details.stale = counts.stale;
      await client.query('update source_states set stale_reason = $2 where source = $1', [source, counts.stale]);
      if (failed !== null && held === null) {
        details.failed = failed;
        await client.query('update source_states set error = $2 where source = $1', [source, failed]);
      } else if (held !== null) {
        details.held = held;
        await client.query('update source_states set held_run = $2, held_reason = $3, error = $4 where source = $1', [
          source,
          run.id,
          held,
          failed,
        ]);
      } else {
        const reasonOf = (id: number) => (counts.expired ? 'stale' : (counts.ended.get(id) ?? null));
        for (const [reason, ids] of Map.groupBy(gone, reasonOf)) await store.withdraw(client, run, ids, reason);
        details.withdrawn = gone.length;
        // As of the feed's timestamp. An expired feed does not confirm its ads.
        const seenAt = counts.stale === null ? run.at : counts.expired ? null : counts.asOf;
        await client.query(
          `update source_states set last_complete_run = $2, last_seen_at = greatest(last_seen_at, $3), live_count = $4,
             held_run = null, held_reason = null, released = false, error = null,
             line_break = coalesce($5, line_break) where source = $1`,
          [source, run.id, seenAt, counts.seen.size, counts.lineBreak],
        );
      }
      await counts.rejects.save(client, run, source);
      const dropped = Object.values(counts.dropped).reduce((sum, count) => sum + count, 0);
      await finishStage(
        client,
        run,
        'fetch',
        { kept: counts.rows - dropped, dropped: counts.dropped, details },
        source,
      );
    },
    { durable: true },
  );
}

interface WithdrawnEntries {
  gone: readonly number[];
  /** Missing entries that the last complete run confirmed, and all that it confirmed. */
  missing: number;
  confirmed: number;
}

const NOTHING_GONE: WithdrawnEntries = { gone: [], missing: 0, confirmed: 0 };

async function findGone(
  context: RunContext,
  source: string,
  counts: FetchCounts,
  store: FeedStore,
): Promise<WithdrawnEntries> {
  const gone: number[] = [];
  let missing = 0;
  let confirmed = 0;
  for await (const entries of store.live(context, source)) {
    for (const entry of entries) {
      const seen = counts.seen.has(entry.id);
      if (!seen) gone.push(entry.id);
      if (entry.confirmed) {
        confirmed += 1;
        if (!seen) missing += 1;
      }
    }
  }
  return { gone: gone.sort((a, b) => a - b), missing, confirmed };
}
