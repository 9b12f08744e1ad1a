import type { ServedIndex } from '#domain/index-state.ts';
import type { Services } from '#src/services.ts';
import type { ReadListings } from '#webhooks/match.ts';

/** Feeds of a run that need attention, with the reason by source. Other results are only logged. */
export interface IngestReport {
  failed: Readonly<Record<string, string>>;
  held: Readonly<Record<string, string>>;
  stale: Readonly<Record<string, string>>;
}

/** The pipeline from feeds to indexes, as workers use it. The caller opens it. */
export interface IngestPipeline {
  /** Names of the sources that have a feed in this installation. */
  sources: readonly string[];
  /** Returns whether Postgres was restored, so that a run must rebuild the indexes. */
  isRebuildDue(): Promise<boolean>;
  /** Rebuilds an index from Postgres. @returns whether it was rebuilt; false while another process ingests */
  rebuild(name: ServedIndex, signal: AbortSignal): Promise<boolean>;
  /**
   * Publishes listings that an earlier release has written.
   * @returns whether they were published; false while another process ingests
   */
  publish(signal: AbortSignal): Promise<boolean>;
  /**
   * @returns the report of the run, or null while another process ingests
   * @throws StoreError if a store is unavailable
   */
  run(request: { trigger: string; signal: AbortSignal }): Promise<IngestReport | null>;
}

/** The import of official open data, as workers use it. */
export interface OfficialPipeline {
  /** Rebuilds the index of registered deals from Postgres. */
  rebuild(): Promise<void>;
  /** @returns the results of files that were not read before, or null while another process imports */
  importNew(signal: AbortSignal): Promise<readonly object[] | null>;
}

/** The check of photos in the CDN bucket, as workers use it. */
export interface PhotoPipeline {
  /** Checks a sample of photos and fetches lost photos again, unless too many are missing. */
  verifySample(signal: AbortSignal): Promise<{
    checked: number;
    missing: number;
    held: boolean;
    restored: number;
    replaced: number;
    failed: Readonly<Record<string, number>>;
  }>;
}

export interface WorkerServices extends Services {
  ingest: IngestPipeline;
  official: OfficialPipeline;
  photos: PhotoPipeline;
  /** Reads listings from the tables of ingest. */
  readListings: ReadListings;
}

/**
 * A background task. Every worker may run in any number of processes concurrently, and ensures itself that each task is done
 * once.
 */
export interface Worker {
  name: string;
  /** @returns a function that stops the worker: no new work starts, and current work ends or reaches a checkpoint */
  start(services: WorkerServices): Promise<() => Promise<void>>;
}
