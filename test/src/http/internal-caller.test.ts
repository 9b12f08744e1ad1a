import { randomBytes } from 'node:crypto';
import { createApp } from '#app/app.ts';
import { createKeyless } from '#src/accounts/keyless.ts';
import { KEYLESS_KINDS } from '#src/accounts/keys.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { examplePath } from '#src/http/example-path.ts';
import { createInternalCall, type InternalCall, internalHeaders } from '#src/http/internal-caller.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import { type Administered, administered } from '#test/administration.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { unitsUsed } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
let call: InternalCall;
test.before(async () => {
  app = await sharedApp();
  const bearer = randomBytes(32).toString('base64url');
  const koa = await createApp(app.services, undefined, bearer);
  const listener = koa.callback();
  call = createInternalCall(() => listener, bearer);
});

const IP = '203.0.113.7';
const get = (keyHash: Buffer, url: string) => call({ keyHash }, { method: 'GET', url, headers: {} }, IP);

async function keyless(organization: Administered, role: string, kind: 'connector' | 'console') {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const { body } = await organization.post('/members', { email, name: 'Member', role });
  const { services } = app;
  const member = await memberNumber(body.data.id);
  return inTransaction(services.pool, async (db) => ({
    memberId: body.data.id as string,
    ...(await createKeyless(
      { db, random: services.random, actor: { type: 'system', id: null, requestId: null } },
      organization.id,
      { kind, name: 'Same name', member },
    )),
  }));
}
const memberNumber = async (id: string): Promise<number> =>
  (await app.services.pool.query('select id from members where public_id = $1', [id])).rows[0].id;

test('no text is a key without a secret, and its hash from outside is refused', async (t) => {
  const { keyHash } = await keyless(await administered(app), 'owner', 'connector');
  t.is((await get(keyHash, '/v1/limits')).status, 200);
  const header = internalHeaders('', { keyHash })['x-internal-key'] ?? '';
  for (const authorization of [
    undefined,
    `Bearer ${header}`,
    'Bearer svc_live_x',
    `Bearer ${randomBytes(32).toString('base64url')}`,
  ]) {
    const headers = { 'X-Internal-Key': header, ...(authorization && { Authorization: authorization }) };
    t.is((await app.request('/v1/limits', { headers })).body.error.code, 'invalid_api_key');
  }
  const valid = await administered(app);
  const spoofed = await app.request('/v1/limits', { key: valid.key, headers: { 'X-Internal-Key': header } });
  t.is(spoofed.body.error.code, 'invalid_api_key', 'also with the key of another organization');
});

test('a key without a secret calls what its kind may, with the plan, charges, log and allowlist of its organization', async (t) => {
  const organization = await administered(app, { plan: 'growth' });
  const connector = await keyless(organization, 'viewer', 'connector');
  const console = await keyless(organization, 'viewer', 'console');
  for (const endpoint of endpoints.filter(({ method, audience }) => method === 'GET' && audience !== 'public')) {
    const path = examplePath(endpoint);
    for (const [key, audience, code] of [
      [connector, 'data', 'admin_key_required'],
      [console, 'admin', 'admin_key_not_allowed'],
    ] as const) {
      const { text } = await get(key.keyHash, path);
      t.is(
        JSON.parse(text).error?.code === code,
        endpoint.audience !== audience,
        `${audience} ${path} ${text.slice(0, 200)}`,
      );
    }
  }
  const { slug } = await app.addCity();
  const used = await unitsUsed(app.services, organization.id);
  const listings = `/v1/listings?city=${slug}&listing_type=rent`;
  t.is((await get(connector.keyHash, listings)).headers['x-request-units'], '1');
  t.is(await unitsUsed(app.services, organization.id), used + 1);
  await app.services.requestLog.flush();
  const log = await organization.get(`/request-logs?key_id=${connector.id}`);
  t.true(log.body.data.length > 0);
  await organization.post('', { ip_allowlist: ['198.51.100.0/24', '127.0.0.0/8'] });
  t.regex((await get(connector.keyHash, listings)).text, /ip_not_allowed/);
});

test('keys without a secret count toward no limit of keys, share names, cannot be rotated, and end with their member', async (t) => {
  const organization = await administered(app, { columns: { active_keys: 3 } });
  const made = [];
  for (let each = 0; each < 60; each++)
    made.push(await keyless(organization, 'developer', KEYLESS_KINDS[each % 2] ?? 'console'));
  t.is(
    (await organization.post('/keys', { name: 'Same name' })).status,
    201,
    'neither the name, the number nor the hour is taken',
  );
  const [first] = made;
  if (!first) return t.fail();
  t.is((await organization.post(`/keys/${first.id}/rotate`, {})).body.error.code, 'conflict');
  t.is((await organization.post('/keys', { name: 'x', kind: 'console' })).body.error.code, 'invalid_body');
  t.is((await get(first.keyHash, '/v1/limits')).status, 200);
  await organization.post(`/members/${first.memberId}/remove`);
  t.regex((await get(first.keyHash, '/v1/limits')).text, /revoked_api_key/);
});

test('a console key has the permissions of its member', async (t) => {
  const organization = await administered(app);
  for (const [role, status] of [
    ['viewer', 403],
    ['developer', 201],
    ['owner', 201],
  ] as const) {
    const { keyHash } = await keyless(organization, role, 'console');
    const body = JSON.stringify({ name: `Key of ${role}` });
    const headers = { 'content-type': 'application/json' };
    const response = await call({ keyHash }, { method: 'POST', url: '/v1/organization/keys', headers, body }, IP);
    t.is(response.status, status, `${role} ${response.text}`);
  }
});
