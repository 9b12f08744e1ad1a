import { createServer } from 'node:http';
import { type AddressInfo, isIP, type LookupFunction, Socket } from 'node:net';
import { AddressError, isPublic } from '#outbound/address.ts';
import { createOutboundClient } from '#outbound/client.ts';
import { checkDestination, createResolve } from '#outbound/resolve.ts';
import { startDns } from '#test/dns.ts';
import { test } from '#test/test.ts';

const TRIES = 1_000;
const AT_ONCE = 25;
const POLICY = { httpsOnly: true, defaultPortOnly: true };

const PUBLIC = { A: '93.184.215.14', AAAA: '2606:4700::1111' } as const;
/** Addresses of the canary. It listens on the IPv4 address, to which the IPv6 address also leads. */
const INSIDE = { A: '127.0.0.1', AAAA: '::ffff:127.0.0.1' } as const;

/** Thrown before a connection to a public address is opened, so that no traffic leaves the machine. */
class Spied extends Error {}

/** Arguments that `net.connect` passes to `Socket.prototype.connect`. */
type Given = [[{ host?: string; lookup?: LookupFunction }, ...unknown[]], ...unknown[]];

/** Intercepts all connections that this process opens. Connections to public addresses fail. */
function spyOnConnections(): { stop(): void } {
  const { connect } = Socket.prototype;
  function watched(this: Socket, ...given: Given): Socket {
    const [[options]] = given;
    const { host = '', lookup } = options;
    if (isIP(host) !== 0 && isPublic(host)) return this.destroy(new Spied(host));
    if (lookup)
      options.lookup = (name, wanted, callback) =>
        lookup(name, wanted, (error, found, family) => {
          const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
          if (!error && addresses.some(isPublic)) callback(new Spied(addresses.join()), '', 0);
          else callback(error, found, family);
        });
    return Reflect.apply(connect, this, given);
  }
  Object.assign(Socket.prototype, { connect: watched });
  return { stop: () => void Object.assign(Socket.prototype, { connect }) };
}

test('a host name that switches from a public to a loopback address after its check never reaches the loopback address', async (t) => {
  let connections = 0;
  const canary = createServer((_, response) => response.end()).on('connection', () => connections++);
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const { port } = canary.address() as AddressInfo;
  const spy = spyOnConnections();
  /** Names whose registration has ended, and ids of the queries since then by name and record type. */
  const registered = new Set<string>();
  const queries = new Map<string, Set<number>>();
  // The name is public at registration. On delivery, it is public in the first lookup and internal in every later one,
  // so that an additional lookup between check and connection would reach the canary. Some names are internal from the
  // start, for one or both record types.
  const dns = await startDns((name, kind, id) => {
    if (!registered.has(name)) return [PUBLIC[kind]];
    const ids = (queries.get(`${kind} ${name}`) ?? new Set()).add(id);
    queries.set(`${kind} ${name}`, ids);
    const isFirst = [...ids][0] === id;
    const inside = !isFirst || name.startsWith('both') || name.startsWith(kind.toLowerCase());
    return [(inside ? INSIDE : PUBLIC)[kind]];
  });
  t.teardown(() => {
    spy.stop();
    canary.closeAllConnections();
    canary.close();
    dns.close();
  });
  const resolve = createResolve({ servers: [dns.server], timeoutMs: 20_000 });
  const client = createOutboundClient({ resolve });
  const outcomes = { refused: 0, called: 0, answered: 0 };
  const once = async (name: string): Promise<void> => {
    await checkDestination(`https://${name}/`, POLICY, resolve, 20_000);
    registered.add(name);
    const call = client.fetch(`http://${name}:${port}/`, { timeoutMs: 20_000, maxBytes: 100 });
    const outcome = await call.then(
      () => 'answered' as const,
      (error: unknown) => {
        if (error instanceof AddressError) return 'refused' as const;
        if (error instanceof Spied) return 'called' as const;
        throw error;
      },
    );
    outcomes[outcome]++;
  };
  const KINDS = ['both', 'a', 'aaaa', 'late', 'late'];
  for (let tried = 0; tried < TRIES; tried += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => once(`${KINDS[at % KINDS.length]}-${tried + at}.test`)),
    );
  client.close();
  t.is(connections, 0);
  t.deepEqual(outcomes, { refused: (TRIES * 3) / 5, called: (TRIES * 2) / 5, answered: 0 });
});
