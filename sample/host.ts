import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { FEEDS } from './feeds.ts';
import { renderPicture } from './pictures.ts';
import { hashText } from './random.ts';

export interface SampleHostOptions {
  dir: string;
  port: number;
  host?: string;
  pageSize?: number;
}

export type SampleHost = Awaited<ReturnType<typeof startSampleHost>>;

export async function startSampleHost({ dir, port: wanted, host = '127.0.0.1', pageSize = 500 }: SampleHostOptions) {
  /** The feed that was read last is kept, because its pages are requested in a row. */
  let open = { file: '', lines: [] as string[] };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
    if (request.method !== 'GET') return send(response, 405, 'text/plain', 'GET only');
    const photo = /^\/photos\/([a-z\d_-]+\.jpg)$/.exec(url.pathname)?.[1];
    if (photo !== undefined) {
      // The bytes depend only on the name, so a photo that the client has is never rendered again.
      const etag = `"${hashText(photo)}"`;
      response.setHeader('etag', etag);
      if (request.headers['if-none-match'] !== etag) send(response, 200, 'image/jpeg', await renderPicture(photo));
      else response.writeHead(304).end();
      return;
    }
    const source = /^\/feeds\/([a-z_]+)$/.exec(url.pathname)?.[1];
    const feed = FEEDS.find((layout) => layout.kind === 'paged' && layout.source === source);
    if (feed === undefined) return send(response, 404, 'text/plain', 'not found');
    const page = Number(url.searchParams.get('page') ?? '1');
    if (!Number.isInteger(page) || page < 1) return send(response, 400, 'text/plain', 'page must be 1 or more');
    const file = await newestFile(join(dir, 'feeds', feed.source), url.searchParams.get('day'));
    if (file === null) return send(response, 404, 'text/plain', 'no feed of that day');
    if (open.file !== file) open = { file, lines: (await readFile(file, 'utf8')).trimEnd().split('\n') };
    url.searchParams.set('page', String(page + 1));
    send(response, 200, 'application/json; charset=utf-8', pageOf(open.lines, page, pageSize, url.href));
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy();
      else send(response, 500, 'text/plain', `sample host: ${error.message}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, host, resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    port,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

/** Returns the newest feed, up to `day` if it is not null. Null if there is none. */
async function newestFile(folder: string, day: string | null): Promise<string | null> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => day === null || name.slice(0, 10) <= day);
  return names.length === 0 ? null : join(folder, names.sort().at(-1) as string);
}

/** Pages are counted from 1. */
function pageOf(lines: readonly string[], page: number, size: number, next: string): string {
  const items = lines.slice((page - 1) * size, page * size).join(',');
  return `{"items":[${items}],"next":${page * size < lines.length ? JSON.stringify(next) : 'null'},"total":${lines.length}}`;
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
