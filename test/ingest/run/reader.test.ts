import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { CITIES } from '#domain/geography/gazetteer.ts';
import type { Listing } from '#domain/listings/listing.ts';
import { startTestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { testEnv } from '#test/env.ts';
import { createOrganization } from '#test/factories.ts';
import { startProxy } from '#test/http-proxy.ts';
import { test } from '#test/test.ts';
import { ads, installation, openPipeline, testSource } from './pipeline.ts';

/** Enough ads for several concurrent bulk requests: the index stage writes batches of 500. */
const ADS = 1_600;
const RUNS = 3;
/**
 * Smaller than the number of `modified_at` values that a run assigns, so that the client must continue from its last
 * row several times.
 */
const DEPTH = 250;

test('a client that reads by `modified_asc` during runs and crashes receives every change, even at the smallest paging depth', async (t) => {
  t.timeout(240_000);
  const { database, prefix, bucket } = installation('reader');
  const databaseUrl = await createDatabase(database);
  // Bulk requests complete in random order and with long gaps.
  const proxy = await startProxy(testEnv().OPENSEARCH_URL, async (path) => {
    if (path.includes('_bulk')) await sleep(Math.random() * 400);
  });
  t.teardown(proxy.close);
  const app = await startTestApp({ env: { DATABASE_URL: databaseUrl, INDEX_PREFIX: prefix } });
  t.teardown(app.close);
  await app.addCity(CITIES.find(({ slug }) => slug === 'riyadh'));
  const { key } = await createOrganization(app.services, {
    plan: 'free',
    columns: { units_per_minute: 1_000_000, units_per_month: 1_000_000, paging_depth: DEPTH },
  });
  const pipeline = await openPipeline(databaseUrl, prefix, bucket, { OPENSEARCH_URL: proxy.url });
  t.teardown(pipeline.close);
  await pipeline.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  // Writes become visible long before the run ends.
  await pipeline.client.indices.putSettings({
    index: pipeline.index.alias,
    body: { index: { refresh_interval: '50ms' } },
  });

  const copy = new Map<number, Listing>();
  let since = '1970-01-01T00:00:00Z';
  let requests = 0;
  /** Reads up to the watermark of the last page. */
  const read = async (): Promise<void> => {
    for (let cursor: string | null = null; ; ) {
      const query = new URLSearchParams({
        city: 'riyadh',
        listing_type: 'rent',
        sort: 'modified_asc',
        modified_since: since,
        limit: '25',
        ...(cursor === null ? {} : { cursor }),
      });
      const { status, text, body } = await app.request(`/v1/listings?${query}`, { key });
      if (status !== 200) throw new Error(text);
      requests++;
      const { next_cursor, result_window_reached, watermark } = body.pagination;
      for (const listing of body.data as Listing[]) {
        if (listing.modified_at > watermark) throw new Error(`${listing.modified_at} is above ${watermark}`);
        copy.set(listing.id, listing);
      }
      cursor = result_window_reached ? null : next_cursor;
      if (cursor !== null) continue;
      const last = (body.data as Listing[]).at(-1)?.modified_at;
      if (result_window_reached && last !== undefined) since = last;
      else {
        since = watermark;
        return;
      }
    }
  };

  let done = false;
  const reading = (async () => {
    while (!done) {
      await read();
      await sleep(100);
    }
  })();
  const source = testSource('reader');
  try {
    for (let run = 0; run < RUNS; run++) {
      source.feed = ads(ADS, 'r').map((row, at) => {
        if (!row.ok || run === 0 || (at + run) % 3 > 0) return row;
        return { ...row, raw: { ...row.raw, price: Number(row.raw.price) + 10 * run } };
      });
      const time = new Date(Date.parse('2026-06-01T03:00:00Z') + run * 86_400_000).toISOString();
      const stop = new AbortController();
      let batches = 0;
      const interrupted = pipeline.run([source], time, {
        signal: stop.signal,
        onProgress: ({ stage }) => {
          if (stage === 'index' && ++batches === (run === 0 ? 2 : 1)) stop.abort(new Error('stopped'));
        },
      });
      await t.throwsAsync(interrupted, { message: 'stopped' });
      await pipeline.run([source], time);
    }
  } finally {
    done = true;
    await reading;
  }
  await app.services.indexGuard.refresh();
  await read();
  t.true(requests > ADS / 25);
  const { documents } = await pipeline.snapshot();
  const shown = documents.filter(
    ({ stored }) => stored.private.plausible_pooled && stored.display.listing_type === 'rent',
  );
  t.true(shown.length > ADS / 2);
  t.deepEqual(
    shown
      .map(({ stored: { display } }) => [display.id, display.price.yearly_sar, copy.get(display.id)?.price.yearly_sar])
      .filter(([, expected, read]) => expected !== read),
    [],
  );
});
