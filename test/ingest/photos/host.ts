import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import sharp from 'sharp';
import type { PhotoOptions } from '#ingest/run/photo-options.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';
import { pipelineOfFile } from '../run/pipeline.ts';

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** Renders a single-color PNG, by default in the minimum size of photos that are always shown. */
export const png = (color: number, width = 200, height = 150): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r: color, g: color, b: color } } })
    .png()
    .toBuffer();

/** Responds with an image. Different numbers result in different images. */
export const image =
  (color: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  async (response) =>
    response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(await png(color));

/** Starts a photo host. It returns 404 for paths that are not in `answers`. */
async function startPhotoHost() {
  /** Requests by path. */
  const asked = new Map<string, number>();
  const answers = new Map<string, Respond>();
  const { host, close } = await listen(
    createServer((request, response) => {
      const path = request.url ?? '';
      asked.set(path, (asked.get(path) ?? 0) + 1);
      const answer = answers.get(path);
      if (answer) answer(response, request);
      else response.writeHead(404).end();
    }),
  );
  return {
    host,
    asked,
    answers,
    at: (path: string): string => `http://${host}${path}`,
    /** Options for runs that fetch from this host. */
    fetching: (changes: Partial<PhotoOptions> = {}) => ({
      photos: { mode: 'fetch' as const, privateHosts: [host], timeout: 1_000, ...changes },
    }),
    close,
  };
}

/** Opens a pipeline and a photo host before the tests of a file, and closes them after the tests. */
export function photosOfFile(name: string) {
  const pipeline = pipelineOfFile(name);
  const host = {} as Awaited<ReturnType<typeof startPhotoHost>>;
  test.before(async () => void Object.assign(host, await startPhotoHost()));
  test.after(() => host.close?.());
  return { pipeline, host };
}
