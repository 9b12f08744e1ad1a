import type { Services } from '#src/services.ts';
import { type Subscription, syncSubscriptions } from '#stores/opensearch/derived-index/percolator.ts';
import { recordIntent, settleIndex } from '#stores/postgres/index-registry.ts';
import { LOCKS, withLock } from '#stores/postgres/locks.ts';
import type { SessionPool } from '#stores/postgres/pool.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';

const SUBSCRIPTIONS_PER_READ = 1_000;

/**
 * Updates the index of the filters of all endpoints, also without events to match.
 * @returns false if another process holds the lock
 */
export async function restoreSubscriptions(
  services: Pick<Services, 'opensearch'> & { pool: SessionPool },
): Promise<boolean> {
  return (await withLock(services.pool, LOCKS.webhooks, (db) => syncSubscriptionIndex(services, db))) !== null;
}

/** Updates the index of the filters. @param db the connection that holds the lock of its writers @returns number of endpoints */
export async function syncSubscriptionIndex(
  { opensearch }: Pick<Services, 'opensearch'>,
  db: Queryable,
): Promise<number> {
  const written: { number: number; filters: string }[] = [];
  let total = 0;
  const latest = await sql.queryRow(
    db,
    { indexed_in: sql.text },
    'select indexed_in from webhook_endpoints where indexed_in is not null order by id desc limit 1',
  );
  const { index } = await syncSubscriptions(opensearch, {
    filled: latest && { index: latest.indexed_in },
    recordIntent: (next, current) => recordIntent(db, 'webhooks', next, current),
    async *read(which) {
      for (let after = 0; ; ) {
        const rows = await sql.queryRows(
          db,
          { number: sql.integer, filters: sql.json<Subscription['filters']>(), text: sql.text },
          `select id as number, filters, filters::text as text from webhook_endpoints
            where id > $1 and ($2 or indexed_in is null) order by id limit $3`,
          [after, which === 'all', SUBSCRIPTIONS_PER_READ],
        );
        const last = rows.at(-1)?.number;
        if (last === undefined) return;
        after = last;
        for (const { number, text } of rows) written.push({ number, filters: text });
        yield rows;
      }
    },
    count: async () => {
      total = await sql.countRows(db, 'from webhook_endpoints');
      return total;
    },
  });
  if (written.length > 0) {
    // Filters changed meanwhile are indexed in the next round.
    await db.query(
      `update webhook_endpoints e set indexed_in = $1 from unnest($2::bigint[], $3::text[]) as w (id, filters)
        where e.id = w.id and e.filters::text = w.filters`,
      [index, written.map(({ number }) => number), written.map(({ filters }) => filters)],
    );
  }
  // Endpoints may be deleted at any time, so they are not counted.
  if (written.length > 0 || index !== latest?.indexed_in)
    await settleIndex(db, 'webhooks', { index, documents: 0, run: 0 });
  return total;
}
