// Runs one ingest of a feeds file in a separate process, so that it can be killed.
import { readFileSync } from 'node:fs';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { writeProgress } from './killable.ts';
import { openPipeline, testSource } from './pipeline.ts';

const [databaseUrl = '', prefix = '', bucket = '', file = '', at = ''] = process.argv.slice(2);
const feeds = JSON.parse(readFileSync(file, 'utf8')) as Record<string, FeedRow[]>;
const pipeline = await openPipeline(databaseUrl, prefix, bucket);
const sources = Object.entries(feeds).map(([name, feed]) => Object.assign(testSource(name), { feed }));
await pipeline.run(sources, at, { onProgress: writeProgress });
await pipeline.pool.end();
await pipeline.client.close();
pipeline.s3.destroy();
process.stdout.write('completed\n');
