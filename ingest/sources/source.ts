import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RawListing, RejectReason } from '../normalize/listing.ts';

/** One row out of a feed: the mapped listing, or why the row could not be read. `row` is what a person will want to see. */
export type FeedRow =
  | { ok: true; raw: RawListing; row: unknown }
  | { ok: false; reason: RejectReason; detail: string; row: unknown };

/** A source: one folder under `ingest/sources/`, its default export. */
export interface Source {
  /** `source.name` of its listings. */
  name: string;
  /** Whether the source says when an ad was last updated; without it `updated_at` is when the service last saw it. */
  publishes_update_times: boolean;
  /** Streams the whole feed as it stands at `at`, one page or line in memory at a time; throws on a feed that cannot be read. */
  rows(context: FetchContext): AsyncIterable<FeedRow>;
}

export interface FetchContext {
  /** The run's own time: a feed that keeps dated snapshots answers with the newest one not after it. */
  at: Date;
  signal: AbortSignal;
}

/** Where this installation finds its feeds. */
export interface FeedSettings {
  /** The folder that feed files lie in. */
  dataDir: string;
  /** Root of the host that serves paged feeds; without it, sources that are read over HTTP are not offered. */
  sampleHostUrl?: string | undefined;
}

/** What a source's folder exports: what to fetch, and how its fields map onto ours. */
export interface SourceDefinition {
  /** `source.name` of its listings. */
  name: string;
  /** Whether the source says when an ad was last updated; without it `updated_at` is when the service last saw it. */
  publishes_update_times: boolean;
  /** Whether this installation has the feed; one that has not is left out of the run. */
  isOffered(settings: FeedSettings): boolean;
  rows(settings: FeedSettings, context: FetchContext): AsyncIterable<FeedRow>;
}

/** Declares a source; the default export of `ingest/sources/<name>/source.ts`. */
export function defineSource(definition: SourceDefinition): SourceDefinition {
  return definition;
}

export interface FileSource {
  name: string;
  publishes_update_times: boolean;
  /** Path of the feed under the data folder. */
  file: string;
  read(path: string, context: FetchContext): AsyncIterable<FeedRow>;
}

/** A source whose feed is one file that is replaced in place; it is offered where the file is. */
export function defineFileSource({ file, read, ...source }: FileSource): SourceDefinition {
  return defineSource({
    ...source,
    isOffered: ({ dataDir }) => existsSync(join(dataDir, file)),
    rows: ({ dataDir }, context) => read(join(dataDir, file), context),
  });
}
