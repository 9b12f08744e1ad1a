import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { statusOf } from '#s3/failures.ts';
import { forEachOf, writeNew } from './files.ts';
import type { BackupFile, StoredObject } from './manifest.ts';

/** Names of the buckets on the server. */
type Buckets = Readonly<Record<StoredObject['bucket'], string>>;

/** An S3 server. */
export interface ObjectStore {
  s3: S3Client;
  buckets: Buckets;
}

type Listed = Pick<StoredObject, 'bucket' | 'key'>;

/** Lists the objects of both buckets. */
export async function listObjects({ s3, buckets }: ObjectStore): Promise<Listed[]> {
  const found: Listed[] = [];
  for (const bucket of Object.keys(buckets) as StoredObject['bucket'][]) {
    for (let token: string | undefined, more = true; more; ) {
      const page = await s3.send(new ListObjectsV2Command({ Bucket: buckets[bucket], ContinuationToken: token }));
      for (const { Key: key } of page.Contents ?? []) if (key !== undefined) found.push({ bucket, key });
      token = page.NextContinuationToken;
      more = page.IsTruncated === true && token !== undefined;
    }
  }
  return found;
}

/** Returns the path of an object in a backup. Keys may be no valid file names, so the name is a hash of the key. */
const pathOf = ({ bucket, key }: Listed): string => {
  const name = createHash('sha256').update(key).digest('hex');
  return `s3/${bucket}/${name.slice(0, 2)}/${name}`;
};

/** Copies objects into a backup. Objects that are deleted meanwhile are left out. */
export async function copyObjects(
  { s3, buckets }: ObjectStore,
  objects: readonly Listed[],
  dir: string,
  onObject: () => void,
): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  await forEachOf(objects, async (object) => {
    const found = await s3
      .send(new GetObjectCommand({ Bucket: buckets[object.bucket], Key: object.key }))
      .catch((error: unknown) => {
        if (error instanceof Error && error.name === 'NoSuchKey') return null;
        throw error;
      });
    onObject();
    if (found === null) return;
    const path = pathOf(object);
    const body = (found.Body ?? []) as AsyncIterable<Uint8Array>;
    const { ContentType: contentType, CacheControl: cacheControl } = found;
    files.push({
      path,
      ...(await writeNew(join(dir, path), body)),
      object: { ...object, contentType, cacheControl },
    });
  });
  return files;
}

/** Uploads the objects of a backup, except those that the server has in the same size. @returns number of uploads */
export async function putObjects(
  { s3, buckets }: ObjectStore,
  files: readonly BackupFile[],
  dir: string,
  onObject: () => void,
): Promise<number> {
  let put = 0;
  await forEachOf(files, async ({ path, size, object }) => {
    if (object === undefined) return;
    const target = { Bucket: buckets[object.bucket], Key: object.key };
    if ((await sizeOf(s3, target)) !== size) {
      const params = {
        ...target,
        Body: createReadStream(join(dir, path)),
        ContentType: object.contentType,
        CacheControl: object.cacheControl,
      };
      await new Upload({ client: s3, params }).done();
      put++;
    }
    onObject();
  });
  return put;
}

async function sizeOf(s3: S3Client, target: { Bucket: string; Key: string }): Promise<number | null> {
  try {
    return (await s3.send(new HeadObjectCommand(target))).ContentLength ?? null;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}
