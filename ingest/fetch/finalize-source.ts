import pg from 'pg';
import { copyOut, number } from '../postgres/copy-out.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { RunContext } from '../run/context.ts';
import { finishStage } from '../run/run-state.ts';
import type { FetchCounts } from './counts.ts';

/** Ids in one update. */
const CHUNK = 10_000;

interface SourceState {
  live_count: number;
  released: boolean;
}

/** Where the entries of a feed are kept. */
export interface FeedStore {
  /** Streams the ids of a feed's entries that are not withdrawn, or answers them at once. */
  live(context: RunContext, feed: string): AsyncIterable<readonly { readonly id: number }[]>;
  /** @param reason `stale`: the feed is too old to say that they are still there */
  withdraw(
    client: pg.ClientBase,
    run: RunContext['run'],
    ids: readonly number[],
    reason: 'stale' | null,
  ): Promise<void>;
}

const LISTINGS: FeedStore = {
  live: (context, source) =>
    copyOut(
      context,
      { id: number('id') },
      `from listings where source = ${pg.escapeLiteral(source)} and withdrawn_at is null`,
    ),
  withdraw,
};

/**
 * Ends the reading of a source, in one transaction: withdraws the ads that the feed no longer lists. Ads stay as they are
 * when the feed broke off or was cut; when what it says is not believed; and when it lacks more than half of the ads that
 * were live after its last complete run, until a person releases it. A feed that is too old confirms none.
 */
export async function finalizeSource(
  context: RunContext,
  source: string,
  counts: FetchCounts,
  store: FeedStore = LISTINGS,
): Promise<void> {
  const { run, writer } = context;
  const gone = counts.failed === null && counts.held === null ? await idsGone(context, source, counts, store) : [];
  await writer.transaction(
    async (client) => {
      const { rows } = await client.query<SourceState>(
        `insert into source_states (source) values ($1)
         on conflict (source) do update set source = excluded.source returning live_count, released`,
        [source],
      );
      const { live_count: live, released } = rows[0] as SourceState;
      const shrunk = gone.length * 2 > live && live > 0 && !released && !counts.expired;
      const doubt = counts.held ?? (shrunk ? `${gone.length} of ${live} ads are gone from the feed` : null);
      const held = doubt === null ? null : `${doubt}; release it if that is true`;
      const details: Record<string, number | string> = {
        rows: counts.rows,
        new: counts.added,
        changed: counts.changed,
        relisted: counts.relisted,
        unchanged: counts.unchanged,
        withdrawn: 0,
      };
      for (const [doubt, count] of Object.entries(counts.unpriced)) details[`unpriced_${doubt}`] = count;
      for (const [fate, count] of Object.entries(counts.boundaries)) details[`boundary_${fate}`] = count;
      if (counts.stale !== null) details.stale = counts.stale;
      await client.query('update source_states set stale_reason = $2 where source = $1', [source, counts.stale]);
      if (counts.failed !== null && held === null) {
        details.failed = counts.failed;
        await client.query('update source_states set error = $2 where source = $1', [source, counts.failed]);
      } else if (held !== null) {
        details.held = held;
        await client.query('update source_states set held_run = $2, held_reason = $3, error = $4 where source = $1', [
          source,
          run.id,
          held,
          counts.failed,
        ]);
      } else {
        await store.withdraw(client, run, gone, counts.expired ? 'stale' : null);
        details.withdrawn = gone.length;
        // A stale feed confirms its ads as of its own time, an expired one not at all.
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

async function idsGone(context: RunContext, source: string, counts: FetchCounts, store: FeedStore): Promise<number[]> {
  const gone: number[] = [];
  for await (const rows of store.live(context, source)) {
    for (const { id } of rows) if (!counts.seen.has(id)) gone.push(id);
  }
  return gone.sort((a, b) => a - b);
}

async function withdraw(
  client: pg.ClientBase,
  run: RunContext['run'],
  ids: readonly number[],
  reason: 'stale' | null,
): Promise<void> {
  for (let start = 0; start < ids.length; start += CHUNK) {
    await client.query(
      `update listings l set ${touchVersion('$1')}, content_run = $1, withdrawn_at = $2, withdrawn_reason = $4
        where id = any ($3::bigint[])`,
      [run.id, run.at, ids.slice(start, start + CHUNK), reason],
    );
  }
}
