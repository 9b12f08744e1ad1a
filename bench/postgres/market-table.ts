import { toDocument } from '#domain/listings/document.ts';
import { copyNumber, copyText } from '#ingest/postgres/copy-in.ts';
import type { ScannedListing } from '#search/reindex/scan.ts';
import type { Bench } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { fillTable } from './fill-table.ts';

/** A Postgres layout of the plausible listings for statistics: only the required columns, sorted. */
const SCHEMA = `
  drop schema if exists bench_market cascade;
  create schema bench_market;
  create unlogged table bench_market.raw (
    id bigint not null, city text not null, listing_type text not null, property_type text not null,
    neighborhood_id integer, price float8 not null, area float8, price_per_sqm float8, beds smallint,
    updated_at bigint not null, first_seen_at bigint not null, source text not null, amenities text[] not null,
    plausible_typed boolean not null, plausible_pooled boolean not null
  );`;

const FILL = `
  create table bench_market.listings (like bench_market.raw including all);
  insert into bench_market.listings
    select * from bench_market.raw order by city, listing_type, property_type, neighborhood_id, updated_at;
  drop table bench_market.raw;`;

/** All columns that the queries need, for index-only scans. */
const COVERED = 'price, area, price_per_sqm, beds, first_seen_at, source';

const INDEXES = [
  `create index listings_pooled on bench_market.listings (city, listing_type, updated_at)
     include (property_type, neighborhood_id, ${COVERED}) where plausible_pooled`,
  `create index listings_typed on bench_market.listings (city, listing_type, property_type, updated_at)
     include (neighborhood_id, ${COVERED}) where plausible_typed`,
  `create index neighborhoods_pooled on bench_market.listings (neighborhood_id, listing_type, updated_at)
     include (city, property_type, amenities, ${COVERED}) where plausible_pooled`,
  `create index neighborhoods_typed on bench_market.listings (neighborhood_id, listing_type, property_type, updated_at)
     include (city, amenities, ${COVERED}) where plausible_typed`,
];

const COLUMNS = `bench_market.raw (id, city, listing_type, property_type, neighborhood_id, price, area, price_per_sqm,
  beds, updated_at, first_seen_at, source, amenities, plausible_typed, plausible_pooled)`;

/**
 * Rebuilds the table from the listings that search serves. Takes a minute for half a million listings, and is never out
 * of date.
 */
export function makeMarketTable(bench: Bench, corpus: Corpus): Promise<void> {
  return fillTable(bench, corpus, {
    title: 'Copying the market into Postgres',
    schema: SCHEMA,
    columns: COLUMNS,
    lines,
    statements: [FILL, ...INDEXES, 'vacuum analyze bench_market.listings'],
  });
}

function lines({ id, stored }: ScannedListing): string[] {
  const { filter, stats } = toDocument(stored);
  if (filter.price === null || !(stats.plausible_typed || stats.plausible_pooled)) return [];
  const values = [
    id,
    filter.city,
    filter.listing_type,
    filter.property_type,
    copyNumber(filter.neighborhood_id),
    filter.price,
    copyNumber(filter.area),
    copyNumber(stats.price_per_sqm),
    copyNumber(filter.beds),
    filter.updated_at,
    filter.first_seen_at,
    copyText(filter.source),
    `{${filter.amenities.join(',')}}`,
    stats.plausible_typed ? 't' : 'f',
    stats.plausible_pooled ? 't' : 'f',
  ];
  return [values.join('\t')];
}
