import { readdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { createS3 } from '#s3/client.ts';
import { testConfig } from '#test/env.ts';
import { test } from '#test/test.ts';

// Uses the S3 server of the test run: the embedded one, unless S3_ENDPOINT is set.
const config = testConfig();
const { cdnBucket: Bucket, endpoint } = config.s3;
const s3 = createS3(config.s3);
test.after(() => s3.destroy());

test('no request writes outside of its bucket, signed or not', async (t) => {
  const names = [
    '../outside.txt',
    '../../outside.txt',
    'a/../../../outside.txt',
    '..%2foutside.txt',
    '..\\outside.txt',
  ];
  for (const Key of names) await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'outside' })).catch(() => {});
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
