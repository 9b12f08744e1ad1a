import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { createHttpServer } from '#http/server.ts';
import { createApp } from '#src/app.ts';
import type { Services } from '#src/services.ts';
import type { Cleanup } from './cleanup.ts';

/** Milliseconds that requests under way have to finish: longer than any of them may take. */
const FINISH_LIMIT = 12_000;
/** Milliseconds that a client between two requests is given, to send one that it has begun to send. */
const IDLE_LIMIT = 1_000;

const QUIET_TURNS = 10;
const MOST_TURNS = 2_000;

/** Serves the app. When the process ends, running requests are finished first, and then their pending writes. */
export async function serveHttp(services: Services, cleanup: Cleanup): Promise<void> {
  const { host, port, siteUrl } = services.config;
  const server = createHttpServer(createApp(services), `${siteUrl}/docs/errors`, services);
  const finish = finisher(server);
  server.listen(port, host);
  await once(server, 'listening');
  cleanup.add('writing request logs', () => services.requestLog.flush(), 20_000);
  cleanup.add('finishing requests', finish, FINISH_LIMIT + 5_000);
}

/**
 * @returns a function that stops a server without failing a request: no new connections are accepted, responses announce the
 * end of their connection, and idle connections are closed after a moment without requests
 */
export function finisher(server: Server): () => Promise<void> {
  // The latest request of every connection: a response that ends the connection must be its last.
  const latest = new Map<Socket, ServerResponse>();
  let finishing = false;
  const endWith = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!latest.has(socket)) socket.once('close', () => latest.delete(socket));
    latest.set(socket, response);
    if (finishing) endWith(response);
  });
  return async () => {
    await letIn(server);
    finishing = true;
    for (const response of latest.values()) endWith(response);
    const closed = once(server, 'close');
    // The server's own `close` would cut idle connections off at once, and with them the requests that are on their way.
    TcpServer.prototype.close.call(server);
    // After a turn, in which requests that have arrived are read: until then their connections look idle.
    const idle = setInterval(() => setImmediate(() => server.closeIdleConnections()), IDLE_LIMIT);
    const limit = setTimeout(() => server.closeAllConnections(), FINISH_LIMIT);
    await closed;
    clearInterval(idle);
    clearTimeout(limit);
  };
}

/**
 * Accepts connections that the system has already taken, and that would be reset when the server stops listening. The server
 * takes one per event loop iteration; a few iterations without any mean that no more wait.
 */
async function letIn(server: Server): Promise<void> {
  let quiet = 0;
  const onConnection = (): void => {
    quiet = 0;
  };
  server.on('connection', onConnection);
  for (let turns = 0; quiet < QUIET_TURNS && turns < MOST_TURNS; turns++) {
    quiet++;
    await turn();
  }
  server.off('connection', onConnection);
}
