import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawListing } from '../normalize/listing.ts';
import type { FeedEnd, FeedRow } from './kinds/feed-row.ts';
import type { FeedFile } from './kinds/lines.ts';

/** A feed's rows and, if the reader can detect it, how the feed ended. */
// biome-ignore lint/suspicious/noConfusingVoidType: return type of a generator that does not report how the feed ended
export type FeedRows<Row = FeedRow> = AsyncIterable<Row, FeedEnd | void>;

export interface DatedFeed {
  at: Date;
  /** Days after which the feed no longer confirms its ads; null for a feed that is never renewed. */
  maxAgeDays: number | null;
}

export interface Source<Raw = RawListing> extends Pick<SourceDefinition<Raw>, 'name' | 'timeZone'> {
  /** Streams the whole feed as of `at`, with one page or chunk in memory at a time. @throws if it cannot be read */
  rows(context: FetchContext): FeedRows<FeedRow<Raw>>;
  /** Returns the time of the feed that `rows` reads; null if unknown. @throws if there is no feed */
  snapshot?(context: FetchContext): Promise<DatedFeed | null>;
}

/** Default maximum age of a feed in days. */
export const MAX_AGE_DAYS = 3;

export interface FetchContext {
  /** Time of the run. Sources with dated snapshots read the newest snapshot up to this time. */
  at: Date;
  signal: AbortSignal;
}

export interface FeedSettings {
  dataDir: string;
  /** Root URL of a host with a private address whose photos are fetched. */
  photoHostUrl?: string | undefined;
  /** Whether the feeds are an archive: never renewed, and never too old. */
  archive?: boolean;
  /** Sources in addition to those of `ingest/sources`, such as those of the sample. */
  sources?: readonly SourceDefinition[];
}

export interface SourceDefinition<Raw = RawListing> {
  /** Value of `source.name` in its listings. */
  name: string;
  /** Time zone of times without an offset, for example `Asia/Dubai`. Defaults to `Asia/Riyadh`. */
  timeZone?: string | undefined;
  /** Returns whether this installation has the feed. If not, runs omit the source. */
  isOffered(settings: FeedSettings): boolean;
  rows(settings: FeedSettings, context: FetchContext): FeedRows<FeedRow<Raw>>;
  /** Reads a file in the source's layout; undefined if its feeds are not files. */
  readFile?(file: FeedFile): FeedRows<FeedRow<Raw>>;
  snapshot?(settings: FeedSettings, context: FetchContext): Promise<DatedFeed | null>;
}

export const openSource = <Raw>(source: SourceDefinition<Raw>, settings: FeedSettings): Source<Raw> => ({
  name: source.name,
  timeZone: source.timeZone,
  rows: (context) => source.rows(settings, context),
  snapshot: async (context) => {
    const found = (await source.snapshot?.(settings, context)) ?? null;
    return found && settings.archive ? { ...found, maxAgeDays: null } : found;
  },
});

interface FileSource {
  name: string;
  /** Path of the feed under the data folder. */
  file: string;
  /** Defaults to 3; null for a file that is never replaced. */
  maxAgeDays?: number | null;
  timeZone?: string | undefined;
  read(file: FeedFile): FeedRows;
}

/** Defines a source whose feed is one file that is replaced in place, and as old as the file; offered if it exists. */
export function defineFileSource({
  name,
  file,
  read,
  maxAgeDays = MAX_AGE_DAYS,
  timeZone,
}: FileSource): SourceDefinition {
  return {
    name,
    timeZone,
    isOffered: ({ dataDir }) => existsSync(join(dataDir, file)),
    rows: ({ dataDir }, { signal }) => read({ path: join(dataDir, file), signal }),
    readFile: read,
    snapshot: async ({ dataDir }) => ({ at: (await stat(join(dataDir, file))).mtime, maxAgeDays }),
  };
}
