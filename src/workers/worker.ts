import type { ServedIndex } from '#domain/index-state.ts';
import type { Services } from '#src/services.ts';
import type { ReadListings } from '#webhooks/match.ts';

/** Feeds that require attention: the reason by source. */
export interface IngestReport {
  failed: Readonly<Record<string, string>>;
  held: Readonly<Record<string, string>>;
  stale: Readonly<Record<string, string>>;
}

/** Opened by the caller. */
export interface IngestPipeline {
  /** Sources with a feed in this installation. */
  sources: readonly string[];
  /** Returns whether Postgres was restored to an earlier state. */
  isRepairDue(): Promise<boolean>;
  /**
   * Fills the indexes after a restore.
   * @returns false if another process is ingesting
   */
  repair(signal: AbortSignal): Promise<boolean>;
  /**
   * Fills an index from Postgres.
   * @returns false if another process is ingesting
   */
  fill(name: ServedIndex, signal: AbortSignal): Promise<boolean>;
  /**
   * @returns null if another process is ingesting
   * @throws StoreError if a datastore is unavailable
   */
  run(request: { trigger: string; signal: AbortSignal }): Promise<IngestReport | null>;
}

export interface OfficialPipeline {
  /** Rebuilds the index of registered deals. */
  rebuild(): Promise<void>;
  /** @returns results for files that were not imported before, or null if another process is importing */
  importNew(signal: AbortSignal): Promise<readonly object[] | null>;
}

export interface PhotoPipeline {
  /** Fetches lost photos again, unless too many are missing. */
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
  readListings: ReadListings;
}

/** Stops a worker: no new work starts, and active work ends or reaches a checkpoint. */
export type Stop = () => Promise<void>;
