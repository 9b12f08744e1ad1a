import { type DerivedOp, syncDerivedIndex, writeDerivedIndex } from '#search/derived-index/index.ts';
import { marketChanged } from '../run/changed.ts';
import type { RunContext } from '../run/context.ts';
import { copyOut, numberOrNull } from '../run/copy.ts';
import { beginStage, finishStage } from '../run/runs.ts';
import { type HistoryRow, historyDocument, historyId } from './documents.ts';
import { judgeHistory } from './plausibility.ts';
import { rebuildMonths } from './rebuild.ts';
import { recordMonths } from './record.ts';

/** Documents in one bulk request, and such requests at a time. They are small. */
const BATCH = 4_000;
const IN_FLIGHT = 2;

/**
 * Keeps the history that trends are made of: the table `listing_months`, and the index that follows it. A listing that
 * goes on as it was costs nothing, when a month begins neither. An index that is not the one that was filled from the
 * table, or is of another template, is replaced by one that is.
 */
export async function historyStage(context: RunContext): Promise<void> {
  const { run, writer, listingIndex } = context;
  const { client, prefix } = listingIndex;
  const stage = await beginStage(writer, run, 'history');
  if (stage.finished) return;
  const unkept = await isUnkept(context);
  if (unkept) await rebuildMonths(context);
  const changed = unkept || (await marketChanged(context));
  let judged = 0;
  if (changed) {
    await writer.transaction((db) => recordMonths(db, run));
    judged = await judgeHistory(context);
    // What goes to the index must not be lost here.
    await writer.transaction(async () => {}, { durable: true });
  }
  let written = 0;
  const uuid = await syncDerivedIndex(client, prefix, 'history', await filledIndex(context), async (alias, which) => {
    const all = which === 'all';
    if (all || changed) {
      written = await send(context, alias, all ? 'true' : `h.changed_run = ${run.id} or l.content_run = ${run.id}`);
    }
  });
  await writer.transaction(
    async (db) => {
      await db.query(
        `insert into derived_indexes (name, index_uuid) values ('history', $1)
         on conflict (name) do update set index_uuid = excluded.index_uuid`,
        [uuid],
      );
      await finishStage(db, run, 'history', {
        kept: written,
        dropped: {},
        details: { judged_anew: judged },
      });
    },
    { durable: true },
  );
}

/** Whether earlier runs kept no history. One that was interrupted while it was made anew leaves its own rows only. */
async function isUnkept({ pool, run }: RunContext): Promise<boolean> {
  const { rows } = await pool.query<{ unkept: boolean }>(
    `select exists (select from listing_events where run_id < $1)
        and not exists (select from ingest_run_stages where stage = 'history' and finished_at is not null) as unkept`,
    [run.id],
  );
  return rows[0]?.unkept === true;
}

async function filledIndex({ pool }: RunContext): Promise<string | null> {
  const { rows } = await pool.query<{ index_uuid: string }>(
    `select index_uuid from derived_indexes where name = 'history'`,
  );
  return rows[0]?.index_uuid ?? null;
}

/** Writes the rows that a condition names to the index. @returns how many */
async function send({ run, pool, listingIndex, signal, onProgress }: RunContext, alias: string, which: string) {
  const inFlight: Promise<unknown>[] = [];
  let ops: DerivedOp[] = [];
  let done = 0;
  const flush = async (): Promise<void> => {
    if (ops.length === 0) return;
    const sent = writeDerivedIndex(listingIndex.client, alias, ops);
    sent.catch(() => {});
    inFlight.push(sent);
    done += ops.length;
    ops = [];
    onProgress({ stage: 'history', source: null, done, total: null });
    if (inFlight.length >= IN_FLIGHT) await inFlight.shift();
  };
  const client = await pool.connect();
  let whole = false;
  try {
    const query = `
      select h.listing_id, h.first_month, h.last_month, h.listing_type, h.price, h.new_month, h.new_price, h.plausible,
             l.city, l.property_type, l.listing_category, l.neighborhood_id, l.bedrooms, l.bathrooms, l.livings,
             l.area_sqm, l.lat, l.lng
        from listing_months h join listings l on l.id = h.listing_id where ${which}`;
    for await (const rows of copyOut(client, query)) {
      signal.throwIfAborted();
      for (const values of rows) {
        const row = historyRow(values);
        ops.push({
          op: 'index',
          id: historyId(row),
          listing: row.listing,
          version: run.id,
          json: historyDocument(row),
        });
        if (ops.length === BATCH) await flush();
      }
    }
    await flush();
    whole = true;
  } finally {
    client.release(!whole);
  }
  await Promise.all(inFlight);
  return done;
}

function historyRow(values: readonly string[]): HistoryRow {
  const number = (at: number): number | null => numberOrNull(values[at]);
  return {
    listing: Number(values[0]),
    firstMonth: Number(values[1]),
    lastMonth: Number(values[2]),
    listingType: values[3] as string,
    price: number(4),
    newMonth: number(5),
    newPrice: number(6),
    plausible: Number(values[7]),
    city: values[8] as string,
    propertyType: values[9] as string,
    category: values[10] as string,
    neighborhood: number(11),
    bedrooms: number(12),
    bathrooms: number(13),
    livings: number(14),
    area: number(15),
    lat: number(16),
    lng: number(17),
  };
}
