import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import type pg from 'pg';
import { readKey } from '#src/exports/files.ts';
import { FILE_DAYS } from '#src/exports/store.ts';
import type { Job } from '#stores/postgres/job.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { deleteObjects } from '#stores/s3/delete-objects.ts';

export interface Bucket {
  s3: S3Client;
  bucket: string;
}

const REQUEST_LIMIT = 30_000;

export function exportJobs(bucket: Bucket): readonly Job[] {
  return [
    {
      name: 'expire-export-files',
      schedule: '47 * * * *',
      run: async (db, now) => ({ exports: await expireFiles(db, now) }),
    },
    { name: 'sweep-export-files', schedule: '52 * * * *', run: (db) => sweep(db, bucket) },
  ];
}

/** The sweep then deletes the expired files. */
async function expireFiles(db: Queryable, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `update exports set files_deleted_at = $1
      where status = 'completed' and files_deleted_at is null and finished_at <= $1::timestamptz - make_interval(days => $2)`,
    [now, FILE_DAYS],
  );
  return rowCount ?? 0;
}

/**
 * Deletes the files of exports that may contain a listing, and starts running ones again. Other exports without a copy of
 * the listing may be among them.
 * @returns number of completed exports, whose files are deleted
 */
export async function withdrawFiles(db: pg.Pool, bucket: Bucket, listing: number): Promise<number> {
  const mayContain = `dataset in ('listings', 'listing_changes') and exists (
    select from listings l
     where l.id = $1 and coalesce(filters::jsonb -> 'city' @> any (array[to_jsonb(l.city), to_jsonb(l.was_city)]), true))`;
  await db.query(
    `update exports set status = 'queued', due_at = clock_timestamp() where status = 'running' and ${mayContain}`,
    [listing],
  );
  const { rowCount } = await db.query(
    `update exports set files_deleted_at = now() where status = 'completed' and files_deleted_at is null and ${mayContain}`,
    [listing],
  );
  await sweep(db, bucket);
  return rowCount ?? 0;
}

/**
 * Deletes files of superseded, failed and expired attempts, and unfinished uploads. Decides by object keys, because
 * some S3 servers return no object ages.
 */
async function sweep(db: Queryable, { s3, bucket }: Bucket): Promise<{ files: number; uploads: number }> {
  const abortSignal = () => ({ abortSignal: AbortSignal.timeout(REQUEST_LIMIT) });
  let files = 0;
  let uploads = 0;
  for (let token: string | undefined, more = true; more; ) {
    const page = await s3.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: PREFIX, ContinuationToken: token }),
      abortSignal(),
    );
    const keys = (page.Contents ?? []).flatMap(({ Key }) => Key ?? []);
    for (const key of await unneeded(db, keys, (key) => key)) {
      await deleteObjects(s3, bucket, [key]);
      files++;
    }
    token = page.NextContinuationToken;
    more = page.IsTruncated === true && token !== undefined;
  }
  for (let marker: { KeyMarker?: string; UploadIdMarker?: string } = {}, more = true; more; ) {
    const page = await s3.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: PREFIX, ...marker }),
      abortSignal(),
    );
    for (const { Key, UploadId } of await unneeded(db, page.Uploads ?? [], ({ Key: key }) => key ?? '')) {
      await s3.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }), abortSignal());
      uploads++;
    }
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    more = page.IsTruncated === true && page.NextKeyMarker !== undefined;
  }
  return { files, uploads };
}

const PREFIX = 'exp_';

/**
 * Returns the objects whose attempt is neither running nor available. Unknown exports may belong to another
 * installation. List the bucket before, so that an attempt that starts meanwhile has no listed objects.
 */
async function unneeded<T>(db: Queryable, things: readonly T[], keyOf: (thing: T) => string): Promise<T[]> {
  const located = things.map((thing) => ({ thing, at: readKey(keyOf(thing)) }));
  const ids = [...new Set(located.flatMap(({ at }) => at?.exportId ?? []))];
  if (ids.length === 0) return [];
  const rows = await sql.queryRows(
    db,
    { id: sql.text, needed: sql.nullable(sql.integer) },
    `select public_id as id,
            case when status = 'running' or (status = 'completed' and files_deleted_at is null) then attempt end as needed
       from exports where public_id = any ($1)`,
    [ids],
  );
  const known = new Map(rows.map(({ id, needed }) => [id, needed]));
  return located.flatMap(({ thing, at }) =>
    at && known.has(at.exportId) && known.get(at.exportId) !== at.attempt ? [thing] : [],
  );
}
