import { toDocument } from '#domain/listings/document.ts';
import { copyJson, copyNumber, copyText } from '#ingest/postgres/copy-in.ts';
import type { ScannedListing } from '#search/reindex/scan.ts';
import type { Bench } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { countListings, fillTable } from './fill-table.ts';

/**
 * The tables of listings. Both hold the same rows in the order of the default sort: narrow typed columns, and the
 * served JSON out of line and uncompressed. `listings` has one index per kind of request. `listings_general` has one
 * design for any combination of filters: the default sort, and an index per column.
 */
export type TableName = 'listings' | 'listings_general';

const SCHEMA = `
  drop schema if exists bench cascade;
  create schema bench;
  create unlogged table bench.raw (
    id bigint, city text, listing_type text, property_type text, neighborhood_id integer, price float8, area float8,
    beds smallint, lat float8, lng float8, first_seen_at bigint, plausible_typed boolean, plausible_pooled boolean,
    body text, stored text
  );`;

const FILL = `
  create table bench.listings (
    id bigint not null, city text not null, listing_type text not null, property_type text not null,
    neighborhood_id integer, price float8, area float8, beds smallint, position point, first_seen_at bigint not null,
    plausible_typed boolean not null, plausible_pooled boolean not null, search tsvector not null, stored text not null
  );
  alter table bench.listings alter column stored set storage external;
  insert into bench.listings
    select id, city, listing_type, property_type, neighborhood_id, price, area, beds,
           case when lat is null then null else point(lng, lat) end, first_seen_at, plausible_typed, plausible_pooled,
           to_tsvector('arabic', body), stored
      from bench.raw order by city, listing_type, first_seen_at desc, id desc;
  drop table bench.raw;
  create table bench.listings_general (like bench.listings including storage);
  insert into bench.listings_general select * from bench.listings;`;

const TAILORED_INDEXES = [
  'alter table bench.listings add primary key (id)',
  // The default sort per plausibility flag. The index includes the columns of counts, for index-only scans.
  `create index listings_newest on bench.listings (city, listing_type, first_seen_at desc, id desc)
     include (property_type, price, beds, neighborhood_id) where plausible_pooled`,
  `create index listings_newest_typed on bench.listings (city, listing_type, property_type, first_seen_at desc, id desc)
     include (price, beds, neighborhood_id) where plausible_typed`,
  `create index listings_price on bench.listings (city, listing_type, property_type, price) include (beds, neighborhood_id)
     where plausible_typed`,
  `create index listings_neighborhood on bench.listings (neighborhood_id, listing_type, first_seen_at desc, id desc)
     include (city, property_type, price, beds) where plausible_pooled`,
  'create index listings_position on bench.listings using gist (position)',
  'create index listings_search on bench.listings using gin (search)',
];

const GENERAL_INDEXES = [
  'alter table bench.listings_general add primary key (id)',
  'create index general_newest on bench.listings_general (city, listing_type, first_seen_at desc, id desc)',
  ...['property_type', 'neighborhood_id', 'price', 'area', 'beds'].map(
    (column) => `create index general_${column} on bench.listings_general (${column})`,
  ),
  'create index general_position on bench.listings_general using gist (position)',
  'create index general_search on bench.listings_general using gin (search)',
];

const COLUMNS = `bench.raw (id, city, listing_type, property_type, neighborhood_id, price, area, beds, lat, lng,
  first_seen_at, plausible_typed, plausible_pooled, body, stored)`;

/** Creates the tables unless they exist with the expected number of rows. */
export async function ensureTables(bench: Bench, corpus: Corpus): Promise<void> {
  if ((await rowsThere(corpus)) === (await countListings(corpus))) return;
  await fillTable(bench, corpus, {
    title: 'Copying the listings into Postgres',
    schema: SCHEMA,
    columns: COLUMNS,
    lines,
    statements: [
      FILL,
      ...TAILORED_INDEXES,
      ...GENERAL_INDEXES,
      'vacuum analyze bench.listings, bench.listings_general',
    ],
  });
}

async function rowsThere({ pool }: Corpus): Promise<number> {
  const { rows: table } = await pool.query<{ there: boolean }>(
    `select to_regclass('bench.general_search') is not null as there`,
  );
  if (!table[0]?.there) return -1;
  const { rows } = await pool.query<{ count: number }>('select count(*) as count from bench.listings');
  return rows[0]?.count ?? -1;
}

function lines({ id, stored }: ScannedListing): string[] {
  const { filter, text, stats } = toDocument(stored);
  const values = [
    id,
    filter.city,
    filter.listing_type,
    filter.property_type,
    copyNumber(filter.neighborhood_id),
    copyNumber(filter.price),
    copyNumber(filter.area),
    copyNumber(filter.beds),
    copyNumber(filter.lat),
    copyNumber(filter.lng),
    filter.first_seen_at,
    stats.plausible_typed ? 't' : 'f',
    stats.plausible_pooled ? 't' : 'f',
    copyText(text.body.join('\n')),
    copyJson(JSON.stringify(stored)),
  ];
  return [values.join('\t')];
}
