import type pg from 'pg';
import type { DerivedName } from '#search/derived-index/index.ts';

/** The uuid of the derived index that is known to hold all of its table; null when none is. */
export async function readFilledIndex(pool: pg.Pool, name: DerivedName): Promise<string | null> {
  const { rows } = await pool.query<{ index_uuid: string }>('select index_uuid from derived_indexes where name = $1', [
    name,
  ]);
  return rows[0]?.index_uuid ?? null;
}

/** @param uuid null when none holds all of its table any more: it is filled anew the next time */
export async function saveFilledIndex(client: pg.ClientBase, name: DerivedName, uuid: string | null): Promise<void> {
  if (uuid === null) {
    await client.query('delete from derived_indexes where name = $1', [name]);
    return;
  }
  await client.query(
    `insert into derived_indexes (name, index_uuid) values ($1, $2)
     on conflict (name) do update set index_uuid = excluded.index_uuid`,
    [name, uuid],
  );
}
