import type { Services } from '#src/services.ts';
import type { ReadListings } from '#src/webhooks/match.ts';
import type { Ingest } from './open-ingest.ts';
import type { Official } from './open-official.ts';

export interface WorkerServices extends Services {
  ingest: Ingest;
  official: Official;
  /** Folder of official data; null if none is configured. */
  officialDir: string | null;
  readListings: ReadListings;
}

/** Stops a worker: no new work starts, and active work ends or reaches a checkpoint. */
export type Stop = () => Promise<void>;
