import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { writePrivately } from './files.ts';

const MIN_PORT = 20_000;
// Highest port. The operating system uses higher ones for outgoing connections.
const MAX_PORT = 32_000;

/** Checks a port on the loopback interface, or of `host`. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Returns the ports in the file if still free, so that addresses stay the same between starts.
 * @throws Error if none is free
 */
export async function choosePorts<Name extends string>(
  file: string,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const remembered = await readPorts(file);
  const chosen = new Map<Name, number>();
  for (const name of names) {
    let port = remembered[name];
    for (let tries = 0; port === undefined || [...chosen.values()].includes(port) || !(await isFree(port)); tries++) {
      if (tries === 200) throw new Error('No free port was found.');
      port = MIN_PORT + Math.floor(Math.random() * (MAX_PORT - MIN_PORT));
    }
    chosen.set(name, port);
  }
  const ports = Object.fromEntries(chosen) as Record<Name, number>;
  await writePrivately(file, `${JSON.stringify({ ...remembered, ...ports })}\n`);
  return ports;
}

async function readPorts(file: string): Promise<Record<string, number>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}
