// Runs one ingest in a separate process, for its peak memory, and sends its figures.
import { timestamp } from '#domain/listings/present.ts';
import { loadSources } from '#ingest/load-sources.ts';
import { runIngest } from '#ingest/run-ingest.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { readConfig } from '#src/config.ts';
import { type ListingIndex, type ListingOp, openListingIndex } from '#stores/opensearch/listing-index/listing-index.ts';
import { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { createPool } from '#stores/postgres/pool.ts';
import { createS3 } from '#stores/s3/s3-client.ts';

export interface IngestMeasurement {
  rows: number;
  seconds: number;
  rows_per_second: number;
  /** Peak resident memory in MB, including the Node runtime. */
  peak_rss_mb: number;
}

const SPREAD_DAYS = 120;

/** Backdates listings by different numbers of days, as in production, for realistic pages sorted by first sight. */
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

const { FEEDS_DIR = '', RUN_AT = '' } = process.env;
const config = readConfig(process.env);
const client = new OpenSearch({ ...config.opensearch, requestTimeout: 60_000 });
const pool = createPool(config.databaseUrl, { max: 8, statementTimeout: 900_000, name: 'bench-ingest' });
const s3 = createS3(config.s3);
const begun = performance.now();
const report = await runIngest({
  pool,
  s3,
  listingIndex: spreadFirstSeen(await openListingIndex(client)),
  sources: await loadSources({ dataDir: FEEDS_DIR, sources: SAMPLE_SOURCES }),
  at: new Date(RUN_AT),
  trigger: 'bench',
  photos: { mode: 'assume', bucket: config.s3.cdnBucket },
});
const seconds = (performance.now() - begun) / 1000;
const problems = { ...report.held, ...report.failed };
if (Object.keys(problems).length > 0) throw new Error(`sources failed: ${JSON.stringify(problems)}`);
const rows = report.stages
  .filter(({ stage }) => stage === 'fetch')
  .reduce((sum, { kept, dropped }) => sum + kept + Object.values(dropped).reduce((a, b) => a + b, 0), 0);
await Promise.all([client.close(), pool.end()]);
s3.destroy();
const peak_rss_mb = process.resourceUsage().maxRSS / 1024;
process.send?.({ rows, seconds, rows_per_second: rows / seconds, peak_rss_mb } satisfies IngestMeasurement);
process.disconnect();
