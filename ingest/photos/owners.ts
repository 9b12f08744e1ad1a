import type pg from 'pg';
import * as sql from '#postgres/rows.ts';

/** Tables whose rows have photos. */
export const OWNER_TABLES = ['listings', 'off_plan_records'] as const;
export type OwnerTable = (typeof OWNER_TABLES)[number];

export const OWNER = { owner: sql.oneOf(OWNER_TABLES), owner_id: sql.integer };
export type Owner = sql.RowOf<typeof OWNER>;

/** `record` is a normalized ad or project as JSON. */
export const RECORD = { id: sql.integer, record: sql.text };

const RECORDS: Readonly<Record<OwnerTable, string>> = {
  listings: 'select id, record from listing_records where id = any ($1)',
  off_plan_records: 'select id, record from off_plan_records where id = any ($1)',
};

export const ownerKey = ({ owner, owner_id }: Owner): string => `${owner} ${owner_id}`;

/** Returns the photo URLs of listings and projects, keyed by `ownerKey`. */
export async function readAddresses(pool: pg.Pool, owners: readonly Owner[]): Promise<Map<string, string[]>> {
  const addresses = new Map<string, string[]>();
  for (const owner of OWNER_TABLES) {
    const ids = [...new Set(owners.filter((each) => each.owner === owner).map(({ owner_id }) => owner_id))];
    if (ids.length === 0) continue;
    for (const { id, record } of await sql.queryRows(pool, RECORD, RECORDS[owner], [ids]))
      addresses.set(ownerKey({ owner, owner_id: id }), (JSON.parse(record) as { photos?: string[] }).photos ?? []);
  }
  return addresses;
}

/** Returns SQL that selects the ids of a table's live rows that show a key in the relation `keys`. */
export const showing = (owner: OwnerTable, keys: string): string => `
  select o.id from ${owner} o cross join lateral unnest(string_to_array(o.photos, ' ')) as shown (key)
    join ${keys} using (key)
   where o.withdrawn_at is null and o.photos <> ''`;
