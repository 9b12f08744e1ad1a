import type { ServedIndex } from '#domain/index-state.ts';
import type { Services } from '#src/services.ts';
import type { ReadListings } from '#webhooks/match.ts';

/** What a run says of feeds that somebody should look at, by source; the rest is for the log. */
export interface IngestReport {
  failed: Readonly<Record<string, string>>;
  held: Readonly<Record<string, string>>;
  stale: Readonly<Record<string, string>>;
}

/** The pipeline from feeds to index, as workers see it; whoever starts them opens it. */
export interface IngestPipeline {
  /** Names of the sources whose feeds this installation has. */
  sources: readonly string[];
  /** Whether Postgres was restored, so that a run has to rebuild the indexes. */
  isRebuildDue(): Promise<boolean>;
  /** Makes an index equal to Postgres. @returns whether it was; false while another process ingests */
  rebuild(name: ServedIndex, signal: AbortSignal): Promise<boolean>;
  /** Publishes the listings that an earlier release has written. @returns whether that is done; false while another process ingests */
  publish(signal: AbortSignal): Promise<boolean>;
  /**
   * @returns what the run reports, or null while another process ingests
   * @throws StoreError when a store is unavailable
   */
  run(request: { trigger: string; signal: AbortSignal }): Promise<IngestReport | null>;
}

/** The folder of official open data, as workers see it. */
export interface OfficialPipeline {
  /** Makes the index of registered deals equal to Postgres. */
  rebuild(): Promise<void>;
  /** @returns what became of files that had not been read before, or null while another process imports */
  importNew(signal: AbortSignal): Promise<readonly object[] | null>;
}

/** The photos of listings in the CDN bucket, as workers see them. */
export interface PhotoPipeline {
  /** Checks a sample, and fetches photos again that the bucket has lost, unless too many are missing. */
  verifySample(signal: AbortSignal): Promise<{
    checked: number;
    missing: number;
    held: boolean;
    restored: number;
    replaced: number;
    failed: Readonly<Record<string, number>>;
  }>;
}

/** What workers reach the world through. */
export interface WorkerServices extends Services {
  ingest: IngestPipeline;
  official: OfficialPipeline;
  photos: PhotoPipeline;
  /** Reads listings out of the record of ingest. */
  readListings: ReadListings;
}

/**
 * Work that goes on beside the requests. Any number of processes run every worker side by side: a worker itself makes
 * sure that each thing is done once.
 */
export interface Worker {
  name: string;
  /** @returns what stops it: nothing new begins, and work under way ends or reaches a checkpoint */
  start(services: WorkerServices): Promise<() => Promise<void>>;
}
