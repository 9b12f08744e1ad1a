import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import Koa from 'koa';
import { type PhotoLimits, servePhoto } from '#site/photo.ts';
import type { Config } from '#src/config.ts';
import { eventually } from '#test/eventually.ts';

/** More than sockets keep for a client that does not read. */
const SIZE = 48 * 2 ** 20;
const CONFIG = { s3: { cdnBucket: 'cdn' } } as Config;
const CHUNK = Buffer.alloc(2 ** 16);

/** A bucket with one photo, which the SDK cuts short when its signal is given. */
function bucketOf(read: () => Readable) {
  const opened: Readable[] = [];
  const send = async (_command: unknown, { abortSignal }: { abortSignal: AbortSignal }) => {
    const Body = read();
    opened.push(Body);
    abortSignal.addEventListener('abort', () => Body.destroy(new Error('aborted')));
    return { Body, ContentLength: SIZE, ContentType: 'image/jpeg' };
  };
  return { opened, s3: { send } as never };
}

/** A photo of which so many bytes come. */
function photoOf(size: number, ends = true): Readable {
  let sent = 0;
  return new Readable({
    read() {
      if (sent < size) this.push(CHUNK);
      else if (ends) this.push(null);
      sent += CHUNK.length;
    },
  });
}

/** Asks for the photo; its bytes wait to be read. */
async function ask(t: ExecutionContext, s3: never, limits: PhotoLimits): Promise<IncomingMessage> {
  const app = new Koa();
  app.silent = true;
  app.use((context) => servePhoto(context, { s3, config: CONFIG }, 'a/1.jpg', limits));
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const [response] = await once(get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), 'response');
  t.is((response as IncomingMessage).statusCode, 200);
  return response as IncomingMessage;
}

async function sizeOf(response: IncomingMessage): Promise<number> {
  let size = 0;
  try {
    for await (const chunk of response) size += (chunk as Buffer).length;
  } catch {
    // Cut short.
  }
  return size;
}

test('a client that reads slowly gets the whole photo', async (t) => {
  const { opened, s3 } = bucketOf(() => photoOf(SIZE));
  const response = await ask(t, s3, { silence: 200, whole: 60_000 });
  await sleep(500);
  t.is(await sizeOf(response), SIZE);
  t.true(opened.every(({ destroyed }) => destroyed));
});

test('a client that hardly reads is given up, and its connection to the bucket is free', async (t) => {
  const { opened, s3 } = bucketOf(() => photoOf(SIZE));
  const response = await ask(t, s3, { silence: 60_000, whole: 200 });
  await eventually(() => opened.every(({ destroyed }) => destroyed));
  t.true((await sizeOf(response)) < SIZE);
});

test('a bucket that says nothing more is given up', async (t) => {
  const { opened, s3 } = bucketOf(() => photoOf(CHUNK.length, false));
  const response = await ask(t, s3, { silence: 200, whole: 60_000 });
  t.is(await sizeOf(response), CHUNK.length);
  t.true(opened.every(({ destroyed }) => destroyed));
});
