import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What the proxy does: `pass` forwards everything, `hang` accepts and never answers, `refuse` accepts no connection,
 * `cut` breaks off after the first bytes of an answer, `drip` forwards an answer byte by byte, `answer` sends a fixed one.
 */
export type ProxyMode = 'pass' | 'hang' | 'refuse' | 'cut' | 'drip' | { answer: string };

export interface TcpProxy {
  port: number;
  /** Takes effect for what comes next; connections that stand are kept unless they must not. */
  set(mode: ProxyMode): Promise<void>;
  close(): Promise<void>;
}

/** A proxy to a real server that can misbehave. */
export async function startTcpProxy(target: URL): Promise<TcpProxy> {
  let mode: ProxyMode = 'pass';
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  let server: Server;
  let port = 0;

  const accept = (client: Socket): void => {
    keep(client);
    const upstream = connect(Number(target.port), target.hostname);
    keep(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('data', (chunk) => {
      if (typeof mode === 'object') client.write(mode.answer);
      else if (mode !== 'hang') upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (mode === 'pass') client.write(chunk);
      else if (mode === 'cut') client.write(chunk.subarray(0, Math.min(150, chunk.length - 1)), () => client.destroy());
      else if (mode === 'drip') drip(client, chunk);
    });
  };
  const listen = async (): Promise<void> => {
    server = createServer(accept);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address === 'object' && address) port = address.port;
  };
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen();
  return {
    port,
    async set(next) {
      if (mode === 'refuse' && next !== 'refuse') await listen();
      if (mode !== 'refuse' && next === 'refuse') await stop();
      // Connections that hang must not go on hanging when the store is back.
      if (mode === 'hang' && next === 'pass') for (const socket of sockets) socket.destroy();
      mode = next;
    },
    close: async () => {
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
