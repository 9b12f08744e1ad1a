import type { EventType } from '#domain/listings/events.ts';
import * as sql from '#postgres/rows.ts';
import { RejectLog } from '../fetch/reject-log.ts';
import { column, queryRows } from '../postgres/rows.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { RunContext } from '../run/context.ts';
import { countEvents, type EventCounts, eventOfRow, insertEvents } from './events.ts';
import { LISTING_COLUMNS } from './rows.ts';

/**
 * Withdraws ads that the index does not accept, replaces their events, and records them as rejected. The next run
 * writes them again.
 * @param refused reasons by id
 * @param counts event counts of the run, which are corrected
 * @returns number of deleted documents
 */
export async function withdrawRefused(
  { run, writer, listingIndex }: RunContext,
  refused: ReadonlyMap<number, string>,
  counts: EventCounts,
): Promise<number> {
  const ids = [...refused.keys()];
  const rows = await writer.transaction(
    async (client) => {
      await client.query(
        `update listings l set ${touchVersion('$1')}, content_run = $1, withdrawn_at = $2, withdrawn_reason = 'refused'
          where id = any ($3::bigint[])`,
        [run.id, run.at, ids],
      );
      const withdrawn = await queryRows(
        client,
        { ...LISTING_COLUMNS, source: column<string>('l.source') },
        {
          from: `from listings l join listing_records r on r.id = l.id
               left join listing_publications p on p.listing_id = l.id where l.id = any ($1::bigint[])`,
          values: [ids],
        },
      );
      const replaced = await sql.queryRows(
        client,
        { type: sql.textAs<EventType>() },
        'delete from listing_events where run_id = $1 and listing_id = any ($2::bigint[]) returning type',
        [run.id, ids],
      );
      const events = withdrawn.flatMap((row) => eventOfRow(run, row));
      await insertEvents(client, events);
      countEvents(counts, replaced, -1);
      countEvents(counts, events);
      await client.query(
        `update listing_publications set content = null, shown = 0
          where listing_id = any ($1::bigint[]) and content is not null`,
        [ids],
      );
      for (const [source, own] of Map.groupBy(withdrawn, ({ source }) => source)) {
        const log = new RejectLog();
        for (const { id, record } of own) log.add('refused_by_store', refused.get(id) ?? '', record);
        await log.save(client, run, source);
      }
      return withdrawn;
    },
    { durable: true },
  );
  const ops = rows.flatMap(({ id, version, wasServed }) => (wasServed ? [{ op: 'delete' as const, id, version }] : []));
  await listingIndex.bulk(ops);
  return ops.length;
}
