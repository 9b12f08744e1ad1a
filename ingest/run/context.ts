import type { S3Client } from '@aws-sdk/client-s3';
import type pg from 'pg';
import type { ListingIndex } from '#search/listing-index/index.ts';
import type { Writer } from '../postgres/writer.ts';
import type { PhotoOptions } from './photo-options.ts';
import type { Progress } from './report.ts';
import type { Run } from './run-state.ts';

/** What an index is filled with, in a run or for a rebuild. */
export type FillContext = Pick<RunContext, 'pool' | 'onProgress' | 'signal'> & {
  run: Pick<Run, 'id' | 'at'>;
  /** The cluster and the installation. */
  listingIndex: Pick<ListingIndex, 'client' | 'prefix'>;
};

/** What the stages of one run share. */
export interface RunContext {
  run: Run;
  writer: Writer;
  /** For reading, with a long statement timeout. */
  pool: pg.Pool;
  listingIndex: ListingIndex;
  s3: S3Client;
  photos: PhotoOptions;
  /**
   * Another run follows at once, and nobody is served before it: what is made from tables alone is left to that one, which
   * are documents of the indexes, and deals, of which only the present ones count.
   */
  followed: boolean;
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}
