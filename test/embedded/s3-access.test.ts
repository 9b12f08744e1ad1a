import { createHash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { createS3 } from '#s3/client.ts';
import { testConfig } from '#test/env.ts';
import { test } from '#test/test.ts';

// Uses the S3 server of the test run: the embedded one, unless S3_ENDPOINT is set.
const config = testConfig().s3;
const { endpoint } = config;
const owner = createS3(config);
test.after(() => owner.destroy());

const BUCKETS = [config.cdnBucket, config.exportsBucket];
const CONTENT = 'private';
const folder = `access-test/${process.pid}`;

interface Target {
  bucket: string;
  /** Keys of an uploaded object, a copied object, and an object uploaded in parts. */
  keys: readonly string[];
  /** Id of an incomplete multipart upload with one part. */
  uploadId: string;
}

const targets: Target[] = [];
test.before(async () => {
  for (const Bucket of BUCKETS) {
    const [put, copied, multipart] = ['put', 'copied', 'multipart'].map((name) => `${folder}/${name}.txt`);
    await owner.send(new PutObjectCommand({ Bucket, Key: put, Body: CONTENT }));
    await owner.send(new CopyObjectCommand({ Bucket, Key: copied, CopySource: `${Bucket}/${put}` }));
    const upload = async (Key: string) => {
      const { UploadId } = await owner.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      const { ETag } = await owner.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: CONTENT }));
      return { Bucket, Key, UploadId, MultipartUpload: { Parts: [{ ETag, PartNumber: 1 }] } };
    };
    await owner.send(new CompleteMultipartUploadCommand(await upload(multipart as string)));
    const { UploadId = '' } = await upload(`${folder}/open.txt`);
    targets.push({ bucket: Bucket, keys: [put, copied, multipart] as string[], uploadId: UploadId });
  }
});

/** Returns all objects with their contents, to check that nothing has changed. */
async function contents({ bucket: Bucket }: Target): Promise<Record<string, string | undefined>> {
  const { Contents = [] } = await owner.send(new ListObjectsV2Command({ Bucket, Prefix: `${folder}/` }));
  const read = async (Key: string | undefined) =>
    (await owner.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
  return Object.fromEntries(await Promise.all(Contents.map(async ({ Key }) => [Key, await read(Key)])));
}

interface RawOptions {
  headers?: Record<string, string>;
  body?: string;
  /**
   * Status that S3Proxy returns instead of 403: it returns 404 for a missing object, and supports unsigned POST only for
   * forms.
   */
  s3Proxy?: number;
}

type RawRequest = [name: string, method: string, path: string, options?: RawOptions];

const DELETE_LIST = `<Delete><Object><Key>${folder}/put.txt</Key></Object></Delete>`;

const FORGED: Readonly<Record<string, string>> = {
  AWSAccessKeyId: config.accessKeyId,
  policy: 'e30=',
  signature: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
};

const formOf = (fields: Readonly<Record<string, string>>): string =>
  `${Object.entries(fields)
    .map(([name, value]) => `--form\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--form--\r\n`;

/** Returns requests that a client without credentials might send. */
function rawRequests({ bucket, keys, uploadId }: Target): RawRequest[] {
  const [root, at] = [`/${bucket}`, `/${bucket}/${keys[0]}`];
  const [fresh, open] = [`${root}/${folder}/new.txt`, `${root}/${folder}/open.txt`];
  const xml = { 'Content-Type': 'application/xml' };
  const isPublic = { 'x-amz-acl': 'public-read' };
  const forms = [{}, FORGED].map((fields): RawRequest => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=form' };
    const body = formOf({ key: `${folder}/new.txt`, ...fields, file: 'x' });
    const name = `upload a form with ${Object.keys(fields).length} fields for a signature`;
    return [name, 'POST', root, { headers, body, s3Proxy: 400 }];
  });
  return [
    ['list', 'GET', root],
    ['list with a slash', 'GET', `${root}/`],
    ['list version 2', 'GET', `${root}?list-type=2&prefix=${folder}`],
    ['list uploads', 'GET', `${root}?uploads`],
    ['list versions', 'GET', `${root}?versions`],
    ['list parts', 'GET', `${open}?uploadId=${uploadId}`, { s3Proxy: 404 }],
    ['read a missing object', 'GET', open, { s3Proxy: 404 }],
    ['read the access control list', 'GET', `${root}?acl`],
    ['read the location', 'GET', `${root}?location`],
    ['read the policy', 'GET', `${root}?policy`],
    ['head the bucket', 'HEAD', root],
    ['preflight', 'OPTIONS', at, { headers: { Origin: endpoint } }],
    ...keys.flatMap((key) => ['GET', 'HEAD'].map((verb): RawRequest => [`${verb} ${key}`, verb, `${root}/${key}`])),
    ['read the list of an object', 'GET', `${at}?acl`],
    ['write', 'PUT', at, { body: 'x' }],
    ['write a new object', 'PUT', fresh, { body: 'x' }],
    ['copy', 'PUT', fresh, { headers: { 'x-amz-copy-source': at, ...isPublic } }],
    ['make public', 'PUT', `${root}?acl`, { headers: isPublic }],
    ['make an object public', 'PUT', `${at}?acl`, { headers: isPublic }],
    ['delete', 'DELETE', at],
    ['abort an upload', 'DELETE', `${open}?uploadId=${uploadId}`],
    ['delete several', 'POST', `${root}?delete`, { headers: xml, body: DELETE_LIST, s3Proxy: 400 }],
    ['begin an upload', 'POST', `${fresh}?uploads`, { s3Proxy: 501 }],
    ['write a part', 'PUT', `${open}?uploadId=${uploadId}&partNumber=1`, { body: 'x' }],
    [
      'complete an upload',
      'POST',
      `${open}?uploadId=${uploadId}`,
      { headers: xml, body: '<CompleteMultipartUpload/>', s3Proxy: 501 },
    ],
    ...forms,
    ['delete the bucket', 'DELETE', root],
    ['create a bucket', 'PUT', `${root}-new`],
  ];
}

for (const [at, bucket] of BUCKETS.entries())
  test(`unsigned requests to ${bucket} are refused for every verb`, async (t) => {
    const target = targets[at] as Target;
    const before = await contents(target);
    t.deepEqual(Object.values(before), [CONTENT, CONTENT, CONTENT]);
    const found: string[] = [];
    for (const [name, method, path, { headers = {}, body, s3Proxy = 403 } = {}] of rawRequests(target)) {
      const response = await fetch(`${endpoint}${path}`, {
        method,
        headers: {
          'Content-MD5': createHash('md5')
            .update(body ?? '')
            .digest('base64'),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      if (response.status !== 403 && response.status !== s3Proxy) found.push(`${name}: ${response.status} ${text}`);
      t.false(text.includes(folder), name);
    }
    t.deepEqual(found, []);
    t.deepEqual(await contents(target), before);
  });
