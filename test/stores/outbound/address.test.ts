import fc from 'fast-check';
import { AddressError, type AddressPolicy, checkAddress, hostOf, isPublic } from '#stores/outbound/address.ts';
import { test } from '#test/test.ts';

/** Returns URLs of hosts that are separated by white space. */
const urls = (hosts: string): string[] => hosts.split(/\s+/).map((host) => `http://${host}/`);

/** Forbidden addresses by reason. Host names are resolved before they are checked. */
const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  'this host': urls(
    `127.0.0.1 127.0.0.1:9200/_cluster/health 127.255.255.254 0.0.0.0 0.1.2.3 [::1] [::] [0:0:0:0:0:0:0:1]:5432
     [0000:0000:0000:0000:0000:0000:0000:0001] localhost LOCALHOST:9200 localhost. hooks.localhost`,
  ),
  'alternative notations of IPv4 addresses': [
    ...urls('2130706433 017700000001 0x7f000001 0x7f.1 0177.0.0.1 127.1 127.0.1 0 127.0.0.1. %31%32%37.0.0.1'),
    ...urls('１２７.０.０.１ 127。0。0。1 0251.0376.0251.0376 2852039166/latest/meta-data'),
    'http:\\\\127.0.0.1\\',
    'http:///127.0.0.1/',
    'HTTP://127.0.0.1\t/',
  ],
  'private and reserved addresses, link-local addresses and those of cloud metadata': urls(
    `10.0.0.1 192.168.1.1/admin 169.254.169.254/latest/meta-data 239.255.255.250:1900 [fc00::1] [fd12:3456:789a::1]
     [fec0::1] [fd00:ec2::254]/latest/meta-data [fe80::1] [febf:ffff::1] [2001:db8::1] [3fff::1] [100::1] [ff02::1]
     [4000::1] [5f00::1] [e000::1] [2001:0:53aa:64c:0:fbff:80ff:fffe] [::ffff:127.0.0.1] [::127.0.0.1]`,
  ),
  'other schemes': [
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'data:image/png;base64,AAAA',
    'ws://example.com/',
    'unix:///var/run/docker.sock',
  ],
  'credentials in the address': [
    'http://user@example.com/',
    'https://:secret@example.com/',
    'http://example.com%40@10.0.0.1/',
  ],
  'no address': [
    '',
    '//example.com/',
    'http://[::1',
    'http://1.2.3.4.5/',
    'http://[fe80::1%25eth0]/',
    'http://256.256.256.256/',
  ],
};

test('forbidden outbound addresses are refused', (t) => {
  for (const address of Object.values(HOSTILE).flat())
    t.throws(() => checkAddress(address), { instanceOf: AddressError }, address);
});

test('public addresses and host names are accepted, in the form to which the URL parser normalizes them', (t) => {
  for (const [address, host] of [
    ['http://1.1.1.1/', '1.1.1.1:80'],
    ['https://8.8.8.8:8443/x', '8.8.8.8:8443'],
    ['http://134744072/', '8.8.8.8:80'],
    ['http://[2606:4700::1111]/', '[2606:4700::1111]:80'],
    ['http://[::ffff:8.8.8.8]/', '[::ffff:808:808]:80'],
    ['http://[64:ff9b::8.8.8.8]/', '[64:ff9b::808:808]:80'],
    ['HTTPS://Example.COM:443/a?b#c', 'example.com:443'],
    ['https://صور.example/a.jpg', 'xn--wgbh1d.example:443'],
  ] as const)
    t.is(hostOf(checkAddress(address)), host, address);
});

test('only https and the default port are accepted, except for configured origins', (t) => {
  const refused = (address: string, policy: AddressPolicy) =>
    t.throws(() => checkAddress(address, policy), { instanceOf: AddressError }, address);
  const strict = { httpsOnly: true };
  t.notThrows(() => checkAddress('https://example.com/hook', strict));
  t.notThrows(() => checkAddress('https://example.com:443/hook', strict));
  for (const address of ['http://example.com:443/', 'https://example.com:8443/']) refused(address, strict);
  const named = { ...strict, privateHosts: ['127.0.0.1:8099', '[::1]:80'] };
  t.notThrows(() => checkAddress('http://127.0.0.1:8099/x', named));
  t.notThrows(() => checkAddress('http://2130706433:8099/x', named), 'an alternative spelling');
  t.notThrows(() => checkAddress('http://[::1]/x', named));
  for (const address of [
    'http://127.0.0.1/',
    'http://127.0.0.2:8099/',
    'http://localhost:8099/',
    'http://user@127.0.0.1:8099/',
    'ftp://127.0.0.1:8099/',
  ])
    refused(address, named);
});

/** IPv4 blocks that are not public according to the IANA registries, as first and last address. */
const SPECIAL_IPV4 = `
  0.0.0.0-0.255.255.255 10.0.0.0-10.255.255.255 100.64.0.0-100.127.255.255
  127.0.0.0-127.255.255.255 168.63.129.16-168.63.129.16 169.254.0.0-169.254.255.255
  172.16.0.0-172.31.255.255 192.0.0.0-192.0.0.255 192.0.2.0-192.0.2.255 192.31.196.0-192.31.196.255
  192.52.193.0-192.52.193.255 192.88.99.0-192.88.99.255 192.168.0.0-192.168.255.255
  192.175.48.0-192.175.48.255 198.18.0.0-198.19.255.255 198.51.100.0-198.51.100.255
  203.0.113.0-203.0.113.255 224.0.0.0-255.255.255.255`
  .trim()
  .split(/\s+/)
  .map((ends) => ends.split('-').map((text) => Buffer.from(text.split('.').map(Number)).readUInt32BE())) as [
  number,
  number,
][];

const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
const hex = (value: number): string => `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;

/** Random IPv4 addresses, half of them in or next to a special block. */
const ipv4 = fc.oneof(
  fc.nat({ max: 0xffff_ffff }),
  fc
    .tuple(fc.constantFrom(...SPECIAL_IPV4.flat()), fc.constantFrom(-1, 0, 1))
    .map(([edge, step]) => (edge + step + 2 ** 32) % 2 ** 32),
);

test('in any notation, an IPv4 address is public exactly if it is public in the IANA registries', (t) => {
  fc.assert(
    fc.property(ipv4, (value) => {
      const expected = !SPECIAL_IPV4.some(([first, last]) => value >= first && value <= last);
      const written = [dotted(value), `::ffff:${dotted(value)}`, `::ffff:${hex(value)}`, `64:ff9b::${hex(value)}`];
      for (const text of written) t.is(isPublic(text), expected, text);
      for (const text of [
        `::${hex(value)}`,
        `::ffff:0:${hex(value)}`,
        `2002:${hex(value)}::`,
        `64:ff9b:1::${hex(value)}`,
      ])
        t.false(isPublic(text), text);
      t.is(isPublic(`2606:4700::200:5efe:${hex(value)}`), expected, 'ISATAP');
    }),
    { numRuns: 2_000 },
  );
});
