import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table estimate_ledger (
      listing_id bigint primary key,
      -- UTC day on which the listing was first found. Ads of this day and later ones are no evidence.
      day date not null,
      city text not null,
      listing_type text not null,
      property_type text not null,
      version text not null,
      price double precision not null,
      estimate double precision not null,
      -- The upper end of an interval divided by the estimate, which is the estimate divided by the lower end.
      reach_80 double precision not null,
      reach_50 double precision not null
    );
    create index estimate_ledger_cohorts on estimate_ledger (city, listing_type, day);
    comment on table estimate_ledger is 'Estimates of new listings, beside their first prices.';
  `);
}
