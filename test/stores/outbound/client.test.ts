import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { ExecutionContext } from 'ava';
import { AddressError } from '#stores/outbound/address.ts';
import {
  createOutboundClient,
  OutboundError,
  type OutboundOptions,
  type OutboundRequest,
  userAgentOf,
} from '#stores/outbound/outbound-client.ts';
import { publicLookup, type Resolve } from '#stores/outbound/resolve.ts';
import { eventually } from '#test/eventually.ts';
import { listen } from '#test/listen.ts';
import { test } from '#test/test.ts';

interface Host {
  origin: string;
  /** Host and port as `host:port`. */
  host: string;
  requests: IncomingMessage[];
}

async function startHost(t: ExecutionContext, answer: RequestListener): Promise<Host> {
  const requests: IncomingMessage[] = [];
  const { host, url, close } = await listen(
    createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    }),
  );
  t.teardown(close);
  return { origin: url, host, requests };
}

function client(t: ExecutionContext, hosts: readonly Host[], options: OutboundOptions = {}) {
  const made = createOutboundClient({ privateHosts: hosts.map(({ host }) => host), ...options });
  t.teardown(() => made.close());
  return made;
}

const LIMITS = { timeoutMs: 10_000, maxBytes: 100_000 } satisfies OutboundRequest;
const answers =
  (body: string, head: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(200, head).end(body);

/** Creates a resolver that returns the given address lists in turn, one per call. */
const sequence =
  (...steps: string[][]): Resolve =>
  async () =>
    (steps.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

test('a host name with any non-public address is rejected, and no connection is opened', async (t) => {
  const host = await startHost(t, answers('secret'));
  const port = new URL(host.origin).port;
  for (const addresses of [
    ['127.0.0.1'],
    ['93.184.215.14', '127.0.0.1'],
    ['127.0.0.1', '93.184.215.14'],
    ['93.184.215.14', '::1'],
    ['::ffff:127.0.0.1'],
    ['2606:4700::1111', 'fd00:ec2::254'],
    ['::7f00:1'],
    [],
  ]) {
    const outbound = client(t, [], { resolve: sequence(addresses) });
    const call = outbound.fetch(`http://photos.example:${port}/x`, LIMITS);
    await t.throwsAsync(call, { instanceOf: AddressError }, addresses.join());
  }
  t.is(host.requests.length, 0);
});

test('a host name is resolved once per connection, and the connection uses the checked address', async (t) => {
  // Public on the first lookup and private on the second, so that an additional lookup is detected.
  const rebinding = publicLookup(sequence(['93.184.215.14', '2606:4700::1111'], ['127.0.0.1']));
  const look = (lookup: ReturnType<typeof publicLookup>, options: object) =>
    new Promise((resolve) => lookup('rebind.example', options, (...found) => resolve(found)));
  const first = [
    { address: '93.184.215.14', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ];
  t.deepEqual(await look(rebinding, { all: true }), [null, first]);
  const [error] = (await look(rebinding, { all: true })) as [unknown];
  t.true(error instanceof AddressError);
  t.deepEqual(await look(publicLookup(sequence(['8.8.8.8'])), {}), [null, '8.8.8.8', 4]);
  const failing = client(t, [], { resolve: () => Promise.reject(new Error('unknown name')) });
  await t.throwsAsync(failing.fetch('http://nobody.example/', LIMITS), { message: 'unknown name' });
});

test('redirects are followed up to the limit, and every redirect target is checked', async (t) => {
  const host: Host = await startHost(t, (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end('moved');
    else response.end('here');
  });
  const outbound = client(t, [host]);
  const arrived = await outbound.fetch(`${host.origin}/3`, { ...LIMITS, maxRedirects: 3 });
  t.is(arrived.status, 200);
  t.is((await arrived.bytes()).toString(), 'here');
  await t.throwsAsync(outbound.fetch(`${host.origin}/4`, { ...LIMITS, maxRedirects: 3 }), {
    instanceOf: OutboundError,
    code: 'too_many_redirects',
  });
  const before = host.requests.length;
  const off = await outbound.fetch(`${host.origin}/1`, LIMITS);
  t.deepEqual([off.status, off.headers.location], [302, '/0']);
  off.discard();
  const post = await outbound.fetch(`${host.origin}/1`, { ...LIMITS, method: 'POST', body: 'x', maxRedirects: 3 });
  t.is(post.status, 302, 'the body of a POST is not sent to a redirect');
  post.discard();
  t.is(host.requests.length, before + 2);

  const inner = await startHost(t, answers('secret'));
  for (const location of [
    inner.origin,
    'file:///etc/passwd',
    'http://169.254.169.254/',
    `http://user:pw@${host.host}/0`,
    'http://[::7f00:1]/',
    'http://',
  ]) {
    const leading = await startHost(t, (_, response) => void response.writeHead(307, { location }).end());
    const call = client(t, [leading, host]).fetch(leading.origin, { ...LIMITS, maxRedirects: 3 });
    await t.throwsAsync(call, { instanceOf: AddressError }, location);
  }
  t.is(inner.requests.length, 0);

  const plain = await startHost(t, (_, response) => void response.writeHead(302, { location: 'http://a.test/' }).end());
  const strict = client(t, [plain], { httpsOnly: true });
  await t.throwsAsync(strict.fetch(plain.origin, { ...LIMITS, maxRedirects: 2 }), { message: 'not https' });
});

test('interim responses are ignored, and a change of the protocol is an error', async (t) => {
  const host = await startHost(t, (request, response) => {
    if (request.url === '/101')
      return void response.socket?.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      );
    response.writeContinue();
    response.writeProcessing();
    response.writeEarlyHints({ link: '</x.css>; rel=preload; as=style' });
    response.writeContinue();
    response.writeHead(201).end('here');
  });
  const outbound = client(t, [host]);
  for (const method of ['GET', 'POST'] as const)
    for (let reuse = 0; reuse < 2; reuse++) {
      const response = await outbound.fetch(host.origin, { ...LIMITS, method, body: method === 'POST' ? 'x' : '' });
      t.is(response.status, 201);
      t.is((await response.bytes()).toString(), 'here');
    }
  await t.throwsAsync(outbound.fetch(`${host.origin}/101`, LIMITS), { message: /closed without a response|hang up/ });
});

test('requests over the limit of connections wait, and time out while they wait', async (t) => {
  const open: ServerResponse[] = [];
  const host = await startHost(t, (_, response) => void open.push(response));
  const outbound = client(t, [host], { connections: 2 });
  const calls = Array.from({ length: 3 }, () =>
    outbound.fetch(host.origin, LIMITS).then((response) => response.bytes()),
  );
  await eventually(() => open.length === 2);
  await t.throwsAsync(outbound.fetch(host.origin, { ...LIMITS, timeoutMs: 100 }), { code: 'timeout' });
  t.is(open.length, 2);
  for (const response of open.splice(0)) response.end('here');
  await eventually(() => open.length === 1);
  for (const response of open) response.end('here');
  t.deepEqual((await Promise.all(calls)).map(String), ['here', 'here', 'here']);
  t.is(new Set(host.requests.map(({ socket }) => socket)).size, 2, 'connections are reused');
});

test('each request names the service, and an address of a redirect may be UTF-8 or Latin-1', async (t) => {
  const host = await startHost(t, (request, response) => {
    if (request.url !== '/' && request.url !== '/old') return void response.end('here');
    const location = request.url === '/' ? Buffer.from('/صورة 1.jpg').toString('latin1') : '/caf\xe9.jpg';
    response.socket?.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`, 'latin1');
  });
  const userAgent = userAgentOf({ serviceName: 'عقار API', siteUrl: 'https://homes.example' });
  for (const path of ['/', '/old']) {
    const outbound = client(t, [host], { userAgent });
    await (await outbound.fetch(`${host.origin}${path}`, { ...LIMITS, maxRedirects: 1 })).bytes();
  }
  const requests = host.requests.map(({ url, headers }) => [decodeURI(url ?? ''), headers['user-agent']]);
  const agent = 'API (+https://homes.example)';
  t.deepEqual(requests, [
    ['/', agent],
    ['/صورة 1.jpg', agent],
    ['/old', agent],
    ['/café.jpg', agent],
  ]);
  await (await client(t, [host]).fetch(`${host.origin}/x`, LIMITS)).bytes();
  t.truthy(host.requests.at(-1)?.headers['user-agent'], 'also without a name');
});

test('headers for an origin are not sent to another host, scheme or port', async (t) => {
  const other = await startHost(t, answers('there'));
  const own = await startHost(t, (request, response) => {
    const location = request.url === '/' ? '/again' : `${other.origin}/`;
    response.writeHead(302, { location }).end();
  });
  const ownHeaders = { origin: own.origin, headers: { authorization: 'Bearer secret' } };
  const response = await client(t, [own, other]).fetch(own.origin, {
    ...LIMITS,
    maxRedirects: 3,
    ownHeaders,
    headers: { accept: 'a/b' },
  });
  t.is((await response.bytes()).toString(), 'there');
  t.deepEqual(
    own.requests.map(({ headers }) => headers.authorization),
    ['Bearer secret', 'Bearer secret'],
  );
  t.deepEqual(
    other.requests.map(({ headers }) => [headers.authorization, headers.accept]),
    [[undefined, 'a/b']],
  );
});

test('the encoded and the decoded size of a body are limited, regardless of its headers', async (t) => {
  const endless: RequestListener = (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(Buffer.alloc(10_000)), 2);
    response.on('close', () => clearInterval(timer));
  };
  const cases: [string, RequestListener][] = [
    ['stated', (_, response) => void response.writeHead(200, { 'content-length': '100001' }).write('x')],
    ['sent', endless],
    ['unpacked', answers(gzipSync(Buffer.alloc(5_000_000)) as unknown as string, { 'content-encoding': 'gzip' })],
  ];
  for (const [what, answer] of cases) {
    const host = await startHost(t, answer);
    const response = await client(t, [host]).fetch(host.origin, LIMITS);
    await t.throwsAsync(response.bytes(), { instanceOf: OutboundError, code: 'too_large' }, what);
  }
  const whole = Buffer.alloc(100_000, 7);
  for (const [head, body] of [
    [{}, whole],
    [{ 'content-encoding': 'gzip' }, gzipSync(whole)],
    [{ 'content-encoding': 'identity' }, whole],
  ] as const) {
    const host = await startHost(t, (_, response) => void response.writeHead(200, head).end(body));
    t.deepEqual(await (await client(t, [host]).fetch(host.origin, LIMITS)).bytes(), whole);
  }
});

test('a truncated or undecodable body causes an error', async (t) => {
  for (const answer of [
    ((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half', () => response.destroy());
    }) satisfies RequestListener,
    answers(gzipSync('x'.repeat(9_000)).subarray(0, 20) as unknown as string, { 'content-encoding': 'gzip' }),
    answers('plain', { 'content-encoding': 'gzip' }),
    answers('plain', { 'content-encoding': 'compress-all' }),
  ]) {
    const host = await startHost(t, answer);
    const response = await client(t, [host]).fetch(host.origin, LIMITS);
    await t.throwsAsync(response.bytes());
  }
});

test('a single timeout covers the whole request', async (t) => {
  const silent = await startHost(t, () => {});
  const slow = await startHost(t, (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  });
  const circle = await startHost(t, (_, response) => {
    setTimeout(() => response.writeHead(302, { location: '/' }).end(), 100);
  });
  const options = { ...LIMITS, timeoutMs: 400, maxRedirects: 1_000 };
  const outbound = client(t, [silent, slow, circle]);
  for (const { origin } of [silent, slow, circle]) {
    const call = outbound.fetch(origin, options).then((response) => response.bytes());
    await t.throwsAsync(call, { instanceOf: OutboundError, code: 'timeout', message: /within 400 ms/ });
  }
  const resolving = Promise.withResolvers<never>();
  const hanging = client(t, [], { resolve: () => resolving.promise });
  await t.throwsAsync(hanging.fetch('http://photos.example/', options), { code: 'timeout' });
  resolving.reject(new Error('late'));
});
