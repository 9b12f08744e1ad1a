import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ExecutionContext } from 'ava';
import Koa from 'koa';
import { type PhotoLimits, servePhoto } from '#documents/photo.ts';
import type { Config } from '#src/config.ts';
import { eventually } from '#test/eventually.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';

/** Exceeds the socket buffers of a client that does not read. */
const SIZE = 48 * 2 ** 20;
const CONFIG = { s3: { cdnBucket: 'cdn' } } as Config;
const CHUNK = Buffer.alloc(2 ** 16);

/** A bucket with one photo, whose stream ends when the SDK's signal is aborted. */
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

/** A photo of `size` bytes, optionally without an end. `onRead` is called for each read. */
function photoOf(size: number, ends = true, onRead = () => {}): Readable {
  let sent = 0;
  return new Readable({
    read() {
      onRead();
      if (sent < size) this.push(CHUNK);
      else if (ends) this.push(null);
      sent += CHUNK.length;
    },
  });
}

/** Requests the photo without reading its bytes. */
async function ask(t: ExecutionContext, s3: never, limits: PhotoLimits): Promise<IncomingMessage> {
  const app = new Koa();
  app.silent = true;
  app.use((context) => servePhoto(context, { s3, config: CONFIG }, 'a/1.jpg', limits));
  const { url, close } = await listen(createServer(app.callback()));
  t.teardown(close);
  const [response] = await once(get(url), 'response');
  t.is((response as IncomingMessage).statusCode, 200);
  return response as IncomingMessage;
}

async function sizeOf(response: IncomingMessage): Promise<number> {
  let size = 0;
  try {
    for await (const chunk of response) size += (chunk as Buffer).length;
  } catch {
    // Aborted.
  }
  return size;
}

test('a slow client receives the whole photo', async (t) => {
  const silence = 200;
  let readAt = 0;
  const noteRead = () => {
    readAt = performance.now();
  };
  const { opened, s3 } = bucketOf(() => photoOf(SIZE, true, noteRead));
  const response = await ask(t, s3, { silence, whole: 120_000 });
  // The service stops reading when the client does, and for longer than the bucket may be silent.
  await eventually(() => readAt > 0 && performance.now() - readAt > 2 * silence);
  t.is(await sizeOf(response), SIZE);
  t.true(opened.every(({ destroyed }) => destroyed));
});

test('a client over the time limit for a whole photo is disconnected, and its bucket connection is released', async (t) => {
  const { opened, s3 } = bucketOf(() => photoOf(SIZE));
  const response = await ask(t, s3, { silence: 60_000, whole: 200 });
  await eventually(() => opened.every(({ destroyed }) => destroyed));
  t.true((await sizeOf(response)) < SIZE);
});

test('a photo request is aborted when the bucket stops sending', async (t) => {
  const { opened, s3 } = bucketOf(() => photoOf(CHUNK.length, false));
  const response = await ask(t, s3, { silence: 200, whole: 60_000 });
  t.is(await sizeOf(response), CHUNK.length);
  t.true(opened.every(({ destroyed }) => destroyed));
});
