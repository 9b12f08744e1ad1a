import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen } from './listen.ts';

/**
 * Proxy modes:
 * - `pass` forwards everything.
 * - `freeze` holds everything until the mode is `pass` again, like a suspended process.
 * - `hang` accepts connections but never responds.
 * - `refuse` accepts no connections.
 * - `cut` closes the connection after the first bytes of a response.
 * - `drip` forwards a response byte by byte.
 * - `answer` sends a fixed response.
 * - `delay` holds responses for a number of milliseconds.
 * - `commits` holds commits to Postgres: `request` before it executes them, `answer` afterwards.
 */
type ProxyMode =
  | ('pass' | 'freeze' | 'hang' | 'refuse' | 'cut' | 'drip')
  | { answer: string }
  | { delay: number }
  | { commits: 'request' | 'answer' };

/** A `commit` statement as a simple query message in the Postgres protocol. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** Starts a proxy to a real server, which can simulate failures. */
export async function startTcpProxy(target: URL) {
  let mode: ProxyMode = 'pass';
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  let server: Server;
  let port = 0;
  /** Data held in the mode `freeze`, in order. */
  let kept: (() => void)[] = [];
  const held = Promise.withResolvers<void>();
  const inTime = (act: () => void): void => {
    if (mode === 'freeze') kept.push(act);
    else act();
  };

  const accept = (client: Socket): void => {
    keep(client);
    const upstream = connect(Number(target.port), target.hostname);
    keep(upstream);
    // The end of a connection is forwarded after the data sent before it.
    client.on('close', () => inTime(() => upstream.destroySoon()));
    upstream.on('close', () => inTime(() => client.destroySoon()));
    let isHeld = false;
    client.on('data', (chunk) => {
      if (typeof mode === 'object' && 'commits' in mode && chunk.includes(COMMIT)) {
        isHeld = true;
        held.resolve();
        if (mode.commits === 'request') return;
      }
      if (mode === 'freeze') kept.push(() => upstream.write(chunk));
      else if (typeof mode === 'object' && 'answer' in mode) client.write(mode.answer);
      else if (mode !== 'hang') upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (mode === 'freeze') kept.push(() => client.write(chunk));
      else if (mode === 'pass' || (typeof mode === 'object' && 'commits' in mode && !isHeld)) client.write(chunk);
      else if (mode === 'cut') client.write(chunk.subarray(0, Math.min(150, chunk.length - 1)), () => client.destroy());
      else if (mode === 'drip') drip(client, chunk);
      else if (typeof mode === 'object' && 'delay' in mode) setTimeout(() => client.write(chunk), mode.delay);
    });
  };
  const start = async (): Promise<void> => {
    server = createServer(accept);
    ({ port } = await listen(server, port));
  };
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  await start();
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return {
    port,
    /** URL of the server through the proxy. */
    url: url.href,
    /** Resolves when a commit is held. */
    held: held.promise,
    /** Changes the mode for subsequent data. Open connections are preserved if possible. */
    async set(next: ProxyMode): Promise<void> {
      if (mode === 'refuse' && next !== 'refuse') await start();
      if (mode !== 'refuse' && next === 'refuse') await stop();
      // Connections without a response are closed, so that they do not remain unresponsive after the mode is `pass`.
      if (mode === 'hang' && next === 'pass') for (const socket of sockets) socket.destroy();
      mode = next;
      if (next === 'freeze') return;
      const acts = kept;
      kept = [];
      for (const act of acts) act();
    },
    close: async (): Promise<void> => {
      kept = [];
      if (mode !== 'refuse') await stop();
    },
  };
}

function drip(client: Socket, chunk: Buffer): void {
  let at = 0;
  const timer = setInterval(() => {
    if (client.destroyed || at >= chunk.length) clearInterval(timer);
    else client.write(chunk.subarray(at, ++at));
  }, 200);
  client.on('close', () => clearInterval(timer));
}
