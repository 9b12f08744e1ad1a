import { csv } from '#ingest/sources/kinds/csv-file.ts';
import { ndjson } from '#ingest/sources/kinds/ndjson-file.ts';
import { dailyFiles } from '#ingest/sources/snapshots.ts';
import type { SourceDefinition } from '#ingest/sources/source.ts';
import { FEEDS } from './feeds.ts';

export const SAMPLE_SOURCES: readonly SourceDefinition[] = FEEDS.map(
  ({ source, kind, read: map, delimiter, required }) => ({
    ...(kind === 'csv'
      ? dailyFiles(source, 'feeds', 'csv', csv({ map, required, ...(delimiter && { delimiter }) }))
      : dailyFiles(source, 'feeds', 'ndjson', ndjson({ map }))),
    module: import.meta.url,
  }),
);
