import { readdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { createS3 } from '#s3/client.ts';
import { testConfig } from '#test/env.ts';
import { test } from '#test/test.ts';

// Uses the S3 server of the test run: the embedded one, unless S3_ENDPOINT is set.
const config = testConfig();
const { cdnBucket: Bucket, endpoint } = config.s3;
const s3 = createS3(config.s3);
test.after(() => s3.destroy());

const key = (name: string): string => `s3-test/${process.pid}/${name}`;
const put = (Key: string, Body: string | Buffer) => s3.send(new PutObjectCommand({ Bucket, Key, Body }));
const get = async (Key: string, Range?: string): Promise<string> =>
  (await s3.send(new GetObjectCommand({ Bucket, Key, Range }))).Body?.transformToString() ?? '';

test('objects are returned unchanged, whole and in ranges', async (t) => {
  await put(key('text.txt'), 'سلام hello');
  t.is(await get(key('text.txt')), 'سلام hello');
  t.is(await get(key('text.txt'), 'bytes=9-13'), 'hello');
  const error = await t.throwsAsync(get(key('not-there')));
  t.is(error?.name, 'NoSuchKey');
});

test('a multipart upload creates one object when it is completed, and none before', async (t) => {
  const Key = key('parts.bin');
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const bodies = [Buffer.alloc(5 * 1024 * 1024, 'a'), Buffer.from('the end')];
  const Parts = await Promise.all(
    bodies.map(async (Body, at) => {
      const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: at + 1, Body }));
      return { ETag, PartNumber: at + 1 };
    }),
  );
  await t.throwsAsync(s3.send(new HeadObjectCommand({ Bucket, Key })));
  await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
  const { ContentLength } = await s3.send(new HeadObjectCommand({ Bucket, Key }));
  t.is(ContentLength, 5 * 1024 * 1024 + 7);
});

test('no request writes outside of its bucket, signed or not', async (t) => {
  const names = [
    '../outside.txt',
    '../../outside.txt',
    'a/../../../outside.txt',
    '..%2foutside.txt',
    '..\\outside.txt',
  ];
  for (const name of names) await put(name, 'outside').catch(() => {});
  for (const path of ['..%2f..%2foutside.txt', '%2e%2e/outside.txt'])
    t.true((await fetch(`${endpoint}/${Bucket}/${path}`, { method: 'PUT', body: 'x' })).status >= 400, path);
  const folder = process.env.EMBEDDED_S3_FOLDER;
  if (folder === undefined) {
    t.log('skipped: the S3 server of this run is not the embedded one');
    return;
  }
  // Other tests use other buckets on this server.
  const own = join('data', Bucket) + sep;
  const written = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('outside.txt'));
  t.deepEqual(
    written.filter((file) => !file.startsWith(own)),
    [],
  );
  t.false((await readdir(dirname(folder))).includes('outside.txt'));
});
