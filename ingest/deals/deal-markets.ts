import { foldText } from '#domain/fold.ts';
import { NOT_WHOLE_PRICE_FLAGS } from '#domain/listing-vocabulary.ts';
import { LOOK_BACK_DAYS, SHORT_STAYS, UNSUPPORTED } from '#domain/statistics/price-band.ts';
import type { RowOf } from '../postgres/column-rows.ts';
import { copyOut, flag, groupedRows, number, numberOrNull, text, textOrNull } from '../postgres/copy-out.ts';
import type { RunContext } from '../run/run-context.ts';
import type { Home, Market } from './compare.ts';

/** One room, regardless of the stated number of bedrooms. */
const BEDROOMS = `case when property_type <> 'studio' then bedrooms end`;

const quoted = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

const COLUMNS = {
  city: text('city'),
  listingType: text('listing_type'),
  propertyType: text('property_type'),
  bedrooms: numberOrNull(BEDROOMS),
  id: number('l.id'),
  lat: number('lat'),
  lng: number('lng'),
  price: number('price'),
  area: number('area_sqm'),
  bathrooms: numberOrNull('bathrooms'),
  age: numberOrNull('age_years'),
  /** JSON in hexadecimal digits, which COPY does not escape; a pattern is faster than parsing records. */
  compound: textOrNull(
    `encode(convert_to(substring(record from '"compound_name":("(?:[^"\\\\]|\\\\.)*")'), 'UTF8'), 'hex')`,
  ),
  advertiser: textOrNull('advertiser'),
  ownPhotos: flag('not shared_photos'),
};

type MarketRow = RowOf<typeof COLUMNS>;

/**
 * Grouped by city, listing type, property type and bedrooms: served, recently updated residential listings with a
 * plausible and comparable price, an area and a point.
 */
export async function* readMarkets(context: RunContext): AsyncGenerator<{ market: Market; homes: Home[] }> {
  const rows = copyOut(context, COLUMNS, homesSince(context.run.at), `set work_mem = '64MB'`);
  const marketKey = ({ city, listingType, propertyType, bedrooms }: MarketRow): string =>
    `${city} ${listingType} ${propertyType} ${bedrooms}`;
  for await (const group of groupedRows(rows, marketKey)) {
    const { city, listingType: listing_type, propertyType: property_type, bedrooms } = group[0];
    yield { market: { city, listing_type, property_type, bedrooms }, homes: group.map(homeOf) };
  }
}

function homeOf(row: MarketRow): Home {
  const { id, lat, lng, price, area, bathrooms, age, advertiser, ownPhotos } = row;
  const compound = row.compound === null ? null : foldText(JSON.parse(Buffer.from(row.compound, 'hex').toString()));
  return { id, lat, lng, price, area, bathrooms, age, compound, advertiser, ownPhotos };
}

function homesSince(at: Date): string {
  const since = new Date(at.getTime() - LOOK_BACK_DAYS * 86_400_000).toISOString();
  const short = SHORT_STAYS.join('|');
  return `
    from listings l join listing_records r using (id)
   where served and plausible_typed and not text_flags && array[${quoted(NOT_WHOLE_PRICE_FLAGS)}] and listing_category = 'residential' and price > 0 and area_sqm > 0
     and property_type not in (${quoted(Object.keys(UNSUPPORTED))}) and (bedrooms is not null or property_type = 'studio')
     and lat is not null and lng is not null and updated_at >= '${since}'
     and (listing_type <> 'rent' or record !~ '"frequency":"(${short})"')
   order by city, listing_type, property_type, 4`;
}
