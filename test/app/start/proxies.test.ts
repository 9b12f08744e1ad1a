import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { freePort } from '#domain/process/ports.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization } from '#test/factories.ts';
import { neighborsOf, startNeighbor } from '#test/neighbors.ts';
import { testWhere } from '#test/present.ts';
import { test } from '#test/test.ts';

const COMPOSE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docker-compose.yml'), 'utf8');
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

let app: TestApp;
let key: string;
test.before(async () => {
  app = await startTestApp({ env: { TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' } });
  key = (await createOrganization(app.services, { columns: { ip_allowlist: ['203.0.113.0/24', '2001:db8::/32'] } }))
    .key;
});
test.after(() => app?.close());

/** The server block of docker-compose.yml, before the app. */
function nginxConfig(port: number): string {
  const { configs } = parse(COMPOSE, { merge: true }) as { configs: { gateway: { content: string } } };
  const server = configs.gateway.content
    .replaceAll('$$', '$')
    .replace('http://api:8080', app.url)
    .replace('listen 8080', `listen 127.0.0.1:${port}`);
  const paths = TEMPORARY.map((name) => `${name}_temp_path FOLDER/${name};`).join(' ');
  return `daemon off; pid FOLDER/pid; error_log stderr; events {} http { access_log off; ${paths} ${server} }`;
}

const haproxyConfig = (port: number): string => `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend all
  bind 127.0.0.1:${port}
  option forwardfor
  default_backend api
backend api
  server api ${new URL(app.url).host}
`;

/** Calls the API through a proxy, as a proxy before it with another address would. */
async function checkProxy(t: ExecutionContext, url: string): Promise<void> {
  await eventually(() =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const call = (path: string, headers: Record<string, string>, more: RequestInit = {}) =>
    fetch(url + path, {
      headers: { Authorization: `Bearer ${key}`, ...headers },
      signal: AbortSignal.timeout(30_000),
      ...more,
    });
  for (const [forwarded, code] of [
    ['203.0.113.9', 'ok'],
    ['203.0.113.9:51008', 'ok'],
    ['[2001:db8::7]:51008', 'ok'],
    ['203.0.113.9:51008, 10.0.0.6', 'ok'],
    ['198.51.100.9:51008', 'ip_not_allowed'],
    ['203.0.113.9, 198.51.100.9', 'ip_not_allowed'],
    ['unknown', 'ip_not_allowed'],
  ] as const) {
    const response = await call('/v1/limits', { 'X-Forwarded-For': forwarded });
    const { error } = (await response.json()) as { error?: { code: string } };
    t.is(error?.code ?? 'ok', code, forwarded);
  }
  const document = await call('/v1/openapi.json', { 'Accept-Encoding': 'gzip' });
  t.is(document.headers.get('content-encoding'), 'gzip');
  await document.arrayBuffer();
  const etag = document.headers.get('etag') ?? '';
  t.is((await call('/v1/openapi.json', { 'Accept-Encoding': 'gzip', 'If-None-Match': etag })).status, 304);
  const post = { method: 'POST', body: '{"dataset": 1}' };
  const from = { 'X-Forwarded-For': '203.0.113.9', 'Content-Type': 'application/json' };
  const refused = await call('/v1/exports', from, post);
  t.is(refused.status, 400);
  t.like(await refused.json(), { error: { param: 'dataset' } });
}

const [nginx] = neighborsOf('nginx', '-v');
testWhere(nginx !== undefined)(
  'nginx with the configuration of docker-compose.yml passes the address of the client',
  async (t) => {
    const port = await freePort();
    await startNeighbor(t, nginx as NonNullable<typeof nginx>, { 'nginx.conf': nginxConfig(port) }, [
      '-p',
      '.',
      '-c',
      'nginx.conf',
      '-e',
      'stderr',
    ]);
    await checkProxy(t, `http://127.0.0.1:${port}`);
  },
);

const [haproxy] = neighborsOf('haproxy', '-v');
testWhere(haproxy !== undefined)('HAProxy passes the address of the client in a header of its own', async (t) => {
  const port = await freePort();
  await startNeighbor(t, haproxy as NonNullable<typeof haproxy>, { 'haproxy.cfg': haproxyConfig(port) }, [
    '-f',
    'haproxy.cfg',
  ]);
  await checkProxy(t, `http://127.0.0.1:${port}`);
});
