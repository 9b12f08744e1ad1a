import type { Knex } from 'knex';

/** The unit of registered rents, and whether a load of deals includes land-use classes. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table registered_rents
      alter column mean_rent_sar drop not null,
      add check (mean_rent_sar is not null or mean_rent_per_sqm_sar is not null);
    -- The publisher states means of commercial kinds per square meter.
    update registered_rents
       set mean_rent_per_sqm_sar = coalesce(mean_rent_per_sqm_sar, mean_rent_sar), mean_rent_sar = null
     where property_type in ('office', 'shop', 'showroom') and mean_rent_sar <= 4000;

    -- Deals of files without the column are of the class other.
    alter table official_loads add column names_classes boolean not null default true;
    update official_loads l set names_classes = false
     where kind = 'transactions'
       and not exists (select from transactions t where t.load_id = l.id and t.land_use_class <> 'other');
  `);
}
