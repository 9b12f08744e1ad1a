import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type RawListing, type ReadSettings, settingsOf } from '../normalize/listing.ts';
import type { FeedEnd, FeedReader, FeedRow, RowLayout } from './kinds/feed-row.ts';
import type { FeedFile } from './kinds/lines.ts';

// biome-ignore lint/suspicious/noConfusingVoidType: return type of a generator that does not report how the feed ended
export type FeedRows<Row = FeedRow> = AsyncIterable<Row, FeedEnd | void>;

export interface DatedFeed {
  at: Date;
  /** From then on, the feed no longer confirms its ads; null for a feed that is never renewed. */
  maxAgeDays: number | null;
}

export interface Source<Raw = RawListing> extends ReadSettings, Pick<SourceDefinition<Raw>, 'name'> {
  /** Streams the feed as of `at`, with one page or chunk in memory. */
  rows(context: FetchContext): FeedRows<FeedRow<Raw>>;
  /** Undefined if another thread cannot load the layout of its rows. */
  module?: string | undefined;
  /** Returns null if the time is unknown. @throws if there is no feed */
  snapshot?(context: FetchContext): Promise<DatedFeed | null>;
}

export const MAX_AGE_DAYS = 3;

export interface FetchContext {
  /** Time of the run. */
  at: Date;
  signal: AbortSignal;
  /** As of `FeedFile`. Only for sources with a module. */
  isUnmapped?: boolean | undefined;
}

export interface FeedSettings {
  dataDir: string;
  /** URL of the photos, whose host may have a private address. */
  photoHostUrl?: string | undefined;
  /** `User-Agent` of requests for feeds. */
  userAgent?: string;
  /** An archive is never renewed, and never too old. */
  archive?: boolean;
  /** In addition to those of `ingest/sources`. */
  sources?: readonly SourceDefinition[];
}

export interface SourceDefinition<Raw = RawListing> extends ReadSettings {
  /** `source.name` of its listings. */
  name: string;
  /** If this installation does not have the feed, runs omit the source. */
  isOffered(settings: FeedSettings): boolean;
  rows(settings: FeedSettings, context: FetchContext): FeedRows<FeedRow<Raw>>;
  /** Undefined if its feeds are not files. */
  readFile?(file: FeedFile): FeedRows<FeedRow<Raw>>;
  snapshot?(settings: FeedSettings, context: FetchContext): Promise<DatedFeed | null>;
  /** How its rows are mapped, if they are those of files. */
  layout?: RowLayout<never, Raw>;
  /** URL of the module that exports it, alone or in a list, from which another thread loads the layout. */
  module?: string;
}

export const openSource = <Raw>(source: SourceDefinition<Raw>, settings: FeedSettings): Source<Raw> => ({
  name: source.name,
  ...settingsOf(source),
  module: source.layout && source.module,
  rows: (context) => source.rows(settings, context),
  snapshot: async (context) => {
    const found = (await source.snapshot?.(settings, context)) ?? null;
    return found && settings.archive ? { ...found, maxAgeDays: null } : found;
  },
});

interface FileSource extends ReadSettings {
  name: string;
  /** Under the data folder. */
  file: string;
  /** Defaults to 3; null for a file that is never replaced. */
  maxAgeDays?: number | null;
  read: ((file: FeedFile) => FeedRows) & Partial<Pick<FeedReader, 'layout'>>;
}

/** The feed is one file that is replaced in place, and as old as the file; offered if it exists. */
export function defineFileSource({
  name,
  file,
  read,
  maxAgeDays = MAX_AGE_DAYS,
  ...settings
}: FileSource): SourceDefinition {
  return {
    name,
    ...settingsOf(settings),
    isOffered: ({ dataDir }) => existsSync(join(dataDir, file)),
    rows: ({ dataDir }, { at: _, ...of }) => read({ path: join(dataDir, file), ...of }),
    readFile: read,
    ...(read.layout && { layout: read.layout }),
    snapshot: async ({ dataDir }) => ({ at: (await stat(join(dataDir, file))).mtime, maxAgeDays }),
  };
}
