// One ingest run over sample feeds in a separate process, so that it can be killed. Prints its progress to stdout.
import { loadSources } from '#ingest/load-sources.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { writeProgress } from './killable.ts';
import { openPipeline } from './pipeline.ts';

const [databaseUrl = '', prefix = '', bucket = '', dataDir = '', at = ''] = process.argv.slice(2);
const pipeline = await openPipeline(databaseUrl, prefix, bucket);
const sources = await loadSources({ dataDir, sources: SAMPLE_SOURCES });
const report = await pipeline.run(sources, at, { onProgress: writeProgress });
if (Object.keys(report.failed).length > 0) throw new Error(JSON.stringify(report.failed));
await pipeline.pool.end();
await pipeline.client.close();
pipeline.s3.destroy();
process.stdout.write('completed\n');
