import { createHash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
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

type Next = (call: { request: unknown }) => Promise<unknown>;

/**
 * Creates a client without the headers that S3Proxy does not support, because S3Proxy rejects them before it checks the
 * signature.
 */
function strangerWith(changes: Partial<typeof config>): S3Client {
  const client = createS3({ ...config, ...changes });
  const dropChecksums: (next: Next) => Next = (next) => (call) => {
    const { headers } = call.request as { headers: Record<string, string> };
    for (const name of Object.keys(headers)) if (/^x-amz-(?:sdk-)?checksum/.test(name)) delete headers[name];
    return next(call);
  };
  client.middlewareStack.add(dropChecksums as never, { step: 'build', priority: 'low' });
  return client;
}

const FOREIGN = {
  'a wrong secret': strangerWith({ secretAccessKey: 'another secret of forty characters......' }),
  'an unknown key id': strangerWith({ accessKeyId: 'AKIAUNKNOWN000000000' }),
};
test.after(() => {
  for (const client of Object.values(FOREIGN)) client.destroy();
});

/** Returns requests of each kind. The server verifies the signature before it runs any of them. */
const signedRequests = (client: S3Client, { bucket: Bucket, keys: [Key] }: Target) => ({
  'list buckets': () => client.send(new ListBucketsCommand({})),
  list: () => client.send(new ListObjectsV2Command({ Bucket })),
  read: () => client.send(new GetObjectCommand({ Bucket, Key })),
  write: () => client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' })),
  delete: () => client.send(new DeleteObjectCommand({ Bucket, Key })),
  'begin an upload': () => client.send(new CreateMultipartUploadCommand({ Bucket, Key: `${folder}/new.txt` })),
  'create a bucket': () => client.send(new CreateBucketCommand({ Bucket: `${Bucket}-new` })),
});

for (const [at, bucket] of BUCKETS.entries())
  for (const [credentials, client] of Object.entries(FOREIGN))
    test(`requests to ${bucket} signed with ${credentials} are refused`, async (t) => {
      const target = targets[at] as Target;
      const before = await contents(target);
      for (const [name, send] of Object.entries(signedRequests(client, target))) {
        const error = await t.throwsAsync<Error & { $metadata?: { httpStatusCode?: number } }>(send(), undefined, name);
        t.is(error?.$metadata?.httpStatusCode, 403, `${name}: ${error?.message}`);
      }
      t.deepEqual(await contents(target), before);
    });

for (const [at, bucket] of BUCKETS.entries())
  test(`a signed link to ${bucket} is valid only for its verb, object and lifetime`, async (t) => {
    const { keys } = targets[at] as Target;
    const [Key = '', other = ''] = keys;
    const sign = (expiresIn: number, age = 0) =>
      getSignedUrl(owner, new GetObjectCommand({ Bucket: bucket, Key }), {
        expiresIn,
        signingDate: new Date(Date.now() - age),
      });
    const link = await sign(600);
    const status = async (url: string, method = 'GET'): Promise<number> => {
      const response = await fetch(url, { method, ...(method === 'PUT' ? { body: 'x' } : {}) });
      await response.text();
      return response.status;
    };
    t.is(await status(link), 200);
    t.is(await status(link.replace(Key, other)), 403, 'another key');
    t.is(await status(link.replace(`/${Key}`, '/')), 403, 'the bucket');
    t.is(await status(link.replace(`/${bucket}/`, `/${BUCKETS[1 - at]}/`)), 403, 'another bucket');
    t.is(await status(link.replace('X-Amz-Expires=600', 'X-Amz-Expires=700')), 403, 'a longer lifetime');
    for (const method of ['PUT', 'DELETE', 'POST', 'HEAD']) t.is(await status(link, method), 403, method);
    t.is(await status(await sign(60, 120_000)), 403, 'expired');
    const [from, query] = link.split('?');
    t.is(await status(`${from}?acl&${query}`), 403, 'the access control list');
    t.is(await status(`${from}?${query?.replace(/X-Amz-Signature=[^&]*&?/, '')}`), 403, 'without the signature');
    t.is(await (await fetch(link)).text(), CONTENT);
  });
