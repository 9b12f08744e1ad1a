import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { createS3 } from '#stores/s3/s3-client.ts';
import { testConfig } from '#test/env.ts';
import { test } from '#test/test.ts';

// Uses the S3 server of the test run: the embedded one, unless S3_ENDPOINT is set.
const config = testConfig().s3;
const { cdnBucket, exportsBucket, endpoint } = config;
const owner = createS3(config);
test.after(() => owner.destroy());

const folder = `access-test/${process.pid}`;

type RawRequest = [
  name: string,
  method: string,
  path: string,
  options?: {
    headers?: Record<string, string>;
    body?: string;
    /** Status that S3Proxy returns instead of 403: it supports unsigned POST only for forms. */
    s3Proxy?: number;
  },
];

const FORGED = { AWSAccessKeyId: config.accessKeyId, policy: 'e30=', signature: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' };

const formOf = (fields: Readonly<Record<string, string>>): string =>
  `${Object.entries(fields)
    .map(([name, value]) => `--form\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--form--\r\n`;

/** Returns requests that a client without credentials might send, one for each verb and subject. */
function rawRequests(bucket: string, uploadId: string | undefined): RawRequest[] {
  const [root, at] = [`/${bucket}`, `/${bucket}/${folder}/kept.txt`];
  const [fresh, open] = [`${root}/${folder}/new.txt`, `${root}/${folder}/open.txt`];
  const isPublic = { 'x-amz-acl': 'public-read' };
  const form = formOf({ key: `${folder}/new.txt`, ...FORGED, file: 'x' });
  const list = `<Delete><Object><Key>${folder}/kept.txt</Key></Object></Delete>`;
  return [
    ['list', 'GET', `${root}?list-type=2&prefix=${folder}`],
    ['list uploads', 'GET', `${root}?uploads`],
    ['head the bucket', 'HEAD', root],
    ['read the access control list', 'GET', `${at}?acl`],
    ['read', 'GET', at],
    ['head', 'HEAD', at],
    ['write', 'PUT', at, { body: 'x' }],
    ['copy', 'PUT', fresh, { headers: { 'x-amz-copy-source': at, ...isPublic } }],
    ['make public', 'PUT', `${root}?acl`, { headers: isPublic }],
    ['make an object public', 'PUT', `${at}?acl`, { headers: isPublic }],
    ['delete', 'DELETE', at],
    ['delete several', 'POST', `${root}?delete`, { body: list, s3Proxy: 400 }],
    ['begin an upload', 'POST', `${fresh}?uploads`, { s3Proxy: 501 }],
    ['write a part', 'PUT', `${open}?uploadId=${uploadId}&partNumber=1`, { body: 'x' }],
    ['abort an upload', 'DELETE', `${open}?uploadId=${uploadId}`],
    [
      'post',
      'POST',
      root,
      { headers: { 'Content-Type': 'multipart/form-data; boundary=form' }, body: form, s3Proxy: 400 },
    ],
    ['delete the bucket', 'DELETE', root],
    ['create a bucket', 'PUT', `${root}-new`],
  ];
}

for (const bucket of [cdnBucket, exportsBucket])
  test(`unsigned requests to ${bucket} are refused for every verb`, async (t) => {
    const place = { Bucket: bucket, Key: `${folder}/kept.txt` };
    await owner.send(new PutObjectCommand({ ...place, Body: 'private' }));
    const upload = { Bucket: bucket, Key: `${folder}/open.txt` };
    const { UploadId } = await owner.send(new CreateMultipartUploadCommand(upload));
    await owner.send(new UploadPartCommand({ ...upload, UploadId, PartNumber: 1, Body: 'private' }));
    const found: string[] = [];
    for (const [name, method, path, { headers = {}, body, s3Proxy = 403 } = {}] of rawRequests(bucket, UploadId)) {
      const digest = createHash('md5')
        .update(body ?? '')
        .digest('base64');
      const response = await fetch(`${endpoint}${path}`, {
        method,
        headers: { 'Content-MD5': digest, ...headers },
        body: body ?? null,
      });
      const text = await response.text();
      if (response.status !== 403 && response.status !== s3Proxy) found.push(`${name}: ${response.status} ${text}`);
      t.false(text.includes(folder), name);
    }
    t.deepEqual(found, []);
    const { Contents = [] } = await owner.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `${folder}/` }));
    t.deepEqual(
      Contents.map(({ Key }) => Key),
      [place.Key],
    );
    t.is(await (await owner.send(new GetObjectCommand(place))).Body?.transformToString(), 'private');
  });

test('no request writes outside of its bucket, signed or not', async (t) => {
  const names = ['../outside.txt', 'a/../../../outside.txt', '..%2foutside.txt', '..\\outside.txt'];
  for (const Key of names)
    await owner.send(new PutObjectCommand({ Bucket: cdnBucket, Key, Body: 'outside' })).catch(() => {});
  for (const path of ['..%2f..%2foutside.txt', '%2e%2e/outside.txt'])
    t.true((await fetch(`${endpoint}/${cdnBucket}/${path}`, { method: 'PUT', body: 'x' })).status >= 400, path);
  const files = process.env.EMBEDDED_S3_FOLDER;
  if (files === undefined) {
    t.log('skipped: the S3 server of this run is not the embedded one');
    return;
  }
  // Other tests use other buckets on this server.
  const own = join('data', cdnBucket) + sep;
  const written = (await readdir(files, { recursive: true })).filter((file) => file.endsWith('outside.txt'));
  t.deepEqual(
    written.filter((file) => !file.startsWith(own)),
    [],
  );
  t.false((await readdir(dirname(files))).includes('outside.txt'));
});
