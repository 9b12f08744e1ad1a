import type { ServedIndex } from '#domain/index-state.ts';
import type { Services } from '#src/services.ts';
import type { ReadListings } from '#webhooks/match.ts';

/** That require attention: the reason by source. */
export interface IngestReport {
  failed: Readonly<Record<string, string>>;
  held: Readonly<Record<string, string>>;
  stale: Readonly<Record<string, string>>;
}

/** Opened by the caller. */
export interface IngestPipeline {
  /** With a feed in this installation. */
  sources: readonly string[];
  /** Postgres was restored to an earlier state. */
  isRepairDue(): Promise<boolean>;
  /** After a restore. @returns false if another process is ingesting */
  repair(signal: AbortSignal): Promise<boolean>;
  /** From Postgres. @returns false if another process is ingesting */
  fill(name: ServedIndex, signal: AbortSignal): Promise<boolean>;
  /**
   * @returns null if another process is ingesting
   * @throws StoreError if a datastore is unavailable
   */
  run(request: { trigger: string; signal: AbortSignal }): Promise<IngestReport | null>;
}

export interface OfficialPipeline {
  /** Of registered deals. */
  rebuild(): Promise<void>;
  /** @returns results for new files, or null if another process is importing */
  importNew(signal: AbortSignal): Promise<readonly object[] | null>;
}

export interface PhotoPipeline {
  /** Fetches lost ones again, unless too many are missing. */
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
  /** From the ingest tables. */
  readListings: ReadListings;
}

type Stop = () => Promise<void>;

/** In any number of processes; ensures that a task is done once. */
export interface Worker {
  name: string;
  /** @returns stops it: no new work, and active work ends or reaches a checkpoint */
  start(services: WorkerServices): Stop | Promise<Stop>;
}
