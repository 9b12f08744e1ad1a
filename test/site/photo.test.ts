import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ExecutionContext } from 'ava';
import Koa from 'koa';
import type { Config } from '#src/config.ts';
import { type PhotoLimits, servePhoto } from '#src/documents/photo.ts';
import { eventually } from '#test/eventually.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';

/** Exceeds the socket buffers of a client that does not read. */
const SIZE = 48 * 2 ** 20;
const CONFIG = { s3: { cdnBucket: 'cdn' } } as Config;
const CHUNK = Buffer.alloc(2 ** 16);

/** A bucket with a photo of `SIZE` bytes, of which it sends `size`. Its stream ends when the SDK's signal is aborted. */
function bucketOf(size = SIZE) {
  let sent = 0;
  const body = new Readable({
    read() {
      if (sent < size) this.push(CHUNK);
      else if (size === SIZE) this.push(null);
      sent += CHUNK.length;
    },
  });
  const send = async (_command: unknown, { abortSignal }: { abortSignal: AbortSignal }) => {
    abortSignal.addEventListener('abort', () => body.destroy(new Error('aborted')));
    return { Body: body, ContentLength: SIZE, ContentType: 'image/jpeg' };
  };
  return { body, s3: { send } as never };
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

test('a photo request ends when the client is over the time limit for a whole photo, or the bucket stops sending', async (t) => {
  const large = bucketOf();
  const slow = await ask(t, large.s3, { begin: 60_000, whole: 200 });
  await eventually(() => large.body.destroyed);
  t.true((await sizeOf(slow)) < SIZE);
  const silent = bucketOf(CHUNK.length);
  t.is(await sizeOf(await ask(t, silent.s3, { begin: 60_000, whole: 200 })), CHUNK.length);
  t.true(silent.body.destroyed);
});

test('a photo is sent completely', async (t) => {
  const { body, s3 } = bucketOf();
  t.is(await sizeOf(await ask(t, s3, { begin: 60_000, whole: 120_000 })), SIZE);
  t.true(body.destroyed);
});
