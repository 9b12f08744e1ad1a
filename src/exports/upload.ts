import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';

export interface FileStore {
  s3: S3Client;
  bucket: string;
  prefix: string;
  signal: AbortSignal;
}

export interface UploadedBytes {
  bytes: number;
  /** Digest in lowercase hex. */
  sha256: string;
}

export interface GzipUpload {
  /** Writes bytes, which must not change afterwards. Resolves when the next can be written. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves once the whole file is in the bucket. */
  end(): Promise<UploadedBytes>;
  /** Aborts the upload, without waiting until its parts are deleted from the bucket. */
  abort(): void;
}

/** Bytes of a part, and maximum number of concurrent parts, which are held in memory. */
const PART_SIZE = 5 * 2 ** 20;
const PARTS_AT_ONCE = 2;

/** Compresses off the main thread; the file is never whole in memory. */
export function openGzipUpload(store: FileStore, name: string): GzipUpload {
  // A row of 2,368 bytes: 548 bytes in 19 µs at level 1, 471 in 24 µs at level 4, 439 in 33 µs at level 6.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: 2 ** 18 });
  const hash = createHash('sha256');
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const upload = new Upload({
    client: store.s3,
    params: { Bucket: store.bucket, Key: `${store.prefix}${name}`, Body: meter, ContentType: 'application/gzip' },
    partSize: PART_SIZE,
    queueSize: PARTS_AT_ONCE,
  });
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const fail = (error: unknown): void => {
    failed.reject(error);
    gzip.destroy();
    void upload.abort();
  };
  const compressed = pipeline(gzip, meter, { signal: store.signal });
  const uploaded = upload.done();
  compressed.catch(fail);
  uploaded.catch(fail);

  let writing: Promise<void> = Promise.resolve();
  return {
    async write(chunk) {
      const before = writing;
      writing = new Promise<void>((resolve, reject) => {
        gzip.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
      writing.catch(() => {});
      // One chunk is compressed while the next is prepared.
      await Promise.race([before, failed.promise]);
    },
    async end() {
      gzip.end();
      await Promise.race([Promise.all([writing, compressed, uploaded]), failed.promise]);
      return { bytes, sha256: hash.digest('hex') };
    },
    abort: () => fail(new Error('given up')),
  };
}

export async function uploadText(
  store: FileStore,
  name: string,
  contentType: string,
  text: string,
): Promise<UploadedBytes> {
  const body = Buffer.from(text);
  const command = new PutObjectCommand({
    Bucket: store.bucket,
    Key: `${store.prefix}${name}`,
    Body: body,
    ContentType: contentType,
  });
  await store.s3.send(command, { abortSignal: store.signal });
  return { bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') };
}
