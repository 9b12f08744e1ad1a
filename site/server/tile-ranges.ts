import { open } from 'node:fs/promises';
import type { Context } from 'koa';

export const TILES_PATH = '/map.pmtiles';

/** Bytes of a response at most. The directories and tiles of a country are smaller. */
const MAX_BYTES = 4_000_000;
const RANGE = /^bytes=(\d{1,15})-(\d{1,15})$/;

/**
 * Serves a part of the file of map tiles. Scripts read its directories and tiles by range requests. The file is opened for
 * each request, so that it can be replaced while the site runs: its entity tag then changes, and scripts begin again.
 */
export async function serveMapTiles(context: Context, path: string): Promise<void> {
  await using file = await open(path);
  const { size, mtimeMs } = await file.stat();
  context.set({ ETag: `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`, 'Accept-Ranges': 'bytes' });
  const [, from, to] = RANGE.exec(context.get('Range')) ?? [];
  const begin = Number(from);
  const end = Math.min(Number(to), size - 1);
  if (from === undefined || begin > end || end - begin >= MAX_BYTES) {
    context.set('Content-Range', `bytes */${size}`);
    context.set('Content-Type', 'text/plain; charset=utf-8');
    context.status = 416;
    context.body = `Request a range of at most ${MAX_BYTES} bytes, for example: Range: bytes=0-16383\n`;
    return;
  }
  const bytes = Buffer.alloc(end - begin + 1);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, begin);
  context.status = 206;
  context.set({
    'Content-Range': `bytes ${begin}-${begin + bytesRead - 1}/${size}`,
    'Content-Type': 'application/octet-stream',
    'Cache-Control': 'public, max-age=3600',
  });
  context.body = bytes.subarray(0, bytesRead);
}
