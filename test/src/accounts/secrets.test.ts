import { randomUUID } from 'node:crypto';
import { generateKey } from '#src/accounts/keys.ts';
import { endpoints } from '#src/endpoints/index.ts';
import type { Endpoint } from '#src/http/endpoint.ts';
import { createLogger, redactSecrets } from '#src/observability/logger.ts';
import { type Administered, administered } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';
import { sendRaw } from '../http/raw.ts';

/** An endpoint that fails with the key in the error message, as datastores and libraries may do. */
const LEAKING = testEndpoint('/v1/test/leaking', {
  scope: null,
  price: { units: 0 },
  handle: async ({ caller, services }) => {
    const { rows } = await services.pool.query<{ name: string }>('select name from organizations where id = $1', [
      caller.organization_id,
    ]);
    const name = rows[0]?.name;
    throw Object.assign(new Error(`could not call https://user:hunter2@host/?api_key=${name} with Bearer ${name}`), {
      headers: { authorization: `Bearer ${JSON.stringify(name)}` },
      cause: new Error(`because of ${JSON.stringify({ name })}`),
    });
  },
});

const logged: string[] = [];
let app: TestApp;
test.before(async () => {
  app = await startTestApp({
    endpoints: [...endpoints, LEAKING],
    env: { DATABASE_URL: await createDatabase('secrets') },
    overrides: { logger: createLogger('trace', { write: (line: string) => void logged.push(line) }) },
  });
});
test.after(() => app.close());

/** Returns all rows in all tables as text. */
async function dump(): Promise<string[]> {
  const { pool } = app.services;
  const tables = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const rows = [];
  for (const { name } of tables.rows) {
    const found = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    rows.push(...found.rows.map(({ row }) => `${name} ${row}`));
  }
  return rows;
}

/**
 * Returns the texts that contain the key without its prefix, the first 30 characters of that part, or its bytes in
 * hexadecimal notation.
 */
function findings(key: string, places: readonly string[]): string[] {
  const body = key.replace(/^svc_[a-z]+_/, '');
  const shapes = [body, body.slice(0, 30), Buffer.from(body).toString('hex')].map((shape) => shape.toLowerCase());
  return places.filter((place) => shapes.some((shape) => place.toLowerCase().includes(shape)));
}

/** Returns request bodies with the canary in every property, as a property name, and in malformed JSON. */
function bodies({ bodySchema }: Endpoint, canary: string): string[] {
  const properties = Object.keys((bodySchema?.properties ?? {}) as object);
  const name = `n${randomUUID()}`;
  const values = [canary, [canary], { [canary]: canary }, `x ${canary} y`];
  return [
    ...properties.flatMap((property) => values.map((value) => JSON.stringify({ name, [property]: value }))),
    JSON.stringify({ name, [canary]: 1 }),
    JSON.stringify(canary),
    `{"name": "${canary}`,
    JSON.stringify({ name }),
  ];
}

const HEADERS = `X-Api-Key X-Request-Id User-Agent Referer Cookie Origin Accept If-None-Match X-Forwarded-For Forwarded
  Traceparent Baggage Idempotency-Key Content-Type`.split(/\s+/);

/**
 * Yields requests that contain the canary in each header, the credentials, the path, each query parameter and the body.
 */
function* attempts(endpoint: Endpoint, key: string, canary: string) {
  const filled = endpoint.path.replaceAll(/\{\w+\}/g, '1');
  const json = { 'Content-Type': 'application/json' };
  const authorization = { Authorization: `Bearer ${key}` };
  const body = endpoint.method === 'POST' ? { body: JSON.stringify({ name: `n${randomUUID()}` }) } : {};
  for (const name of HEADERS) yield { path: filled, headers: { ...json, ...authorization, [name]: canary }, ...body };
  for (const credentials of [`Bearer ${canary}`, `Bearer ${canary}x`, `Bearer x${canary}`, canary, `Basic ${canary}`])
    yield { path: filled, headers: { ...json, Authorization: credentials }, ...body };
  yield { path: endpoint.path.replaceAll(/\{\w+\}/g, canary), headers: { ...json, ...authorization }, ...body };
  yield { path: `${filled}/${canary}`, headers: { ...json, ...authorization }, ...body };
  const required = endpoint.parameters.filter((each) => each.required).map((each) => [each.name, each.example ?? 'x']);
  // The text resembles a key but is invalid, so that the request is not rejected because of a key in the URL.
  const misspelled = `${canary.slice(0, -1)}${canary.endsWith('x') ? 'y' : 'x'}`;
  for (const name of [...endpoint.parameters.map((each) => each.name), 'api_key', 'token', canary, misspelled]) {
    for (const value of name.includes(canary.slice(0, -1)) ? ['x', canary] : [canary, `${canary},1`]) {
      const query = new URLSearchParams([
        ...required.filter(([other]) => other !== name),
        [name, value],
      ] as string[][] as [string, string][]);
      yield { path: `${filled}?${query}`, headers: { ...json, ...authorization }, ...body };
    }
  }
  if (endpoint.method !== 'POST') return;
  for (const text of bodies(endpoint, canary)) {
    const headers = { ...json, ...authorization, 'Idempotency-Key': randomUUID() };
    yield { path: filled, headers, body: text };
  }
}

test('no key, created or sent in any header, path, query or body, appears in a log line or a database row', async (t) => {
  const { services } = app;
  const canary = generateKey('live', services.random);
  // A valid key is used, because data that is loaded for a valid key could leak as well.
  const owner = await createOrganization(services);
  const known = await createKey(services, owner.id);
  const org: Administered = await administered(app);
  const secrets = [canary, known, org.key, org.admin];
  for (const kind of ['live', 'test']) {
    const { body } = await org.post('/keys', { name: kind, kind }, `idempotent-${kind}`);
    secrets.push(body.data.secret);
    await app.request('/v1/limits', { key: body.data.secret });
    await app.request(`/v1/limits?api_key=${body.data.secret}`);
  }
  let calls = 0;
  for (const secret of [canary, known]) {
    for (const endpoint of endpoints) {
      const key = endpoint.audience === 'admin' ? org.admin : org.key;
      for (const { path, headers, ...rest } of attempts(endpoint, key, secret)) {
        const response = await fetch(new URL(path, app.url), { method: endpoint.method, headers, ...rest });
        const text = await response.text();
        t.true(response.status < 500, `${endpoint.method} ${path}: ${text}`);
        t.false(text.includes(secret.slice(0, -6)), `${endpoint.method} ${path} repeats the key`);
        calls++;
      }
    }
  }
  for (const path of ['/nothing', '/healthz', '/docs/errors', '/r/1'])
    for (const sent of [`?key=${canary}&${canary}=1`, `/${canary}`, `/${canary.replaceAll('_', '%5f')}`])
      t.false((await app.request(path + sent, { key: canary })).text.includes(canary.slice(0, -6)), path + sent);
  await sendRaw(app.url, [`GET /${canary} HTTP/1.1\r\nAuthorization: ${canary}\r\nbroken\r\n\r\n`]);
  await services.requestLog.flush();
  const rows = await dump();
  t.true(rows.length > 300 && logged.length >= calls, `${calls} calls, ${rows.length} rows, ${logged.length} lines`);
  t.true(rows.some((row) => row.startsWith('public.request_logs') && row.includes('[redacted]')));
  t.true(rows.some((row) => row.startsWith('public.idempotency_records')));
  for (const secret of secrets) {
    t.deepEqual(findings(secret, rows).slice(0, 3), []);
    t.deepEqual(findings(secret, logged).slice(0, 3), []);
  }
  t.is(
    rows.find((row) => /svc_(live|admin|test)_[0-9A-Za-z]{36}/.test(row)),
    undefined,
  );
  // Clients may use secrets as idempotency keys, so only their digests are stored.
  t.false(rows.some((row) => row.includes('idempotent-live')));
});

test('an internal error is logged with its organization and key id, and without the secrets in its message, which are not returned', async (t) => {
  const { services } = app;
  const secret = generateKey('live', services.random);
  const org = await createOrganization(services);
  await services.pool.query('update organizations set name = $2 where id = $1', [org.id, secret]);
  const before = logged.length;
  const response = await app.request(LEAKING.path, { key: org.key });
  await services.pool.query(`update organizations set name = 'away ' || id where id = $1`, [org.id]);
  t.is(response.status, 500);
  t.deepEqual(findings(secret, [response.text]), []);
  const lines = logged.slice(before);
  t.true(lines.some((line) => line.includes('could not call https://user:[redacted]@host')));
  t.deepEqual(findings(secret, lines), []);
  t.false(lines.some((line) => line.includes('hunter2')));
  const access = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request');
  t.like(access, { status: 500, method: 'GET', route: LEAKING.path, organization: org.publicId, units: 0 });
  t.regex(access.key, /^key_/);
});

test('secrets are redacted wherever they appear in a text', (t) => {
  const cases: [string, string][] = [
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
    ['{"authorization":"Basic abc="}', '{"authorization":"Basic [redacted]"}'],
    ['/v1/x?api_key=abc&q=1', '/v1/x?api_key=[redacted]&q=1'],
    ['https://s3/a?X-Amz-Signature=00ff&x=1', 'https://s3/a?X-Amz-Signature=[redacted]&x=1'],
    ['postgres://user:word@host/db', 'postgres://user:[redacted]@host/db'],
    ['nothing to see', 'nothing to see'],
  ];
  for (const [text, expected] of cases) t.is(redactSecrets(text), expected);
});
