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
async function startDns(addressOf: () => string): Promise<{ port: number; close(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 5;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 6);
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(0, 10);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...addressOf().split('.').map(Number)]);
    socket.send(Buffer.concat([header, query.subarray(12, end), record]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { port: socket.address().port, close: () => socket.close() };
}

test('a name that flips between a public and a loopback address, a thousand times: the canary hears nothing', async (t) => {
  let connections = 0;
  const canary = createServer((_, response) => response.end()).on('connection', () => connections++);
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const { port } = canary.address() as AddressInfo;
  let answers = 0;
  // Public as registered, private as called, and the other way around. Nobody is at the first: it cannot be reached in time.
  const dns = await startDns(() => (answers++ % 2 === 0 ? '198.41.0.4' : '127.0.0.1'));
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
  let refused = 0;
  let called = 0;
  const once = async (): Promise<void> => {
    const registered = await checkDestination('https://flips.test/', POLICY, resolve, 5_000).catch(
      (error: unknown) => error,
    );
    if (registered instanceof AddressError) refused++;
    else if (!(registered instanceof URL)) throw registered;
    await client
      .fetch(`http://flips.test:${port}/`, { timeoutMs: 30, maxBytes: 100 })
      .then(() => called++)
      .catch((error: unknown) => {
        if (error instanceof AddressError) refused++;
      });
  };
  for (let tried = 0; tried < TRIES; tried += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, once));
  client.close();
  t.is(connections, 0);
  t.is(called, 0);
  t.true(refused > TRIES / 2, `${refused} refused`);
});
