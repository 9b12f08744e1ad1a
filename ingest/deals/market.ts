import type pg from 'pg';
import { FRESH_DAYS } from '#domain/deals.ts';
import type { RunContext } from '../run/context.ts';
import { copyOut, numberOrNull } from '../run/copy.ts';
import { type Home, Homes } from './homes.ts';

/** What reading needs of a run. */
export type MarketRead = Pick<RunContext, 'pool' | 'signal'> & { run: Pick<RunContext['run'], 'at'> };

/**
 * The homes that are compared, a set of one city, listing type and property type at a time: residential, served,
 * plausible for their type, lately updated, with price, area and place.
 */
export async function* readMarket({ pool, run, signal }: MarketRead): AsyncGenerator<Homes> {
  const client = await pool.connect();
  let done = false;
  try {
    await client.query(`set work_mem = '64MB'`);
    let key: string | undefined;
    let homes: Home[] = [];
    for await (const rows of copyOut(client, homesQuery(client, run.at))) {
      signal.throwIfAborted();
      for (const row of rows) {
        if (row[0] !== key) {
          if (homes.length > 0) yield new Homes(homes);
          homes = [];
          key = row[0];
        }
        homes.push({
          id: Number(row[1]),
          lat: Number(row[2]),
          lng: Number(row[3]),
          price: Number(row[4]),
          area: Number(row[5]),
          bedrooms: numberOrNull(row[6]) ?? -1,
        });
      }
    }
    if (homes.length > 0) yield new Homes(homes);
    done = true;
  } finally {
    // It has a setting of its own.
    client.release(done ? true : new Error('the market was not read to its end'));
  }
}

function homesQuery(client: pg.ClientBase, at: Date): string {
  const since = new Date(at.getTime() - FRESH_DAYS * 86_400_000).toISOString();
  return `
    select city || '/' || listing_type || '/' || property_type, id, lat, lng, price, area_sqm, bedrooms
      from listings
     where served and plausible_typed and listing_category = 'residential' and price > 0 and area_sqm > 0
       and lat is not null and lng is not null and updated_at >= ${client.escapeLiteral(since)}
     order by city, listing_type, property_type`;
}
