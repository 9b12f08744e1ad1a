import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renderPicture } from './pictures.ts';
import { hashText } from './random.ts';

export type SampleHost = Awaited<ReturnType<typeof startSampleHost>>;

/** Starts the host of the sample's photos. */
export async function startSampleHost(wanted = 0) {
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
    const photo = /^\/photos\/([a-z\d_-]+\.jpg)$/.exec(url.pathname)?.[1];
    if (photo === undefined) return send(response, 404, 'text/plain', 'not found');
    // The bytes depend only on the name, so a photo that the client has is never rendered again.
    const etag = `"${hashText(photo)}"`;
    response.setHeader('etag', etag);
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else send(response, 200, 'image/jpeg', await renderPicture(photo));
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy();
      else send(response, 500, 'text/plain', `sample host: ${error.message}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
