import type { Knex } from 'knex';

/** Stores the files of a city as loads of that city, which coexist with the loads of other cities. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    update official_loads l set scope = d.city
      from (select load_id, min(city) as city from transactions group by load_id) d, official_files f
     where d.load_id = l.id and f.id = l.file_id and f.layout = 'justice_city' and d.city is not null;
    comment on column official_loads.scope is
      'the region or the city, for publications that come in one file each; empty: the whole country';
  `);
}
