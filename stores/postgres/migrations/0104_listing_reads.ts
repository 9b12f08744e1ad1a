import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create unlogged table listing_reads (
      -- Calendar day in UTC.
      day date not null,
      -- Hash of an address, or of a reader: a session of the site.
      subject bytea not null,
      listings bigint[] not null,
      -- Of an address: its readers that have a row.
      readers integer not null default 0,
      primary key (day, subject)
    );
    -- To compress a list takes ten times as long as to write it.
    alter table listing_reads alter listings set storage external;
    comment on table listing_reads is
      'Distinct listings that callers without units have read in a day. Unlogged, because a crash loses at most the counts of one day.';

    -- Null, or which of the two has reached its limit. At most 1,000 readers of an address have a row; others count
    -- with the address only, so that new sessions cannot make the table large.
    create function take_listings(
      p_at timestamptz, p_address bytea, p_address_limit integer, p_reader bytea, p_reader_limit integer, p_listings bigint[])
    returns text language plpgsql as $$
    declare
      today constant date := (coalesce(p_at, now()) at time zone 'UTC')::date;
      held bigint[];
      fresh bigint[];
      reader_fresh bigint[];
      reader_count integer;
    begin
      insert into listing_reads (day, subject, listings) values (today, p_address, '{}') on conflict do nothing;
      -- Every caller locks the address first, which prevents deadlocks.
      select listings, readers into held, reader_count from listing_reads
       where day = today and subject = p_address for update;
      fresh := array(select unnest(p_listings) except select unnest(held));
      if cardinality(held) + cardinality(fresh) > p_address_limit then return 'address'; end if;
      if p_reader is not null then
        select listings into held from listing_reads where day = today and subject = p_reader for update;
        if not found and reader_count < 1000 then
          insert into listing_reads (day, subject, listings) values (today, p_reader, '{}') on conflict do nothing;
          update listing_reads set readers = readers + 1 where day = today and subject = p_address;
          select listings into held from listing_reads where day = today and subject = p_reader for update;
        end if;
        if found then
          reader_fresh := array(select unnest(p_listings) except select unnest(held));
          if cardinality(held) + cardinality(reader_fresh) > p_reader_limit then return 'reader'; end if;
          if reader_fresh <> '{}' then
            update listing_reads set listings = listings || reader_fresh where day = today and subject = p_reader;
          end if;
        end if;
      end if;
      if fresh <> '{}' then
        update listing_reads set listings = listings || fresh where day = today and subject = p_address;
      end if;
      return null;
    end $$;
    comment on function take_listings is 'Counts listings that an address, and a reader from it, receive. Nothing is counted for a refused response.'`);
}
