import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';

/** Number of connections to open, above the second node's limit on open files (`DESCRIPTORS` in run.ts). */
const CONNECTIONS = 1_500;
const AT_ONCE = 100;
/** Time in milliseconds for which the connections remain open. */
const HOLD = 3_000;
/**
 * Number of concurrent calls while the connections are open. Each burst is larger than the previous one, because the
 * load generator reuses connections.
 */
const BURST = 20;
const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

/** Texts sent on held connections: nothing, an incomplete request, or a complete request. */
const SENT = ['', REQUEST.slice(0, -2), REQUEST];
/** Client addresses. Only Linux provides more than one loopback address by default. */
const ADDRESSES = Array.from({ length: platform() === 'linux' ? 8 : 1 }, (_, index) => `127.0.0.${index + 1}`);

export const fault: Fault = {
  title: 'clients hold 1,500 connections to a node with 1,024 files',
  async happen({ second, load }) {
    let calls = 0;
    for (const addresses of [ADDRESSES.slice(0, 1), ADDRESSES]) {
      for (const text of SENT) {
        const held = await hold(new URL(second.url), text, addresses);
        calls += BURST;
        await load.burst(second.url, calls);
        await sleep(HOLD);
        for (const socket of held) socket.destroy();
        await sleep(HOLD);
      }
    }
  },
};

/** Opens connections and sends `text` on each. The node may close them. */
async function hold({ hostname: host, port }: URL, text: string, addresses: readonly string[]): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < CONNECTIONS) {
    const opened = Array.from({ length: AT_ONCE }, (_, index): Socket => {
      const localAddress = addresses[index % addresses.length] as string;
      const socket = connect({ host, port: Number(port), localAddress }, () => text && socket.write(text)).resume();
      return socket.on('error', () => {});
    });
    await Promise.all(opened.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    sockets.push(...opened);
  }
  return sockets;
}
