import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { createApp } from '#app/app.ts';
import { injectRequest } from '#src/http/inject.ts';
import { createHttpServer } from '#src/http/server.ts';
import type { Services } from '#src/services.ts';
import type { Cleanup } from './cleanup.ts';
import { listen } from './ports.ts';
import { warmUp } from './warm-up.ts';

/** Milliseconds, longer than an API request takes. */
const FINISH_LIMIT = 12_000;
/** Milliseconds between closing idle connections, so that clients can finish a request. */
const IDLE_LIMIT = 1_000;

const IDLE_ITERATIONS = 10;
const MAX_ITERATIONS = 2_000;

/**
 * Serves requests, and returns when the process is warm. When it stops, running requests finish first, then request
 * logs are written.
 */
export async function serveHttp(services: Services, cleanup: Cleanup): Promise<void> {
  const { host, port, siteUrl } = services.config;
  const bearer = randomBytes(32).toString('base64url');
  const app = await createApp(services, undefined, bearer);
  const server = createHttpServer(app, `${siteUrl}/docs/errors`, services);
  const finish = finisher(server);
  services.startup.isWarm = false;
  await listen(server, 'PORT', port, host);
  cleanup.add('writing request logs', () => services.requestLog.flush(), 20_000);
  const end = async (): Promise<void> => {
    services.waits.end();
    await finish();
  };
  cleanup.add('finishing requests', end, FINISH_LIMIT + 5_000);
  const listener = app.callback();
  const headers = { Authorization: `Bearer ${bearer}` };
  await warmUp({ services, get: (url) => injectRequest(listener, { method: 'GET', url, headers }, null) });
  services.startup.isWarm = true;
}

/**
 * @returns a function that stops without failing a request: accepts no new connections, announces in responses that
 *   their connection closes, and closes idle ones after a short delay
 */
function finisher(server: Server): () => Promise<void> {
  // A response that closes its connection must be the last one on it.
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
    await drainBacklog(server);
    finishing = true;
    for (const response of latest.values()) endWith(response);
    const closed = once(server, 'close');
    // The server's own `close` would drop requests in transit on idle connections.
    TcpServer.prototype.close.call(server);
    // Connections of requests that have arrived appear idle until the server reads them.
    const idle = setInterval(() => setImmediate(() => server.closeIdleConnections()), IDLE_LIMIT);
    const limit = setTimeout(() => server.closeAllConnections(), FINISH_LIMIT);
    await closed;
    clearInterval(idle);
    clearTimeout(limit);
  };
}

/**
 * Accepts connections that the operating system has established and would reset. The server accepts one per event loop
 * iteration, so after a few without any, none are waiting.
 */
async function drainBacklog(server: Server): Promise<void> {
  let quiet = 0;
  const onConnection = (): void => {
    quiet = 0;
  };
  server.on('connection', onConnection);
  for (let turns = 0; quiet < IDLE_ITERATIONS && turns < MAX_ITERATIONS; turns++) {
    quiet++;
    await turn();
  }
  server.off('connection', onConnection);
}
