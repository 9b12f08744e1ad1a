import { FRESH_DAYS } from '#domain/deals.ts';
import { type CopyOutContext, copyOut, number, numberOrNull, text } from '../postgres/copy-out.ts';
import type { RunContext } from '../run/context.ts';
import { type Home, Homes } from './homes.ts';

/** What reading needs of a run. */
export type MarketRead = CopyOutContext & { run: Pick<RunContext['run'], 'at'> };

const COLUMNS = {
  market: text(`city || '/' || listing_type || '/' || property_type`),
  id: number('id'),
  lat: number('lat'),
  lng: number('lng'),
  price: number('price'),
  area: number('area_sqm'),
  bedrooms: numberOrNull('bedrooms'),
};

/**
 * The homes that are compared, a set of one city, listing type and property type at a time: residential, served,
 * plausible for their type, lately updated, with price, area and place.
 */
export async function* readMarket(context: MarketRead): AsyncGenerator<Homes> {
  let market: string | undefined;
  let homes: Home[] = [];
  for await (const rows of copyOut(context, COLUMNS, homesSince(context.run.at), `set work_mem = '64MB'`)) {
    for (const row of rows) {
      if (row.market !== market) {
        if (homes.length > 0) yield new Homes(homes);
        homes = [];
        market = row.market;
      }
      homes.push({
        id: row.id,
        lat: row.lat,
        lng: row.lng,
        price: row.price,
        area: row.area,
        bedrooms: row.bedrooms ?? -1,
      });
    }
  }
  if (homes.length > 0) yield new Homes(homes);
}

function homesSince(at: Date): string {
  const since = new Date(at.getTime() - FRESH_DAYS * 86_400_000).toISOString();
  return `
    from listings
   where served and plausible_typed and listing_category = 'residential' and price > 0 and area_sqm > 0
     and lat is not null and lng is not null and updated_at >= '${since}'
   order by city, listing_type, property_type`;
}
