import type { ServedIndex } from '#domain/index-state.ts';
import type { Services } from '#src/services.ts';
import type { ReadListings } from '#webhooks/match.ts';

/** Feeds of a run that need attention, by source. The other results are only logged. */
export interface IngestReport {
  failed: Readonly<Record<string, string>>;
  held: Readonly<Record<string, string>>;
  stale: Readonly<Record<string, string>>;
}

/** The pipeline from feeds to index, for workers. The caller opens it. */
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
   * @returns the report of the run, or null while another process ingests
   * @throws StoreError if a store is unavailable
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

/** The services of workers. */
export interface WorkerServices extends Services {
  ingest: IngestPipeline;
  official: OfficialPipeline;
  photos: PhotoPipeline;
  /** Reads listings out of the record of ingest. */
  readListings: ReadListings;
}

/**
 * Background work. Any number of processes run every worker concurrently: a worker itself ensures that each task is done once.
 */
export interface Worker {
  name: string;
  /** @returns what stops it: nothing new begins, and work under way ends or reaches a checkpoint */
  start(services: WorkerServices): Promise<() => Promise<void>>;
}
