// Runs one ingest in a separate process so that peak memory can be measured. Starts on a message with its options,
// sends progress, and sends the measurements at the end.

import { timestamp } from '#domain/listings/present.ts';
import { loadSources } from '#ingest/load-sources.ts';
import { runIngest } from '#ingest/run-ingest.ts';
import { createPool } from '#postgres/pool.ts';
import { createS3 } from '#s3/client.ts';
import { createOpenSearch } from '#search/client.ts';
import { type ListingIndex, type ListingOp, openListingIndex } from '#search/listing-index/index.ts';
import { readConfig } from '#src/config.ts';
import { claimAs } from '#start/claim.ts';

export interface IngestOrders {
  feedsDir: string;
  hostUrl: string;
  /** ISO 8601. */
  at: string;
}

export type IngestMessage =
  | { type: 'progress'; stage: string; source: string | null; done: number }
  | { type: 'done'; rows: number; seconds: number; stages: Record<string, number>; peakRssMb: number }
  | { type: 'failed'; message: string };

const SPREAD_DAYS = 120;

/**
 * In production, listings are first seen on many different days; one ingest run sees them all at once. Each listing is
 * backdated by a different number of days, so that pages ordered by first sight are realistic.
 */
function spreadFirstSeen(index: ListingIndex): ListingIndex {
  const dated = (op: ListingOp): ListingOp => {
    if (op.op === 'delete') return op;
    const back = (Math.imul(op.id, 0x9e3779b1) >>> 0) / 2 ** 32;
    const seconds = op.stored.private.first_seen - Math.floor(back * SPREAD_DAYS * 86_400);
    op.stored.private.first_seen = seconds;
    op.stored.display.first_seen_at = timestamp(seconds);
    return op;
  };
  return { ...index, bulk: (ops) => index.bulk(ops.map(dated)) };
}

const send = (message: IngestMessage): void => {
  process.send?.(message);
};

async function ingest({ feedsDir, hostUrl, at }: IngestOrders): Promise<void> {
  const config = readConfig(process.env);
  const client = createOpenSearch({ urls: config.opensearch.urls, requestTimeout: 60_000 });
  const pool = createPool(config.databaseUrl, { max: 8, statementTimeout: 900_000, name: 'bench-ingest' });
  const s3 = createS3(config.s3);
  const begun = performance.now();
  let lastSent = 0;
  const report = await runIngest({
    pool,
    s3,
    listingIndex: spreadFirstSeen(await openListingIndex(client, config.opensearch.indexPrefix)),
    sources: await loadSources({ dataDir: feedsDir, feedHostUrl: hostUrl }),
    at: new Date(at),
    trigger: 'bench',
    claim: claimAs(new Date()),
    photos: { mode: 'assume', bucket: config.s3.cdnBucket },
    onProgress: ({ stage, source, done }) => {
      if (Date.now() - lastSent < 250) return;
      lastSent = Date.now();
      send({ type: 'progress', stage, source, done });
    },
  });
  const seconds = (performance.now() - begun) / 1000;
  const problems = { ...report.held, ...report.failed };
  if (Object.keys(problems).length > 0) throw new Error(`sources failed: ${JSON.stringify(problems)}`);
  const stages: Record<string, number> = {};
  for (const stage of report.stages) stages[stage.stage] = (stages[stage.stage] ?? 0) + stage.seconds;
  const fetched = report.stages.filter(({ stage }) => stage === 'fetch');
  const rows = fetched.reduce(
    (sum, { kept, dropped }) => sum + kept + Object.values(dropped).reduce((a, b) => a + b, 0),
    0,
  );
  // `maxRSS` is in kilobytes on every platform.
  send({ type: 'done', rows, seconds, stages, peakRssMb: process.resourceUsage().maxRSS / 1024 });
  await Promise.all([client.close(), pool.end()]);
  s3.destroy();
}

process.once('message', (orders: IngestOrders) => {
  ingest(orders)
    .catch((error: unknown) => send({ type: 'failed', message: String((error as Error).stack ?? error) }))
    .finally(() => process.disconnect());
});
// Also exits when the parent process is killed.
process.on('disconnect', () => process.exit());
