import { toDocument } from '#domain/listings/document.ts';
import { copyIn, copyJson, copyNumber, copyText } from '#ingest/postgres/copy-in.ts';

import type { Bench } from '../bench.ts';
import { type Corpus, countDocuments } from '../corpus/corpus.ts';
import { type ScannedListing, scanListings } from './scan-listings.ts';

/** A table with copies of the searchable listings, in a schema of the same name. */
interface ListingsTable {
  schema: string;
  /** Columns of `raw`, into which the listings are copied, as `name type` in the order of `values`. */
  columns: string;
  /** A listing's values in the text format of COPY; null to omit the listing. */
  values(listing: ScannedListing): (string | number)[] | null;
  /** Statements to run after the copy: they create the final table `listings`, its indexes and planner statistics. */
  statements: readonly string[];
}

const yesNo = (value: boolean): string => (value ? 't' : 'f');

/** Rows in default sort order: narrow typed columns, served JSON out of line. One index per kind of request. */
const SEARCH_TABLE: ListingsTable = {
  schema: 'bench',
  columns: `id bigint, city text, listing_type text, property_type text, neighborhood_id integer, price float8, area float8,
    beds smallint, lat float8, lng float8, first_seen_at bigint, plausible_typed boolean, plausible_pooled boolean,
    body text, stored text`,
  values: ({ id, stored }) => {
    const { filter, text, stats } = toDocument(stored);
    return [
      id,
      filter.city,
      filter.listing_type,
      filter.property_type,
      ...[filter.neighborhood_id, filter.price, filter.area, filter.beds, filter.lat, filter.lng].map(copyNumber),
      filter.first_seen_at,
      yesNo(stats.plausible_typed),
      yesNo(stats.plausible_pooled),
      copyText(text.body.join('\n')),
      copyJson(JSON.stringify(stored)),
    ];
  },
  statements: [
    `create table bench.listings (
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
     alter table bench.listings add primary key (id)`,
    // Supports the default sort for each plausibility flag. Includes the columns that counts need, for index-only
    // scans.
    `create index on bench.listings (city, listing_type, first_seen_at desc, id desc)
       include (property_type, price, beds, neighborhood_id) where plausible_pooled`,
    `create index on bench.listings (city, listing_type, property_type, first_seen_at desc, id desc)
       include (price, beds, neighborhood_id) where plausible_typed`,
    `create index on bench.listings (city, listing_type, property_type, price) include (beds, neighborhood_id)
       where plausible_typed`,
    `create index on bench.listings (neighborhood_id, listing_type, first_seen_at desc, id desc)
       include (city, property_type, price, beds) where plausible_pooled`,
    'create index on bench.listings using gist (position)',
    'create index on bench.listings using gin (search)',
  ],
};

/** All columns that the statistics need, for index-only scans. */
const COVERED = 'price, area, price_per_sqm, beds, first_seen_at, source';

/** Plausible listings for statistics, sorted, with only the required columns. */
const MARKET_TABLE: ListingsTable = {
  schema: 'bench_market',
  columns: `id bigint, city text, listing_type text, property_type text, neighborhood_id integer, price float8, area float8,
    price_per_sqm float8, beds smallint, updated_at bigint, first_seen_at bigint, source text, amenities text[],
    plausible_typed boolean, plausible_pooled boolean`,
  values: ({ id, stored }) => {
    const { filter, stats } = toDocument(stored);
    if (filter.price === null || !(stats.plausible_typed || stats.plausible_pooled)) return null;
    return [
      id,
      filter.city,
      filter.listing_type,
      filter.property_type,
      ...[filter.neighborhood_id, filter.price, filter.area, stats.price_per_sqm, filter.beds].map(copyNumber),
      filter.updated_at,
      filter.first_seen_at,
      copyText(filter.source),
      `{${filter.amenities.join(',')}}`,
      yesNo(stats.plausible_typed),
      yesNo(stats.plausible_pooled),
    ];
  },
  statements: [
    `create table bench_market.listings as
       select * from bench_market.raw order by city, listing_type, property_type, neighborhood_id, updated_at`,
    `create index on bench_market.listings (city, listing_type, updated_at)
       include (property_type, neighborhood_id, ${COVERED}) where plausible_pooled`,
    `create index on bench_market.listings (city, listing_type, property_type, updated_at)
       include (neighborhood_id, ${COVERED}) where plausible_typed`,
    `create index on bench_market.listings (neighborhood_id, listing_type, updated_at)
       include (city, property_type, amenities, ${COVERED}) where plausible_pooled`,
    `create index on bench_market.listings (neighborhood_id, listing_type, property_type, updated_at)
       include (city, amenities, ${COVERED}) where plausible_typed`,
  ],
};

/** Rebuilds the table for searches. Takes a minute for half a million listings. */
export const makeSearchTable = (bench: Bench, corpus: Corpus): Promise<void> =>
  makeTable(bench, corpus, 'Copying the listings into Postgres', SEARCH_TABLE);

/** Rebuilds the table for statistics. */
export const makeMarketTable = (bench: Bench, corpus: Corpus): Promise<void> =>
  makeTable(bench, corpus, 'Copying the market into Postgres', MARKET_TABLE);

async function makeTable(bench: Bench, corpus: Corpus, title: string, table: ListingsTable): Promise<void> {
  const { pool, client } = corpus;
  const { schema, columns, values, statements } = table;
  const bar = bench.screen.progress(title, await countDocuments(corpus));
  const connection = await pool.connect();
  try {
    await connection.query(
      `drop schema if exists ${schema} cascade; create schema ${schema}; create unlogged table ${schema}.raw (${columns})`,
    );
    let done = 0;
    for await (const page of scanListings(client, client.aliases.listings, 2_000)) {
      bench.signal.throwIfAborted();
      await copyIn(
        connection,
        `${schema}.raw`,
        page.flatMap((listing) => values(listing)?.join('\t') ?? []),
      );
      done += page.length;
      bar.update(done);
    }
    bench.screen.say('Indexing in Postgres ...');
    await connection.query(`set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 2`);
    for (const statement of statements) await connection.query(statement);
    await connection.query(`drop table ${schema}.raw`);
    await connection.query(`vacuum analyze ${schema}.listings`);
  } finally {
    bar.end();
    connection.release(true);
  }
}
