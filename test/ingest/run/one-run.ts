// One ingest run over sample feeds in a separate process, so that it can be killed. Prints its progress to stdout.
import { writeSync } from 'node:fs';
import { loadSources } from '#ingest/load-sources.ts';
import type { Progress } from '#ingest/run/report.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { openPipeline } from './pipeline.ts';

const [databaseUrl = '', prefix = '', bucket = '', dataDir = '', feedHostUrl = '', at = ''] = process.argv.slice(2);
const pipeline = await openPipeline(databaseUrl, prefix, bucket);
const sources = await loadSources({ dataDir, feedHostUrl, sources: SAMPLE_SOURCES });
/** Writes a progress line synchronously, because the parent process kills this process at that line. */
function onProgress({ stage, source, done }: Progress): void {
  try {
    writeSync(1, `${stage} ${source ?? ''} ${done}\n`);
  } catch (error) {
    // The parent process is about to kill this process and no longer reads its output.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
}
const report = await pipeline.run(sources, at, { onProgress });
if (Object.keys(report.failed).length > 0) throw new Error(JSON.stringify(report.failed));
await pipeline.pool.end();
await pipeline.client.close();
pipeline.s3.destroy();
process.stdout.write('completed\n');
