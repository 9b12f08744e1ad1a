import type { ServedIndex } from '#domain/index-state.ts';
import type { Services } from '#src/services.ts';
import type { ReadListings } from '#webhooks/match.ts';

/** Feeds in a run that require attention: the reason by source. Other results are only logged. */
export interface IngestReport {
  failed: Readonly<Record<string, string>>;
  held: Readonly<Record<string, string>>;
  stale: Readonly<Record<string, string>>;
}

/** The interface of the ingest pipeline for workers. The caller opens the pipeline. */
export interface IngestPipeline {
  /** Names of the sources that have a feed in this installation. */
  sources: readonly string[];
  /** Returns whether Postgres was restored to an earlier state. */
  isRepairDue(): Promise<boolean>;
  /** Fills the indexes after a restore. @returns whether it did; false if another process is ingesting */
  repair(signal: AbortSignal): Promise<boolean>;
  /** Fills an index from Postgres. @returns whether it was filled; false if another process is ingesting */
  fill(name: ServedIndex, signal: AbortSignal): Promise<boolean>;
  /**
   * @returns the report of the run, or null if another process is ingesting
   * @throws StoreError if a datastore is unavailable
   */
  run(request: { trigger: string; signal: AbortSignal }): Promise<IngestReport | null>;
}

/** The interface for workers to import official open data. */
export interface OfficialPipeline {
  /** Rebuilds the index of registered deals from Postgres. */
  rebuild(): Promise<void>;
  /** @returns results for files that were not imported before, or null if another process is importing */
  importNew(signal: AbortSignal): Promise<readonly object[] | null>;
}

/** The interface for workers to verify photos in the CDN bucket. */
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
  /** Reads listings from the ingest tables. */
  readListings: ReadListings;
}

type Stop = () => Promise<void>;

/** A background task. Any number of processes may run each worker; the worker ensures that a task is done once. */
export interface Worker {
  name: string;
  /** @returns a function that stops the worker: no new work starts, and active work ends or reaches a checkpoint */
  start(services: WorkerServices): Stop | Promise<Stop>;
}
