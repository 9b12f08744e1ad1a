import { monthOf } from '#domain/months.ts';
import { copyIn, copyNumber } from '../postgres/copy-in.ts';
import { copyOut, groupedRows, number, numberOrNull, text, textOrNull } from '../postgres/copy-out.ts';
import type { RowOf } from '../postgres/rows.ts';
import type { RunContext } from '../run/context.ts';
import { intervalsOf, type StateChange } from './intervals.ts';
import { forgetJudgedFences } from './plausibility.ts';

/** At least. */
const CHUNK = 20_000;

/** Since it was first seen. */
interface ListingChanges {
  id: number;
  /** Epoch milliseconds. */
  firstSeen: number;
  firstPrice: number | null;
  changes: StateChange[];
}

/** For runs that stored none. Types are known only from events on. */
export async function rebuildHistory(context: RunContext): Promise<void> {
  const { run, writer } = context;
  await writer.transaction(async (client) => {
    await client.query('truncate listing_months');
    await forgetJudgedFences(client);
  });
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
  for await (const { id, firstSeen, firstPrice, changes } of changesOfListings(context)) {
    for (const [index, { firstMonth, lastMonth, listingType, price }] of intervalsOf(changes).entries()) {
      const first = index === 0 ? `${monthOf(firstSeen)}\t${copyNumber(firstPrice)}` : '\\N\t\\N';
      lines.push(`${id}\t${firstMonth}\t${lastMonth}\t${listingType}\t${copyNumber(price)}\t${first}\t${run.id}`);
    }
    if (lines.length >= CHUNK) await save();
  }
  if (lines.length > 0) await save();
}

const COLUMNS = {
  id: number('o.listing_id'),
  seconds: number('extract(epoch from o.at)::float8'),
  /** Or `price`. */
  type: text('o.type'),
  listingType: textOrNull('o.listing_type'),
  price: numberOrNull('o.price'),
  firstSeen: number('extract(epoch from l.first_seen_at)::float8'),
};

/** Oldest first. Those with equal timestamps are of the same run. */
const EVENTS_AND_PRICES = `
  from (select listing_id, at, type, listing_type, null::float8 as price from listing_events
        union all
        select listing_id, at, 'price', null, price_yearly_sar from listing_prices) o
  join listings l on l.id = o.listing_id
 order by o.listing_id, o.at`;

async function* changesOfListings(context: RunContext): AsyncGenerator<ListingChanges> {
  for await (const rows of groupedRows(copyOut(context, COLUMNS, EVENTS_AND_PRICES), ({ id }) => id)) {
    const { id, firstSeen } = rows[0];
    const listing: ListingChanges = { id, firstSeen: firstSeen * 1000, firstPrice: null, changes: [] };
    for (const row of rows) addChange(listing, row);
    yield listing;
  }
}

/** To the change with its timestamp, or to a new one from the previous state. */
function addChange(listing: ListingChanges, row: RowOf<typeof COLUMNS>): void {
  const at = row.seconds * 1000;
  const latest = listing.changes.at(-1);
  let change = latest;
  if (change?.at !== at) {
    change = { ...(latest ?? { served: false, listingType: '', price: null }), at };
    listing.changes.push(change);
  }
  if (row.type === 'price') {
    change.price = row.price;
    listing.firstPrice ??= row.price;
  } else {
    change.served = row.type !== 'listing.delisted';
    change.listingType = row.listingType ?? '';
  }
}
