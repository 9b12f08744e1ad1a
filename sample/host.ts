import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FEEDS, type FeedLayout } from './feeds.ts';
import { FeedPages } from './pages.ts';
import { renderPicture } from './pictures.ts';
import { hashText } from './random.ts';

export interface SampleHostOptions {
  /** Folder written by `generateSample`. */
  dir: string;
  /** 0 selects a free port. */
  port: number;
  /** Interface to listen on; defaults to loopback. */
  host?: string;
  pageSize?: number;
}

export type SampleHost = Awaited<ReturnType<typeof startSampleHost>>;

/** Serves the photos of a sample and its paged feeds. */
export async function startSampleHost(options: SampleHostOptions) {
  const pages = new FeedPages(options.dir, options.pageSize ?? 500);
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, 500, 'text/plain', `sample host: ${error instanceof Error ? error.message : 'failed'}`);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
    if (request.method !== 'GET') return send(response, 405, 'text/plain', 'GET only');
    const photo = /^\/photos\/([a-z\d_-]+\.jpg)$/.exec(url.pathname)?.[1];
    if (photo !== undefined) return sendPhoto(request, response, photo);
    const source = /^\/feeds\/([a-z_]+)$/.exec(url.pathname)?.[1];
    const feed = FEEDS.find((layout) => layout.kind === 'paged' && layout.source === source);
    if (feed !== undefined) return sendPage(response, feed, url);
    send(response, 404, 'text/plain', 'not found');
  }

  async function sendPhoto(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    // The bytes depend only on the name, so a photo that the client has is never rendered again.
    const etag = `"${hashText(name)}"`;
    response.setHeader('etag', etag);
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else send(response, 200, 'image/jpeg', await renderPicture(name));
  }

  async function sendPage(response: ServerResponse, feed: FeedLayout, url: URL): Promise<void> {
    const day = url.searchParams.get('day');
    const page = Number(url.searchParams.get('page') ?? '1');
    if (!Number.isInteger(page) || page < 1) return send(response, 400, 'text/plain', 'page must be 1 or more');
    const file = await pages.newest(feed.source, day);
    if (file === null) return send(response, 404, 'text/plain', 'no feed of that day');
    const cut = await pages.page(file, page);
    url.searchParams.set('page', String(page + 1));
    send(response, 200, 'application/json; charset=utf-8', envelope(feed, page, cut, url.href));
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', resolve);
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

function envelope(
  feed: FeedLayout,
  page: number,
  cut: { items: string; pages: number; count: number },
  next: string,
): string {
  const more = page < cut.pages;
  switch (feed.envelope) {
    case 'total_pages':
      return `{"page":${page},"total_pages":${cut.pages},"count":${cut.count},"data":[${cut.items}]}`;
    case 'result':
      return `{"status":"ok","result":{"page":${page},"has_more":${more},"hits":[${cut.items}]}}`;
    default:
      return `{"items":[${cut.items}],"next":${more ? JSON.stringify(next) : 'null'}}`;
  }
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
