import { toDocument } from '#domain/listings/document.ts';
import { monthOf } from '#domain/months.ts';
import { type HistoryRow, historyDocument } from '#ingest/history/documents.ts';
import { copyNumber } from '#ingest/postgres/copy-in.ts';
import { MAX_MONTHS } from '#queries/analytics/trends.ts';
import { indexNames } from '#search/client.ts';
import { sendBulk } from '#search/listing-index/bulk.ts';
import { type ScannedListing, scanListings } from '#search/reindex/scan.ts';
import { compileTemplates } from '#search/templates.ts';
import type { Bench } from './bench.ts';
import type { Corpus } from './corpus/corpus.ts';
import { fillTable } from './postgres/fill-table.ts';
import { Random } from './requests/random.ts';

/** `listing_months` writes so that a stretch goes on. */
const OPEN = 32_767;
/** Of listings that are live to the end. */
const LIVE = 0.4;
const LONGEST = 14;

/** The last month of the history; it has as many as may be asked for. */
export const lastMonthOf = ({ manifest }: Corpus): number => monthOf(Date.parse(manifest.at));

/**
 * A history of three years out of a corpus that was seen on one day: each plausible listing was live over some months,
 * the same ones whoever asks, and 40 in 100 still are.
 */
function stretchOf({ id, stored }: ScannedListing, last: number): HistoryRow | null {
  const { filter, stats } = toDocument(stored);
  if (filter.price === null || !(stats.plausible_typed || stats.plausible_pooled)) return null;
  const random = new Random(id);
  const live = random.chance(LIVE);
  const end = live ? last : last - Math.floor(random.between(0, MAX_MONTHS));
  const first = end - Math.floor(random.between(0, LONGEST));
  const judged = (stats.plausible_typed ? 1 : 0) + (stats.plausible_pooled ? 2 : 0);
  return {
    listing: id,
    firstMonth: first,
    lastMonth: live ? OPEN : end,
    listingType: filter.listing_type,
    price: filter.price,
    newMonth: first,
    newPrice: filter.price,
    plausible: judged * 5,
    city: filter.city,
    propertyType: filter.property_type,
    category: filter.listing_category,
    neighborhood: filter.neighborhood_id,
    bedrooms: filter.beds,
    bathrooms: filter.bathrooms,
    livings: filter.livings,
    area: filter.area,
    lat: filter.lat,
    lng: filter.lng,
  };
}

/** What the API is to take for the first day: long before the first month that may be asked for. */
export const HISTORY_START = '2020-01-01';

/** Has searches of the history go to the made-up one, or back to the corpus's own. @returns what undoes it */
export async function serveTrendsIndex({ client, config }: Corpus, index: string): Promise<() => Promise<void>> {
  const alias = indexNames(config.opensearch.indexPrefix).history;
  const { body } = await client.transport.request({ method: 'GET', path: `/_alias/${alias}` });
  const own = Object.keys(body as object);
  const move = async (from: readonly string[], to: readonly string[]): Promise<void> => {
    const actions = [
      ...from.map((name) => ({ remove: { index: name, alias } })),
      ...to.map((name) => ({ add: { index: name, alias } })),
    ];
    await client.transport.request({ method: 'POST', path: '/_aliases', body: { actions } });
  };
  await move(own, [index]);
  return () => move([index], own);
}

/** Makes the history's index anew, of the template that trends are asked of. @returns its name */
export async function makeTrendsIndex(bench: Bench, corpus: Corpus): Promise<string> {
  const { client, config, manifest } = corpus;
  const prefix = config.opensearch.indexPrefix;
  const index = `${prefix}long-history`;
  await client.transport.request({ method: 'DELETE', path: `/${index}`, querystring: { ignore_unavailable: 'true' } });
  const { template } = compileTemplates(prefix).indexes.history as unknown as { template: Record<string, unknown> };
  // Bulk requests go to aliases alone, so that a name that is gone is never made by a write.
  const alias = `${index}-alias`;
  const body = { ...template, aliases: { [alias]: {} } };
  await client.transport.request({ method: 'PUT', path: `/${index}`, body }, { requestTimeout: 30_000 });
  const last = lastMonthOf(corpus);
  const bar = bench.screen.progress('Writing three years of history', manifest.documents);
  let done = 0;
  for await (const page of scanListings(client, indexNames(prefix).listings, 2_000)) {
    bench.signal.throwIfAborted();
    const rows = page.flatMap((listing) => stretchOf(listing, last) ?? []);
    await sendBulk(
      client,
      alias,
      rows.map(({ listing }) => listing),
      rows.map((row) => `{"index":{"_id":"${row.listing}"}}\n${historyDocument(row)}\n`),
      { requestTimeout: 60_000 },
    );
    done += page.length;
    bar.update(done);
  }
  bar.end();
  await client.indices.refresh({ index }, { requestTimeout: 60_000 });
  return index;
}

/** The same history in Postgres, in the schema of `makeMarketTable`, which goes first. */
export function makeTrendsTable(bench: Bench, corpus: Corpus): Promise<void> {
  const last = lastMonthOf(corpus);
  return fillTable(bench, corpus, {
    title: 'Copying three years of history into Postgres',
    schema: `
      create schema if not exists bench_market;
      drop table if exists bench_market.months;
      create unlogged table bench_market.raw_months (
        city text not null, listing_type text not null, property_type text not null, neighborhood_id integer,
        beds smallint, first_month integer not null, last_month integer not null, price float8 not null,
        price_per_sqm float8, plausible_typed boolean not null, plausible_pooled boolean not null
      );`,
    columns: `bench_market.raw_months (city, listing_type, property_type, neighborhood_id, beds, first_month, last_month,
      price, price_per_sqm, plausible_typed, plausible_pooled)`,
    lines: (listing) => {
      const row = stretchOf(listing, last);
      if (row === null) return [];
      const { price, area, plausible } = row;
      const values = [
        row.city,
        row.listingType,
        row.propertyType,
        copyNumber(row.neighborhood),
        copyNumber(row.bedrooms),
        row.firstMonth,
        row.lastMonth,
        copyNumber(price),
        copyNumber(price !== null && area ? price / area : null),
        (plausible & 1) === 1 ? 't' : 'f',
        (plausible & 2) === 2 ? 't' : 'f',
      ];
      return [values.join('\t')];
    },
    statements: [
      `create table bench_market.months (like bench_market.raw_months including all);
       insert into bench_market.months
         select * from bench_market.raw_months order by city, listing_type, property_type, neighborhood_id, first_month;
       drop table bench_market.raw_months;`,
      // As with the table of listings: all that is asked comes out of an index alone.
      ...['pooled', 'typed'].flatMap((judged) => {
        const type = judged === 'typed' ? 'property_type, ' : '';
        const other = judged === 'typed' ? '' : 'property_type, ';
        return [
          `create index months_${judged} on bench_market.months (city, listing_type, ${type}first_month)
             include (last_month, ${other}neighborhood_id, beds, price, price_per_sqm) where plausible_${judged}`,
          `create index months_neighborhoods_${judged} on bench_market.months (neighborhood_id, listing_type, ${type}first_month)
             include (city, last_month, ${other}beds, price, price_per_sqm) where plausible_${judged}`,
        ];
      }),
      'vacuum analyze bench_market.months',
    ],
  });
}
