import { readStatus, statusText } from '#cli/commands/ingest.ts';
import { outageOf } from '#ingest/run/outage.ts';
import { runIngest } from '#ingest/run-ingest.ts';
import { createLogger } from '#observability/logger.ts';
import { OpenSearch } from '#search/client.ts';
import { openListingIndex } from '#search/listing-index/index.ts';
import { systemClock } from '#src/services.ts';
import { testConfig } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { startTcpProxy, type TcpProxy } from '#test/tcp-proxy.ts';
import { test } from '#test/test.ts';
import { ingestWorker } from '#workers/ingest.ts';
import { ads, startPipeline, testSource } from './pipeline.ts';

let pipeline: Awaited<ReturnType<typeof startPipeline>>;
let proxy: TcpProxy;
test.before(async () => {
  pipeline = await startPipeline('ingest-outage');
  proxy = await startTcpProxy(new URL(testConfig().opensearch.urls[0] as string));
});
test.after(() => pipeline.close());
test.after(() => proxy.close());

test('a run that begins while OpenSearch is unavailable completes within seconds after OpenSearch recovers', async (t) => {
  const { pool, s3, prefix, bucket } = pipeline;
  const urls = [`http://127.0.0.1:${proxy.port}`];
  const client = new OpenSearch({ urls, indexPrefix: prefix, requestTimeout: 5_000, maxRetries: 0 });
  const source = testSource('outage');
  source.feed = ads(3, 'o');
  const run = async ({ signal }: { signal: AbortSignal }) => {
    try {
      const listingIndex = await openListingIndex(client);
      const photos = { bucket, mode: 'assume' } as const;
      return await runIngest({ pool, listingIndex, s3, sources: [source], photos, signal });
    } catch (error) {
      throw outageOf(error) ?? error;
    }
  };
  await proxy.set('refuse');
  const logger = createLogger('silent');
  const ingest = {
    sources: ['outage'],
    run,
    fill: async () => true,
    repair: async () => true,
    isRepairDue: async () => false,
  };
  const stop = await ingestWorker.start({ ingest, pool, logger, clock: systemClock });
  try {
    await eventually(async () => (await readStatus(pool)).retry !== null);
    const failing = await readStatus(pool);
    t.regex(
      statusText(failing, Date.now()),
      /Next try: 20\d\d-.*Z; \d tr.* failed since .*: opensearch is unavailable/,
    );
    await proxy.set('pass');
    await eventually(async () => (await readStatus(pool)).last_run?.status === 'completed');
    t.is((await readStatus(pool)).retry, null);
    t.truthy(await pipeline.document((await pipeline.listing('outage', 'o1')).id));
  } finally {
    await stop();
    await client.close();
  }
});

test('a pipeline error does not count as an outage', (t) => {
  t.is(outageOf(new TypeError('undefined is not a function')), null);
  t.is(outageOf(Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })), null);
  t.is(outageOf(Object.assign(new Error('duplicate key'), { code: '23505' })), null);
  t.is(outageOf(Object.assign(new Error('the database system is starting up'), { code: '57P03' }))?.store, 'postgres');
  t.is(outageOf(new Error('Connection terminated unexpectedly'))?.store, 'postgres');
});
