import type { Knex } from 'knex';

/** Files of one city are loads of that city: they stand beside those of other cities. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    update official_loads l set scope = d.city
      from (select load_id, min(city) as city from transactions group by load_id) d, official_files f
     where d.load_id = l.id and f.id = l.file_id and f.layout = 'justice_city' and d.city is not null;
    comment on column official_loads.scope is
      'the region or the city, for publications that come in one file each; empty: the whole country';
  `);
}

export async function down(db: Knex): Promise<void> {
  // Of several cities' loads of one quarter the newest stays.
  await db.raw(`
    update official_loads l set state = 'retired'
     where kind = 'transactions' and state = 'current' and exists (
       select from official_loads o
        where o.kind = l.kind and o.quarter = l.quarter and o.state = 'current' and o.id > l.id);
    update official_loads set scope = '' where kind = 'transactions';
  `);
}
