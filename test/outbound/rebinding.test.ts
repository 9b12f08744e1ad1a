import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { AddressError } from '#outbound/address.ts';
import { createOutboundClient } from '#outbound/client.ts';
import { checkDestination, type Resolve } from '#outbound/resolve.ts';

const TRIES = 1_000;
const AT_ONCE = 25;
const POLICY = { httpsOnly: true, defaultPortOnly: true };

/** A DNS server that answers every question for an A record with the address that it is told. */
async function startDns(addressOf: (question: string) => string): Promise<{ port: number; close(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 5;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 6);
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(0, 10);
    const question = query.subarray(12, end);
    const address = addressOf(question.toString('latin1')).split('.').map(Number);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address]);
    socket.send(Buffer.concat([header, question, record]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { port: socket.address().port, close: () => socket.close() };
}

test('a name that flips between a public and a loopback address, a thousand times: the canary hears nothing', async (t) => {
  let connections = 0;
  const canary = createServer((_, response) => response.end()).on('connection', () => connections++);
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const { port } = canary.address() as AddressInfo;
  const asked = new Set<string>();
  // Public when it is registered, private when it is called, and for some names the other way around.
  const dns = await startDns((question) => {
    const first = !asked.has(question);
    asked.add(question);
    return first !== question.includes('odd') ? '93.184.215.14' : '127.0.0.1';
  });
  t.teardown(() => {
    canary.closeAllConnections();
    canary.close();
    dns.close();
  });
  const resolver = new Resolver({ timeout: 5_000 });
  resolver.setServers([`127.0.0.1:${dns.port}`]);
  const resolve: Resolve = async (name) =>
    (await resolver.resolve4(name)).map((address) => ({ address, family: 4 as const }));
  const client = createOutboundClient({ resolve });
  let registered = 0;
  let refused = 0;
  const refuse = (error: unknown): null => {
    if (!(error instanceof AddressError)) throw error;
    refused++;
    return null;
  };
  const once = async (name: string): Promise<void> => {
    if (!(await checkDestination(`https://${name}/`, POLICY, resolve, 5_000).catch(refuse))) return;
    registered++;
    await client.fetch(`http://${name}:${port}/`, { timeoutMs: 10_000, maxBytes: 100 }).catch(refuse);
  };
  for (let tried = 0; tried < TRIES; tried += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => once(`${at % 5 === 0 ? 'odd' : 'even'}-${tried + at}.test`)),
    );
  client.close();
  t.is(connections, 0);
  t.is(registered, (TRIES * 4) / 5);
  t.is(refused, TRIES);
});
