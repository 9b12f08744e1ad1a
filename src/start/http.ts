import { once } from 'node:events';
import type { Server } from 'node:http';
import { createHttpServer } from '#http/server.ts';
import { createApp } from '#src/app.ts';
import type { Services } from '#src/services.ts';

/** Milliseconds that requests under way have to finish. */
const FINISH_LIMIT = 10_000;

/** Serves the app. @returns what stops it: no new requests, and those under way are finished. */
export async function serveHttp(services: Services): Promise<() => Promise<void>> {
  const { host, port, siteUrl } = services.config;
  const server = createHttpServer(createApp(services), `${siteUrl}/docs/errors`);
  server.listen(port, host);
  await once(server, 'listening');
  return () => finish(server);
}

async function finish(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A keep-alive connection becomes idle after its last answer, and nothing else closes it then.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const limit = setTimeout(() => server.closeAllConnections(), FINISH_LIMIT);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
}
