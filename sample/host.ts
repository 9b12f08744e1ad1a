import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renderPicture } from './pictures.ts';
import { hashText } from './random.ts';

/** Starts the host of the sample's photos. */
export async function startSampleHost(wanted = 0) {
  const server = createServer(async ({ url = '', headers }, response) => {
    const photo = /^\/photos\/([a-z\d_-]+\.jpg)$/.exec(url)?.[1];
    if (photo === undefined) return response.writeHead(404).end();
    // The bytes depend only on the name, so a photo that the client has is never rendered again.
    const etag = `"${hashText(photo)}"`;
    response.setHeader('etag', etag);
    if (headers['if-none-match'] === etag) return response.writeHead(304).end();
    response.setHeader('content-type', 'image/jpeg');
    const picture = await renderPicture(photo).catch((error: Error) => {
      response.statusCode = 500;
      return error.message;
    });
    response.end(picture);
  });
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
