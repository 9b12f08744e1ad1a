import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** DNS record types by number. */
const KINDS = { 1: 'A', 28: 'AAAA' } as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

/** A DNS server on this machine. */
export interface NameServer {
  /** Address of the server in the format that resolvers accept. */
  server: string;
  close(): void;
}

/**
 * Starts a DNS server that responds to every query with the addresses from `addressesOf` and a TTL of 0. An empty list
 * means that the name does not exist; null means that the query receives no response. A resolver
 * that repeats a query, because the response did not arrive in time, uses the same id.
 */
export async function startDns(
  addressesOf: (name: string, kind: Kind, id: number) => Promise<string[] | null> | string[] | null,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', async (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    const addresses = await addressesOf(labels.join('.'), KINDS[type as keyof typeof KINDS], query.readUInt16BE(0));
    if (addresses === null) return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2);
    for (const [index, count] of [1, addresses.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + index * 2);
    const records = addresses.map((address) => {
      const bytes = ipaddr.parse(address).toByteArray();
      if (isIPv6(address) !== (type === 28)) throw new Error(`${address} is of another kind`);
      return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
    });
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { server: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}
