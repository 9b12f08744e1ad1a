import type { S3Client } from '@aws-sdk/client-s3';
import type pg from 'pg';
import type { ListingIndex } from '#search/listing-index/index.ts';
import type { Writer } from '../postgres/writer.ts';
import type { PhotoOptions } from './photo-options.ts';
import type { Progress } from './report.ts';
import type { Run } from './run-state.ts';

/** The context of filling an index, in a run or a rebuild. */
export type FillContext = Pick<RunContext, 'pool' | 'onProgress' | 'signal'> & {
  run: Pick<Run, 'id' | 'at'>;
  /** Cluster, and prefix of its index names. */
  listingIndex: Pick<ListingIndex, 'client' | 'prefix'>;
};

/** The shared context of the stages of a run. */
export interface RunContext {
  run: Run;
  writer: Writer;
  /** For reading, with a long statement timeout. */
  pool: pg.Pool;
  listingIndex: ListingIndex;
  s3: S3Client;
  photos: PhotoOptions;
  /**
   * Whether another run follows immediately, before anything is served. Documents of indexes and deals are derived from
   * tables, so they are left to that run.
   */
  followed: boolean;
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}
