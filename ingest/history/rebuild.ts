import { monthOf } from '#domain/months.ts';
import type { RunContext } from '../run/context.ts';
import { copyIn, copyNumber, copyOut, numberOrNull } from '../run/copy.ts';
import { replay, type Sighting } from './replay.ts';

/** Rows in one transaction. */
const CHUNK = 20_000;

/** What the record holds of one listing. */
interface Told {
  id: number;
  firstSeen: number;
  firstPrice: number | null;
  sightings: Sighting[];
}

/**
 * Makes `listing_months` from the record of events and prices, in place of what it held: for an installation whose runs
 * did not keep it yet. The record tells the listing type with each event; one that changed without any is told of only
 * by the next.
 */
export async function rebuildMonths({ run, writer, pool, signal }: RunContext): Promise<void> {
  await writer.transaction((client) => client.query('truncate listing_months'));
  let lines: string[] = [];
  const save = async (): Promise<void> => {
    const batch = lines;
    lines = [];
    await writer.transaction((client) =>
      copyIn(
        client,
        'listing_months (listing_id, first_month, last_month, listing_type, price, new_month, new_price, changed_run)',
        batch,
      ),
    );
  };
  const client = await pool.connect();
  let done = false;
  try {
    for await (const told of tellings(copyOut(client, RECORD))) {
      signal.throwIfAborted();
      for (const [index, row] of replay(told.sightings).entries()) {
        const first = index === 0 ? `${monthOf(told.firstSeen)}\t${copyNumber(told.firstPrice)}` : '\\N\t\\N';
        lines.push(
          `${told.id}\t${row.first}\t${row.last}\t${row.listingType}\t${copyNumber(row.price)}\t${first}\t${run.id}`,
        );
      }
      if (lines.length >= CHUNK) await save();
    }
    done = true;
  } finally {
    client.release(!done);
  }
  if (lines.length > 0) await save();
}

/** Everything that happened to listings, each's in the order of time. An event and a price of one moment are of one run. */
const RECORD = `
  select o.listing_id, extract(epoch from o.at)::float8, o.type, o.listing_type, o.price, extract(epoch from l.first_seen_at)::float8
    from (select listing_id, at, type, listing_type, null::float8 as price from listing_events
          union all
          select listing_id, at, 'price', null, price_yearly_sar from listing_prices) o
    join listings l on l.id = o.listing_id
   order by 1, 2`;

async function* tellings(chunks: AsyncIterable<string[][]>): AsyncGenerator<Told> {
  let told: Told | null = null;
  let now: Sighting | null = null;
  for await (const rows of chunks) {
    for (const [id, seconds, type, listingType, price, firstSeen] of rows) {
      const at = Number(seconds) * 1000;
      if (told === null || told.id !== Number(id)) {
        if (told) yield told;
        told = { id: Number(id), firstSeen: Number(firstSeen) * 1000, firstPrice: null, sightings: [] };
        now = null;
      }
      if (now === null || now.at !== at) {
        now = { ...(now ?? { served: false, listingType: '', price: null }), at };
        told.sightings.push(now);
      }
      if (type === 'price') {
        now.price = numberOrNull(price);
        told.firstPrice ??= now.price;
      } else {
        now.served = type !== 'listing.delisted';
        now.listingType = listingType as string;
      }
    }
  }
  if (told) yield told;
}
