import { monthOf, OPEN } from '#domain/months.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import { shown } from '../postgres/touch-version.ts';
import type { Run } from '../run/run-state.ts';

const PRICE = 'l.price';
const LIVE = `${shown('l')} > 0`;

/**
 * Updates the history of listings that became live, changed their price, were removed or were relisted. Uses only their
 * state after the run, so that repetition is idempotent. A listing counts in every month in which it was live at any
 * time, at its last price of the month; a removed one keeps its last price.
 */
export async function updateHistory(client: Transaction, run: Run): Promise<void> {
  const month = monthOf(run.at);
  await correctHistory(client, run);
  await client.query('create temp table if not exists latest_intervals (like listing_months) on commit delete rows');
  await client.query('truncate latest_intervals');
  // Before any write: the latest row of each changed listing with a history.
  await client.query(
    `insert into latest_intervals
     select distinct on (h.listing_id) h.* from listings l join listing_months h on h.listing_id = l.id
      where l.changed_run = $1 and (l.content_run = $1 or l.was_shown <> ${shown('l')})
      order by h.listing_id, h.first_month desc`,
    [run.id],
  );
  await client.query(
    `insert into listing_months (listing_id, first_month, last_month, listing_type, price, new_month, new_price, changed_run)
     select l.id, $2::int, ${OPEN}, l.listing_type, ${PRICE},
            extract(year from l.first_seen_at at time zone 'UTC')::int * 12
              + extract(month from l.first_seen_at at time zone 'UTC')::int - 1,
            f.price, $1
       from listings l
       cross join lateral (select case when l.first_seen_at = $3::timestamptz then ${PRICE} else
         (select p.price_yearly_sar from listing_prices p
           where p.listing_id = l.id and p.price_yearly_sar is not null order by p.at limit 1) end as price) f
      where l.changed_run = $1 and ${LIVE} and not exists (select from listing_months h where h.listing_id = l.id)`,
    [run.id, month, run.at],
  );
  // A listing removed at the exact start of a month was not live in that month.
  await client.query(
    `update listing_months h set last_month = greatest(h.first_month, $2::int), changed_run = $1
       from latest_intervals s join listings l on l.id = s.listing_id
      where h.listing_id = s.listing_id and h.first_month = s.first_month
        and not ${LIVE} and s.last_month = ${OPEN}`,
    [run.id, monthOf(run.at.getTime() - 1)],
  );
  const isSameOffer = `s.price is not distinct from ${PRICE} and s.listing_type = l.listing_type`;
  // The row begins this month: the month ends at the current price.
  await client.query(
    `update listing_months h set last_month = ${OPEN}, price = ${PRICE}, listing_type = l.listing_type, changed_run = $1,
            new_price = case when s.listing_type <> l.listing_type and s.new_month is not null then ${PRICE} else h.new_price end
       from latest_intervals s join listings l on l.id = s.listing_id
      where h.listing_id = s.listing_id and h.first_month = s.first_month
        and ${LIVE} and s.first_month = $2 and not (${isSameOffer} and s.last_month = ${OPEN})`,
    [run.id, month],
  );
  // Same price, without a whole calendar month of absence: the row is extended.
  await client.query(
    `update listing_months h set last_month = ${OPEN}, changed_run = $1
       from latest_intervals s join listings l on l.id = s.listing_id
      where h.listing_id = s.listing_id and h.first_month = s.first_month
        and ${LIVE} and s.first_month < $2 and ${isSameOffer} and s.last_month between $2 - 1 and ${OPEN} - 1`,
    [run.id, month],
  );
  // Another price or type, or a whole month of absence: a new row begins.
  const beginsRow = `${LIVE} and s.first_month < $2 and not (${isSameOffer} and s.last_month >= $2 - 1)`;
  await client.query(
    `update listing_months h set last_month = $2 - 1, changed_run = $1
       from latest_intervals s join listings l on l.id = s.listing_id
      where h.listing_id = s.listing_id and h.first_month = s.first_month and s.last_month > $2 - 1 and ${beginsRow}`,
    [run.id, month],
  );
  await client.query(
    `insert into listing_months (listing_id, first_month, last_month, listing_type, price, changed_run)
     select l.id, $2::int, ${OPEN}, l.listing_type, ${PRICE}, $1
       from latest_intervals s join listings l on l.id = s.listing_id where ${beginsRow}`,
    [run.id, month],
  );
}

/** A price was corrected: the last one differs, but the run added none. */
async function correctHistory(client: Transaction, run: Run): Promise<void> {
  const endOfMonth = `make_timestamptz((h.first_month + 1) / 12, (h.first_month + 1) % 12 + 1, 1, 0, 0, 0, 'UTC')`;
  const priceAt = (condition: string, order: string): string =>
    `(select p.price_yearly_sar from listing_prices p
       where p.listing_id = l.id and p.price_yearly_sar is not null and ${condition} order by p.at ${order} limit 1)`;
  await client.query(
    `update listing_months h set changed_run = $1,
            price = case when h.price is not null then ${priceAt(`p.at < ${endOfMonth}`, 'desc')} end,
            new_price = case when h.new_price is not null then ${priceAt('true', 'asc')} end
       from listings l
       cross join lateral (select m.price from listing_months m where m.listing_id = l.id order by m.first_month desc limit 1) s
      where h.listing_id = l.id and l.changed_run = $1 and l.content_run = $1 and ${LIVE} and s.price <> ${PRICE}
        and not exists (select from listing_prices p where p.listing_id = l.id and p.at = $2)`,
    [run.id, run.at],
  );
}
