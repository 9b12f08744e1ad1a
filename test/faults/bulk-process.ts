// Writes runs in which most ads change, as the stage `fetch` leaves them; the other stages of each run follow. Documents are
// written with the last. Arguments: a seed and the number of runs. Prints the number of changes of each run.
import { setTimeout as sleep } from 'node:timers/promises';
import { withIngest } from '#app/cli/commands/ingest.ts';
import { touchVersion } from '#ingest/postgres/touch-version.ts';
import { INGEST_RUN, withWriter } from '#ingest/postgres/writer.ts';
import { beginRun } from '#ingest/run/run-state.ts';

/** Of 24 ads one is withdrawn, one loses its price, one is too expensive, and others have another price. Half of the withdrawn return. */
const CHANGE = `
  update listings l set ${touchVersion('$1')}, content_run = $1, price = n.price, posted_amount = n.price,
         priced = l.priced or n.price is not null,
         relisted = l.relisted or l.withdrawn_at is not null, withdrawn_reason = null,
         listed_run = case when l.withdrawn_at is null then l.listed_run else $1 end,
         withdrawn_at = case when l.withdrawn_at is null and n.kind = 0 then $2::timestamptz end
    from (select id, kind, case when kind <> 1 then round(area_sqm * (1800 + hash / 24 % 1000) * case kind when 2 then 4 else 1 end) end as price
            from listings cross join lateral (select hashint8extended(id, $3) & 1048575 as hash) h
           cross join lateral (select hash % 24 as kind) k) n
   where n.id = l.id and (l.withdrawn_at is null or n.kind >= 12)`;

const [seed = 0, runs = 1] = process.argv.slice(2).map(Number);
const trigger = 'bulk';
const { signal } = new AbortController();
await withIngest(async (ingest) => {
  // Completes what a killed process began.
  await ingest.run({ sources: [], trigger, signal });
  for (let run = 1; run <= runs; run++) {
    // The time of each run is another second.
    await sleep(1_000);
    const at = new Date();
    const changed = await withWriter(ingest.pool, INGEST_RUN, async (writer) => {
      const begun = await beginRun(writer, at, [], trigger);
      const values = [begun.id, begun.at, seed + run];
      return writer.transaction(async (db) => (await db.query(CHANGE, values)).rowCount ?? 0, { durable: true });
    });
    console.log(changed);
    await ingest.run({ sources: [], at, trigger, followed: run < runs, signal });
  }
});
