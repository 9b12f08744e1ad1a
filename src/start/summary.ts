import Table from 'cli-table3';
import type pg from 'pg';
import type { DemoKeys } from '#accounts/demo.ts';
import * as sql from '#postgres/rows.ts';
import type { Config } from '#src/config.ts';

/** Returns a key for each plan, the available data, URLs, and a command to paste. */
export function summary(
  config: Config,
  keys: DemoKeys,
  notes: ReadonlyMap<string, string>,
  loaded: string | null,
  market: Market,
): string {
  const table = new Table({ head: ['Plan', 'Demo key', 'Limits'], style: { head: [], border: [] } });
  for (const [name, key] of Object.entries(keys)) table.push([name, key, notes.get(name) ?? '']);
  return [
    '',
    table.toString(),
    ...(loaded === null ? [] : ['', loaded]),
    '',
    `API        ${config.baseUrl}`,
    `Site       ${config.siteUrl}`,
    `OpenAPI    ${config.baseUrl}/openapi.json`,
    '',
    'Try it:',
    '',
    `curl -s -H 'Authorization: Bearer ${keys.pro}' '${config.baseUrl}/listings?city=${market.city}&listing_type=${market.listing_type}&limit=2'`,
    '',
  ].join('\n');
}

const MARKET = { city: sql.text, listing_type: sql.text };
type Market = sql.RowOf<typeof MARKET>;

/** Returns the market with the most visible listings, so that a first request finds some. */
export async function largestMarket(pool: pg.Pool): Promise<Market> {
  const market = await sql.queryRow(
    pool,
    MARKET,
    `select city, listing_type from listings where served and price is not null and plausible_pooled
      group by city, listing_type order by count(*) desc, city = 'riyadh' desc, city, listing_type limit 1`,
  );
  return market ?? { city: 'riyadh', listing_type: 'rent' };
}

export async function planNotes(pool: pg.Pool): Promise<Map<string, string>> {
  const rows = await sql.queryRows(
    pool,
    { name: sql.text, minute: sql.nullable(sql.integer), page: sql.integer },
    'select name, units_per_minute as minute, page_size as page from plans order by rank',
  );
  const notes = new Map(
    rows.map(({ name, minute, page }) => [name, `${minute ?? 'any number of'} units a minute, pages of ${page}`]),
  );
  notes.set('test', 'for tests of an integration');
  notes.set('admin', 'organization endpoints only');
  return notes;
}
