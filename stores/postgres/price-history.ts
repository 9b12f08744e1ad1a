import type pg from 'pg';
import * as sql from './rows.ts';

/** In SAR: per year for rents, in total for sales. `at` is in epoch seconds. */
const PRICE_ROW = {
  at: sql.nullable(sql.number),
  price: sql.nullable(sql.amount),
  previous: sql.nullable(sql.amount),
};

/** Oldest first; null if there is no published listing with this id. */
export async function readPriceHistory(pool: pg.Pool, id: number) {
  const rows = await sql.readRows(pool, PRICE_ROW, {
    name: 'price-history',
    text: `select extract(epoch from p.at)::float8 as at, p.price_yearly_sar as price,
                  lag(p.price_yearly_sar) over (order by p.at) as previous
             from listings l left join listing_prices p on p.listing_id = l.id
            where l.id = $1 and l.served
            order by p.at`,
    values: [id],
  });
  if (rows.length === 0) return null;
  return rows.flatMap(({ at, price, previous }) => (at === null ? [] : [{ at, price, previous }]));
}
