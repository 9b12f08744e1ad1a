import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { parseAddress, readClientAddress } from '#src/http/client-address.ts';
import type { HttpContext } from '#src/http/context.ts';
import { networkOf } from '#src/metering/rate-limit.ts';
import { test } from '#test/test.ts';

/** Notations in which proxies write an address. */
const OF_ANY = [
  (text: string) => text,
  (text: string) => ` ${text} `,
  (text: string) => `"${text}"`,
  (text: string) => text.toUpperCase(),
];
const OF_IPV4 = [...OF_ANY, (text: string) => `${text}:51008`, (text: string) => `::ffff:${text}`];
const OF_IPV6 = [
  ...OF_ANY,
  (text: string) => `[${text}]`,
  (text: string) => `"[${text}]:443"`,
  (text: string) => `[${text}]:51008`,
  (text: string) => `${text}%eth0`,
  (text: string) => `[${text}%25eth0]:443`,
];

const bytes = (length: number) => fc.array(fc.integer({ min: 0, max: 255 }), { minLength: length, maxLength: length });
const ipv4 = bytes(4).map((each) => ipaddr.fromByteArray(each));
const ipv6 = fc
  .oneof(
    bytes(16),
    bytes(4).map((each) => [...new Array<number>(10).fill(0), 255, 255, ...each]),
    bytes(2).map((each) => [...each, ...new Array<number>(14).fill(0)]),
  )
  .map((each) => ipaddr.fromByteArray(each) as ipaddr.IPv6);

const written = fc.oneof(
  fc.tuple(ipv4, fc.constantFrom(...OF_IPV4)).map(([address, write]) => [address.toString(), write] as const),
  fc
    .tuple(
      ipv6,
      fc.constantFrom('toString', 'toNormalizedString', 'toFixedLengthString' as const),
      fc.constantFrom(...OF_IPV6),
    )
    .map(([address, form, write]) => [address[form as 'toString'](), write] as const),
);

test('an address is read in every notation that proxies write, as ipaddr.js reads it', (t) => {
  fc.assert(
    fc.property(written, ([text, write]) => {
      t.is(parseAddress(write(text)), ipaddr.process(text).toString(), write(text));
    }),
  );
});

test('other text is no address', (t) => {
  for (const text of ['', 'unknown', '_hidden', 'for=203.0.113.9', 'for="[2001:db8::1]:4711"', '203.0.113.9:', ':80'])
    t.is(parseAddress(text), null, text);
  for (const text of ['[203.0.113.9]:80', '203.0.113', '203.0.113.09', '0x7f.1', '203.0.113.9:510080', '[::1', '[]:80'])
    t.is(parseAddress(text), null, text);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.:[\]%"a-f]{0,40}$/)), (text) => {
      const address = parseAddress(text);
      t.true(address === null || ipaddr.process(address).toString() === address, text);
    }),
  );
});

/** Returns the address of a caller whose connection comes from a trusted proxy. */
async function readFrom(forwarded: string | undefined): Promise<string | null | undefined> {
  const context = {
    req: {
      socket: { remoteAddress: '::ffff:10.0.0.1' },
      headers: { 'x-forwarded-for': forwarded, forwarded: 'for=192.0.2.1' },
    },
    state: {},
  } as unknown as HttpContext;
  await readClientAddress(['10.0.0.0/8'])(context, async () => {});
  return context.state.ip;
}

test('a caller behind a proxy has the address that the proxy wrote, or none, but never that of the proxy', async (t) => {
  t.is(await readFrom(undefined), '10.0.0.1', 'the proxy itself calls');
  for (const text of ['unknown', '198.51.100.1, nonsense', 'nonsense, 10.0.0.2'])
    t.is(await readFrom(text), null, text);
  await fc.assert(
    fc.asyncProperty(written, async ([text, write]) => {
      const address = ipaddr.process(text).toString();
      fc.pre(!address.startsWith('10.'));
      const line = `192.0.2.7, ${write(text)}, 10.0.0.2:4711`;
      t.is(await readFrom(line), address, line);
    }),
  );
});

test('limits count an IPv4 address, or a /64 of IPv6, whatever its notation', (t) => {
  fc.assert(
    fc.property(ipv6, bytes(8), fc.constantFrom(...OF_IPV6), (address, host, write) => {
      const neighbor = ipaddr.fromByteArray([...address.toByteArray().slice(0, 8), ...host]) as ipaddr.IPv6;
      fc.pre(!(address.isIPv4MappedAddress() || neighbor.isIPv4MappedAddress()));
      t.is(networkOf(parseAddress(write(address.toString()))), networkOf(parseAddress(neighbor.toString())));
    }),
  );
  t.not(networkOf(parseAddress('2001:db8:0:1::1')), networkOf(parseAddress('[2001:db8:0:2::1]:80')));
  t.is(networkOf(parseAddress('[::ffff:203.0.113.9]:80')), '203.0.113.9');
});
