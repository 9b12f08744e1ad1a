import type { S3Client } from '@aws-sdk/client-s3';
import type { Boundaries } from '#domain/geography/boundaries.ts';
import type { ListingIndex } from '#stores/opensearch/listing-index/listing-index.ts';
import type { SessionPool } from '#stores/postgres/pool.ts';
import type { PublishedRun } from '../postgres/earlier-rows.ts';
import type { Writer } from '../postgres/writer.ts';
import type { PhotoOptions } from './photo-options.ts';
import type { Progress } from './run-report.ts';
import type { Run } from './run-state.ts';

export type FillContext = Pick<RunContext, 'pool' | 'onProgress' | 'signal'> & {
  /** The last run whose rows are shown; all rows if omitted. */
  published?: PublishedRun;
  run: Pick<Run, 'id' | 'at'>;
  listingIndex: Pick<ListingIndex, 'client'>;
};

export interface RunContext {
  run: Run;
  writer: Writer;
  /** Connection pool for reads, with a long statement timeout. */
  pool: SessionPool;
  listingIndex: ListingIndex;
  s3: S3Client;
  photos: PhotoOptions;
  boundaries: Boundaries;
  /** Whether another run follows before anything is served. It then writes the index documents and deals. */
  followed: boolean;
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}
