import { randomUUID } from 'node:crypto';
import { SCOPES, type Scope } from '#src/accounts/scopes.ts';
import { endpoints } from '#src/endpoints/index.ts';
import type { Endpoint } from '#src/http/endpoint.ts';
import { administered, verdict } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createKey, createOrganization, type OrganizationOptions } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await startTestApp({
    overrides: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
  });
});
test.after(() => app.close());

const data = endpoints.filter(({ audience }) => audience === 'data');
const administration = endpoints.filter(({ audience }) => audience === 'admin');

/** Calls an endpoint with a key. `document.test.ts` covers keys that are not valid, and keys of the wrong kind. */
const call = ({ method, path }: Endpoint, key: string, values: Readonly<Record<string, string>> = {}) =>
  app.request(
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1'),
    { key, ...(method === 'POST' && { json: {} }) },
  );

const PLANS = ['free', 'starter', 'growth', 'pro', 'enterprise'] as const;

test('a key can call exactly the operations in the scopes of its plan', async (t) => {
  const { rows } = await app.services.pool.query<{ name: string; scopes: Scope[] }>(
    'select name, scopes from plans order by rank',
  );
  for (const plan of PLANS) {
    const has = rows.find(({ name }) => name === plan)?.scopes ?? [];
    const columns = { units_per_minute: 1_000_000, units_per_month: 1_000_000 };
    const { key } = await createOrganization(app.services, { plan, columns });
    for (const operation of data) {
      const answer = await call(operation, key);
      const said = verdict(answer);
      const lacks = operation.scope !== null && !has.includes(operation.scope);
      if (lacks && operation.scope) {
        const lowest = rows.find(({ scopes }) => operation.scope && scopes.includes(operation.scope))?.name;
        const { message } = answer.body.error;
        t.regex(message, new RegExp(`\`${operation.scope}\` scope\\. The lowest plan .* is ${lowest}\\.$`, 'i'));
      }
      t.is(said === '403 scope_not_in_plan', lacks, `${plan}: ${operation.method} ${operation.path}: ${said}`);
      t.notRegex(said, /^(401|403 (?!scope_not_in_plan)|5)/, `${plan}: ${operation.path}: ${said}`);
    }
  }
});

test('a key with a single scope can call exactly the operations in that scope', async (t) => {
  const { id } = await createOrganization(app.services, { plan: 'enterprise' });
  for (const scope of SCOPES) {
    const key = await createKey(app.services, id, { columns: { scopes: [scope] } });
    for (const operation of data) {
      const said = verdict(await call(operation, key));
      const lacks = operation.scope !== null && operation.scope !== scope;
      t.is(said === '403 scope_not_in_key', lacks, `${scope}: ${operation.method} ${operation.path}: ${said}`);
    }
  }
});

test('every operation rejects suspended organizations, expired organizations and disallowed IP addresses', async (t) => {
  const past = new Date(Date.now() - 1_000);
  const cases: [OrganizationOptions['columns'], string][] = [
    [{ suspended_at: past }, '403 client_suspended'],
    [{ term_ends_at: past }, '403 client_expired'],
    [{ ip_allowlist: ['203.0.113.0/24', '2001:db8::/32'] }, '403 ip_not_allowed'],
  ];
  for (const [columns, expected] of cases) {
    const org = await administered(app, { columns: columns ?? {} });
    for (const operation of [...data, ...administration]) {
      const key = operation.audience === 'admin' ? org.admin : org.key;
      t.is(verdict(await call(operation, key)), expected, `${operation.method} ${operation.path}`);
    }
  }
});

test('every operation returns 404 for a resource of another organization', async (t) => {
  const [org, other] = [await administered(app), await administered(app)];
  const made = await other.post('/keys', { name: 'theirs' }, randomUUID());
  const { slug: city } = await app.addCity();
  const hook = { url: 'https://hooks.test/', event_types: ['listing.created'], filters: { city } };
  const webhook = (await other.post('/webhooks', hook)).body.data.id;
  const delivery = (await other.post(`/webhooks/${webhook}/test`, {})).body.data.id;
  const exported = await app.request('/v1/exports', {
    key: other.key,
    json: { dataset: 'registered_rents', format: 'csv' },
  });
  const theirs: Readonly<Record<string, string>> = {
    project_id: (await other.post('/projects', { name: 'theirs' })).body.data.id,
    member_id: (await other.post('/members', { email: 'a@example.com', name: 'A', role: 'owner' })).body.data.id,
    export_id: exported.body.data.id,
    key_id: made.body.data.id,
    webhook_id: webhook,
    delivery_id: delivery,
  };
  const owned = administration.filter(({ pathParameters }) => pathParameters.length > 0);
  t.true(owned.length > 0);
  for (const operation of owned) {
    for (const { name } of operation.pathParameters)
      t.true(name in theirs, `${operation.path}: add a resource of the other organization for this parameter`);
    t.regex(verdict(await call(operation, org.admin, theirs)), /^404 (export_)?not_found$/, operation.path);
  }
  t.is((await app.request('/v1/limits', { key: made.body.data.secret })).status, 200, 'the resource is unchanged');
  t.is((await other.all(`/webhooks/${webhook}/deliveries`)).length, 1);
});

test('responses of administration operations have no rate limit or quota headers', async (t) => {
  const org = await administered(app, { plan: 'pro' });
  for (const operation of administration) {
    const { headers } = await call(operation, org.admin);
    const found = [...headers.keys()].filter((name) => /ratelimit|quota|units/.test(name));
    t.deepEqual(found, [], operation.path);
    t.truthy(headers.get('X-Request-Id'));
  }
});
