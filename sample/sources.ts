import { hasMore, nextLink, totalPages } from '#ingest/sources/kinds/envelopes.ts';
import { defineCsvSnapshots, defineNdjsonSnapshots, definePagedSnapshots } from '#ingest/sources/snapshots.ts';
import type { SourceDefinition } from '#ingest/sources/source.ts';
import { FEEDS, type FeedLayout } from './feeds.ts';

const ENVELOPES = { next_link: nextLink, total_pages: totalPages, result: hasMore };

/** The sources of the sample, for the settings of an installation that reads it. */
export const SAMPLE_SOURCES: readonly SourceDefinition[] = FEEDS.map(
  ({ source: name, kind, read: map, delimiter, required, envelope }: FeedLayout) => {
    if (kind === 'csv') return defineCsvSnapshots({ name, map, required, ...(delimiter && { delimiter }) });
    if (kind === 'ndjson') return defineNdjsonSnapshots({ name, map });
    return definePagedSnapshots({ name, map, readPage: ENVELOPES[envelope ?? 'next_link'] });
  },
);
