import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

export interface HttpProxy {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts an HTTP proxy to `target`. It forwards a request once the promise that `before` returns for it has resolved,
 * unless `before` has sent a response.
 */
export async function startProxy(
  target: string,
  before: (path: string, incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
): Promise<HttpProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer(async (incoming, outgoing) => {
    await before(incoming.url ?? '', incoming, outgoing);
    // The client may have been killed while its request was held.
    if (outgoing.destroyed || outgoing.writableEnded) return;
    const { method, headers, url: path } = incoming;
    const forwarded = request({ hostname, port, method, headers, path }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    // An unread response would keep the process running.
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) forwarded.destroy();
    });
    incoming.on('error', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  // Disables the idle timeout, because a connection that is closed while idle would make the next request on it fail.
  server.keepAliveTimeout = 0;
  return listen(server);
}
