import { createHash, randomBytes } from 'node:crypto';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import type { StoredListing } from '#domain/listings/listing.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import type { PhotoOptions } from '#ingest/run/photo-options.ts';
import type { RunReport } from '#ingest/run/run-state.ts';
import { type IngestOptions, runIngest } from '#ingest/run-ingest.ts';
import type { FeedEnd, FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import type { DatedFeed, Source } from '#ingest/sources/source.ts';
import { ADMIN_REQUEST, OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { createPool } from '#stores/postgres/pool.ts';
import { createS3 } from '#stores/s3/s3-client.ts';
import { createDatabase, prepareOwnIndexes, removeIndexes } from '#test/engines.ts';
import { testConfig } from '#test/env.ts';
import { test } from '#test/test.ts';

type Overrides = Omit<Partial<IngestOptions>, 'photos'> & { photos?: Partial<PhotoOptions> };

/** Documents without `modified_at`, which depends on the time of publication, and without random references. */
export const withoutValues = (documents: { stored: StoredListing }[]) =>
  documents.map(({ stored: { display, private: hidden }, ...document }) => {
    const { modified: _, advertiser_ref: __, ...rest } = hidden;
    return { ...document, stored: { display, private: rest } };
  });

/** A complete installation of the pipeline with a separate database, index and bucket. */
export async function openPipeline(databaseUrl: string, prefix: string, bucket: string) {
  const config = testConfig();
  const pool = createPool(databaseUrl, { max: 6, statementTimeout: 60_000 });
  const client = new OpenSearch({ ...config.opensearch, indexPrefix: prefix, ...ADMIN_REQUEST });
  const index = await prepareOwnIndexes(client);
  const s3 = createS3(config.s3);

  return {
    pool,
    client,
    index,
    s3,
    run: (sources: Source[], at: string, { photos, ...rest }: Overrides = {}): Promise<RunReport> =>
      runIngest({
        pool,
        listingIndex: index,
        s3,
        sources,
        at: new Date(at),
        trigger: 'test',
        photos: { bucket, mode: 'assume', ...photos },
        ...rest,
      }),

    /** Returns a listing's document, or null. */
    async document(id: number): Promise<StoredListing | null> {
      await index.refresh();
      const { body } = await client.search({ index: index.alias, body: { query: { ids: { values: [String(id)] } } } });
      return (body.hits.hits[0]?._source as unknown as StoredListing | undefined) ?? null;
    },

    /** Returns the documents of an index, in the order of their ids. */
    async documents(name: string): Promise<unknown[]> {
      await client.indices.refresh({ index: prefix + name });
      const body = { size: 10_000, sort: [{ _id: 'asc' }] as never };
      const { body: found } = await client.search({ index: prefix + name, body });
      return found.hits.hits.map(({ _id, _source }) => ({ _id, _source }));
    },

    /** Returns the id and state of an ad. */
    async listing(source: string, sourceListingId: string): Promise<Record<string, unknown> & { id: number }> {
      const { rows } = await pool.query('select * from listings where source = $1 and source_listing_id = $2', [
        source,
        sourceListingId,
      ]);
      if (!rows[0]) throw new Error(`no ad ${source} ${sourceListingId}`);
      return rows[0];
    },

    /** Returns the types of a listing's events, in order. */
    async events(id: number): Promise<string[]> {
      const { rows } = await pool.query(
        'select type from released_listing_events where listing_id = $1 order by run_id',
        [id],
      );
      return rows.map(({ type }) => type);
    },

    /** Returns the state of the installation after its runs, without timestamps. */
    async snapshot() {
      await index.refresh();
      const body = { size: 10_000, version: true, sort: [{ 'filter.id': 'asc' as const }] };
      const { body: found } = await client.search({ index: index.alias, body });
      const documents = found.hits.hits.map(({ _id, _version, _source }) => ({
        id: _id as string,
        version: _version as number,
        stored: _source as unknown as StoredListing,
      }));
      const all = async (query: string) => (await pool.query(query)).rows;
      return {
        documents,
        // Their ids are random, and their positions depend on the time.
        events: (await all('select * from listing_events order by run_id, listing_id')).map(
          ({ id, position, ...event }) => event,
        ),
        prices: await all('select * from listing_prices order by listing_id, at'),
        listings: await all('select * from listings order by id'),
        months: await all(
          `select listing_id, first_month, last_month, listing_type, price, new_month, new_price, plausible
             from listing_months order by listing_id, first_month`,
        ),
        deals: await all('select listing_id, version, comparison, gone from listing_deals order by listing_id'),
      };
    },

    async close(): Promise<void> {
      await removeIndexes(prefix);
      s3.destroy();
      await Promise.all([pool.end(), client.close()]);
    },
  };
}

export type Pipeline = Awaited<ReturnType<typeof openPipeline>>;

/** Starts a pipeline with a unique database, index prefix and bucket. */
export async function startPipeline(name: string) {
  const bucket = `${name.replaceAll('_', '-')}-${randomBytes(4).toString('hex')}`;
  const prefix = `${process.env.INDEX_PREFIX ?? ''}${bucket.replaceAll('-', '_')}_`;
  const databaseUrl = await createDatabase(bucket);
  const pipeline = await openPipeline(databaseUrl, prefix, bucket);
  await pipeline.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  return { ...pipeline, bucket, prefix, databaseUrl };
}

/** Opens a pipeline before the tests of a file, and closes it after them. */
export function pipelineOfFile(name: string): Awaited<ReturnType<typeof startPipeline>> {
  const pipeline = {} as Awaited<ReturnType<typeof startPipeline>>;
  test.before(async () => void Object.assign(pipeline, await startPipeline(name)));
  test.after(() => pipeline.close?.());
  return pipeline;
}

/** A source whose feed is set by the test. */
export interface TestSource extends Source {
  feed: (FeedRow | Error)[];
  end?: FeedEnd;
  /** Timestamp and maximum age of the feed. */
  of?: DatedFeed;
}

export function testSource(name: string): TestSource {
  const source: TestSource = {
    name,
    feed: [],
    async *rows() {
      for (const row of source.feed) {
        if (row instanceof Error) throw row;
        yield row;
      }
      return source.end;
    },
    snapshot: async () => source.of ?? null,
  };
  return source;
}

/** Returns a valid feed row with the given changes: an apartment for rent in Riyadh. */
export function ad(id: string, changes: Partial<RawListing> = {}): FeedRow {
  const seed = createHash('sha256').update(id).digest().readUInt32LE(0);
  const part = (share: number, of: number) => Math.floor(seed / share) % of;
  const raw: RawListing = {
    source_listing_id: id,
    url: `https://ads.example/${id}`,
    title: `شقة للإيجار ${id}`,
    description: `شقة واسعة رقم ${id} في حي هادئ`,
    purpose: 'rent',
    property_type: 'apartment',
    price: 40_000 + part(1, 200) * 100,
    price_period: 'yearly',
    area: 90 + part(200, 83),
    bedrooms: 1 + part(20_000, 4),
    bathrooms: 2,
    city: 'Riyadh',
    // Ads are far apart, so that no two ads are merged as one home.
    lat: 24.6 + part(7, 300) / 1_000,
    lng: 46.6 + part(3_000, 250) / 1_000,
    photos: [`https://photos.example/${id}.jpg`],
    updated_at: '2026-04-01T08:00:00Z',
    ...changes,
  };
  return { ok: true, raw, row: raw };
}

export function ads(count: number, prefix: string, changes: Partial<RawListing> = {}): FeedRow[] {
  return Array.from({ length: count }, (_, index) => ad(`${prefix}${index}`, changes));
}
