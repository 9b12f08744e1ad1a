import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RawListing, RejectReason } from '../normalize/listing.ts';

/** A row of a feed: what it was mapped to, or why it could not be read. `row` is what a person will want to see. */
export type FeedRow<Raw = RawListing> =
  | { ok: true; raw: Raw; row: unknown }
  | { ok: false; reason: RejectReason; detail: string; row: unknown };

/** A source: one folder under `ingest/sources/`, its default export. */
export interface Source {
  /** `source.name` of its listings. */
  name: string;
  /** Streams the whole feed as of `at`, with one page or line in memory at a time. @throws on a feed that cannot be read */
  rows(context: FetchContext): AsyncIterable<FeedRow>;
}

export interface FetchContext {
  /** The time of the run: of dated snapshots, the newest one not after it is read. */
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

/** What a source's folder exports: what to fetch, and how its fields become ours. */
export interface SourceDefinition {
  /** `source.name` of its listings. */
  name: string;
  /** Whether this installation has the feed; if not, the source is not part of its runs. */
  isOffered(settings: FeedSettings): boolean;
  rows(settings: FeedSettings, context: FetchContext): AsyncIterable<FeedRow>;
}

/** Declares a source; the default export of `ingest/sources/<name>/source.ts`. */
export function defineSource(definition: SourceDefinition): SourceDefinition {
  return definition;
}

export interface FileSource {
  name: string;
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
