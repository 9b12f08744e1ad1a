import type pg from 'pg';
import * as sql from './rows.ts';

/** In SAR: per year for rents, in total for sales. `at` is in epoch seconds. */
const PRICE_ROW = {
  at: sql.nullable(sql.number),
  price: sql.nullable(sql.amount),
  previous: sql.nullable(sql.amount),
};

/**
 * The prices with which search has returned the listing, oldest first; null if there is no published listing with this
 * id, nor one that was delisted since then. A price after a change of the listing type has no previous one.
 */
export async function readPriceHistory(pool: pg.Pool, id: number, goneSince: Date) {
  const rows = await sql.readRows(pool, PRICE_ROW, {
    name: 'price-history',
    text: `select extract(epoch from p.at)::float8 as at, p.price_yearly_sar as price,
                  case when p.comparable then lag(p.price_yearly_sar) over (order by p.at) end as previous
             from listings l
             left join listing_prices p on p.listing_id = l.id and p.price_yearly_sar is not null
              and not exists (select from ingest_runs r where r.id = p.run_id and r.status <> 'completed')
            where l.id = $1 and (l.served or coalesce(l.left_at, l.withdrawn_at) >= $2 and l.withdrawn_reason is distinct from 'takedown'
              and exists (select from listing_prices where listing_id = l.id))
            order by p.at`,
    values: [id, goneSince],
  });
  if (rows.length === 0) return null;
  return rows.flatMap(({ at, price, previous }) => (at === null ? [] : [{ at, price, previous }]));
}
