import { csv } from '#ingest/sources/kinds/csv-file.ts';
import { ndjson } from '#ingest/sources/kinds/ndjson-file.ts';
import { dailyFiles } from '#ingest/sources/snapshots.ts';
import type { SourceDefinition } from '#ingest/sources/source.ts';
import { FEEDS, type FeedLayout } from './feeds.ts';

export const SAMPLE_SOURCES: readonly SourceDefinition[] = FEEDS.map(
  ({ source: name, kind, read, delimiter, required }: FeedLayout) => {
    /** Derives a URL that the feed omits. */
    const map: typeof read = (row) => {
      const raw = read(row);
      const id = encodeURIComponent(raw.source_listing_id);
      return raw.url ? raw : { ...raw, url: `https://${name.replaceAll('_', '-')}.example/ads/${id}` };
    };
    if (kind === 'csv')
      return dailyFiles(name, 'feeds', 'csv', csv({ map, required, ...(delimiter && { delimiter }) }));
    return dailyFiles(name, 'feeds', 'ndjson', ndjson({ map }));
  },
);
