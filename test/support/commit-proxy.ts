import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

/** A Postgres proxy that can delay a commit or the response to it. */
export interface CommitProxy {
  /** Database URL that leads through the proxy. */
  url: string;
  /** Holds subsequent commits: `request` holds them before Postgres executes them, `answer` afterwards. */
  hold(what: 'request' | 'answer' | null): void;
  /** Resolves when a commit is held. */
  held: Promise<void>;
  close(): Promise<void>;
}

/** A `commit` statement as a simple query message in the Postgres protocol. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');

export async function startCommitProxy(databaseUrl: string): Promise<CommitProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const held = Promise.withResolvers<void>();
  let holding: 'request' | 'answer' | null = null;
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname);
    let muted = false;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (chunk) => {
      const isHeld = holding !== null && chunk.includes(COMMIT);
      if (isHeld) {
        muted = true;
        held.resolve();
      }
      if (!isHeld || holding === 'answer') upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!muted) client.write(chunk);
    });
  });
  const { host, close } = await listen(server);
  const url = new URL(databaseUrl);
  url.host = host;
  return {
    url: url.href,
    held: held.promise,
    hold: (what) => {
      holding = what;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await close();
    },
  };
}
