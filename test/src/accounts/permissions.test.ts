import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { PERMISSIONS, ROLES, type Role } from '#src/accounts/roles.ts';
import { endpoints } from '#src/endpoints/index.ts';
import bodies from '#src/openapi/bodies.json' with { type: 'json' };
import { type Administered, administered, verdict } from '#test/administration.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { createKey } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
/** A second node. */
let other: TestApp;
test.before(async () => {
  const options = { overrides: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] } };
  app = await startTestApp(options);
  other = await startTestApp(options);
  // The examples of bodies use it.
  await app.addCity({ slug: 'riyadh' });
});
test.after(() => Promise.all([app.close(), other.close()]));

const OPERATIONS = endpoints.filter(({ method }) => method === 'POST');
/** The examples of the documentation. The city of the export has no data. */
const BODIES: Readonly<Record<string, object>> = {
  ...bodies,
  createExport: { dataset: 'registered_rents', format: 'csv' },
};

/** Creates an admin key of a new member with a role. */
async function memberKey({ id }: Pick<Administered, 'id'>, role: Role) {
  const suffix = randomBytes(6).toString('hex');
  const { rows } = await app.services.pool.query<{ id: number; public_id: string }>(
    `insert into members (public_id, organization_id, email, name, role)
     values ('mem_' || $2, $1, $2 || '@example.com', $2, $3) returning id, public_id`,
    [id, suffix, role],
  );
  const member = rows[0] as { id: number; public_id: string };
  return { member, key: await createKey(app.services, id, { kind: 'admin', columns: { member_id: member.id } }) };
}

const setRole = (member: number, role: Role) =>
  app.services.pool.query('update members set role = $2 where id = $1', [member, role]);

async function keyId(key: string): Promise<string> {
  const { rows } = await app.services.pool.query(
    `select public_id from api_keys where last_four = $1 order by id desc limit 1`,
    [key.slice(-4)],
  );
  return rows[0].public_id;
}

/** Resources of an organization by the path parameter that names them. A new parameter needs a line. */
function resource(org: Administered, path: Map<string, string>, parameter: string): Promise<string> {
  const made: Readonly<Record<string, () => Promise<TestResponse>>> = {
    key_id: () => org.post('/keys', { name: 'resource' }),
    member_id: () => org.post('/members', { email: 'resource@example.com', name: 'Resource', role: 'viewer' }),
    project_id: () => org.post('/projects', { name: 'resource' }),
    webhook_id: () => org.post('/webhooks', BODIES.createWebhook),
    delivery_id: async () => {
      const delivery = await org.post(`/webhooks/${path.get('webhook_id')}/test`, {});
      await app.services.pool.query(`update webhook_deliveries set status = 'failed' where public_id = $1`, [
        delivery.body.data.id,
      ]);
      return delivery;
    },
    export_id: () => app.request('/v1/exports', { key: org.key, json: BODIES.createExport }),
  };
  const make = made[parameter];
  if (!make) throw new Error(`add a resource for the path parameter ${parameter}`);
  return make().then(({ body }) => body.data.id);
}

const send = (path: string, key: string, idempotencyKey: string, json: object, to = app) =>
  to.request(path, { key, json, headers: { 'Idempotency-Key': idempotencyKey } });
const replayed = ({ headers }: TestResponse) => headers.get('Idempotent-Replay') === 'true';

/** Runs a call and returns the statements of its transaction, and those outside of one. */
async function recorded<T>(run: () => Promise<T>): Promise<{ result: T; inside: string[]; outside: string[] }> {
  const { pool } = app.services;
  const [inside, outside]: [string[], string[]] = [[], []];
  const [connect, query] = [pool.connect, pool.query];
  const textOf = (statement: unknown) =>
    (typeof statement === 'string' ? statement : (statement as { text: string }).text).trim().toLowerCase();
  pool.query = ((...args: unknown[]) => {
    outside.push(textOf(args[0]));
    return Reflect.apply(query, pool, args);
  }) as typeof query;
  pool.connect = (async (...args: unknown[]) => {
    const client = await Reflect.apply(connect, pool, args);
    if (args.length > 0) return client;
    return new Proxy(client, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (name === 'query') inside.push(textOf(given[0]));
          return Reflect.apply(value, target, given);
        };
      },
    });
  }) as typeof connect;
  try {
    return { result: await run(), inside, outside };
  } finally {
    Object.assign(pool, { connect, query });
  }
}

const LOCK = 'select from organizations where id = $1 for no key update';
const isWrite = (text: string) => /\b(insert into|update \w+ |delete from)|for (no key )?update/.test(text);

for (const { operationId, path: template, audience, method, ...definition } of OPERATIONS)
  test(`${operationId} locks its organization first, and returns a stored response only to its key while that may call it`, async (t) => {
    const permitted: readonly Role[] =
      'permission' in definition && definition.permission ? PERMISSIONS[definition.permission] : [];
    t.is(permitted.length > 0, audience === 'admin', 'a change with an admin key states its permission');
    const org = await administered(app, { plan: 'enterprise' });
    const values = new Map<string, string>();
    for (const { name } of definition.pathParameters) values.set(name, await resource(org, values, name));
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? name);
    const isClose = operationId === 'closeOrganization';
    const body = isClose ? { name: (await org.get('')).body.data.name } : (BODIES[operationId] ?? {});
    const keys = new Map<string, string>();
    for (const role of ROLES) keys.set(role, (await memberKey(org, role)).key);
    keys.set('no member', org.admin).set('live', await createKey(app.services, org.id));
    keys.set('test', await createKey(app.services, org.id, { kind: 'test' }));
    keys.set('another organization', (await administered(app)).admin);
    const { member, key: ownerKey } = await memberKey(org, 'owner');
    const own = audience === 'admin' ? ownerKey : org.key;

    const guessed = randomUUID();
    const { result: first, inside, outside } = await recorded(() => send(path, own, guessed, body));
    t.regex(String(first.status), /^20[01]$/, first.text);
    t.is(inside.find(isWrite), LOCK);
    t.deepEqual(outside.filter(isWrite), []);
    const again = await send(path, own, guessed, body);
    if (isClose) {
      for (const key of [own, ...keys.values()].slice(0, -1))
        t.is(verdict(await send(path, key, guessed, body)), '401 revoked_api_key');
      return;
    }
    if (operationId !== 'leaveOrganization') t.true(replayed(again));
    else t.is(verdict(again), '401 revoked_api_key', 'its key ends with the call');
    if (operationId === 'leaveOrganization') return;
    t.is(again.text, first.text);
    for (const [name, key] of keys) {
      const answer = await send(path, key, guessed, body);
      t.false(replayed(answer), `${name}: ${answer.text}`);
      t.false(answer.text.includes(first.body.data.secret ?? randomUUID()), name);
      const isAllowed = name === 'no member' || permitted.includes(name as Role);
      if (audience === 'admin' && name !== 'another organization')
        t.is(/^40[13] /.test(verdict(answer)), !isAllowed, `${name}: ${verdict(answer)}`);
    }
    const rotate = audience === 'admin' ? own : org.admin;
    const rotated = await send(`/v1/organization/keys/${await keyId(own)}/rotate`, rotate, randomUUID(), {});
    t.is((await send(path, rotated.body.data.secret, guessed, body)).text, first.text, 'the rotated key');
    if (audience === 'data') return;
    for (const role of ROLES) {
      await setRole(member.id, role);
      const answer = await send(path, own, guessed, body);
      t.is(replayed(answer), permitted.includes(role), `after the change to ${role}: ${verdict(answer)}`);
    }
  });

test('a stored export is not returned after the plan has lost its scope', async (t) => {
  const { id, key } = await administered(app, { plan: 'enterprise' });
  const { slug } = await app.addCity();
  const create = () =>
    send('/v1/exports', key, 'same', { dataset: 'listings', format: 'csv', filters: { city: slug } });
  t.is((await create()).status, 201);
  t.true(replayed(await create()));
  await app.services.pool.query(`update organizations set plan = 'free' where id = $1`, [id]);
  t.is(verdict(await create()), '403 scope_not_in_plan');
});

test('a response that an earlier release stored is not returned and its call not repeated, and that release finds new ones', async (t) => {
  const org = await administered(app);
  const { pool } = app.services;
  const hashOf = (text: string) => createHash('sha256').update(text).digest();
  await pool.query(
    `insert into idempotency_records (organization_id, key_hash, request_hash, status, body, created_at)
     values ($1, $2, '', 201, '', now())`,
    [org.id, hashOf('earlier')],
  );
  t.is(verdict(await org.post('/keys', { name: 'a' }, 'earlier')), '409 conflict');
  t.is((await org.post('/keys', { name: 'a' }, 'later')).status, 201);
  const { rows } = await pool.query(
    'select status, body <> $3 as has from idempotency_records where organization_id = $1 and key_hash = $2',
    [org.id, hashOf('later'), ''],
  );
  t.deepEqual(rows, [{ status: 201, has: true }]);
});

test('an admin key is revoked exactly by keys with all permissions of its role', async (t) => {
  const org = await administered(app, { plan: 'enterprise' });
  const callers = [...ROLES, null];
  const rights = (role: Role | null) =>
    Object.entries(PERMISSIONS).flatMap(([name, roles]) =>
      role === null || (roles as readonly Role[]).includes(role) ? [name] : [],
    );
  for (const role of callers) {
    const key = role === null ? org.admin : (await memberKey(org, role)).key;
    for (const target of callers) {
      const targetKey =
        target === null ? await createKey(app.services, org.id, { kind: 'admin' }) : (await memberKey(org, target)).key;
      const path = `/v1/organization/keys/${await keyId(targetKey)}`;
      const isAllowed =
        rights(role).includes('develop') && rights(target).every((right) => rights(role).includes(right));
      const rotated = verdict(await send(`${path}/rotate`, key, randomUUID(), {}));
      t.is(rotated, '403 forbidden_action', `${role} rotates the key of ${target}`);
      const revoked = verdict(await send(`${path}/revoke`, key, randomUUID(), {}));
      t.is(revoked, isAllowed ? '200' : '403 forbidden_action', `${role} revokes the key of ${target}`);
    }
  }
});

test('of fifty pairs of owners that remove or demote each other at the same time, each keeps an owner', async (t) => {
  const pairs = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const org = await administered(app);
      const owners = [await memberKey(org, 'owner'), await memberKey(org, 'owner')] as const;
      return { org, owners, demotes: index % 2 === 0 };
    }),
  );
  const verdicts = await Promise.all(
    pairs.flatMap(({ org, owners: [a, b], demotes }) =>
      [a, b].map(async ({ key }, index) => {
        const { member } = index === 0 ? b : a;
        const { rows } = await app.services.pool.query('select email from members where id = $1', [member.id]);
        const [path, body] = demotes
          ? ['/v1/organization/members', { email: rows[0].email, name: 'Demoted', role: 'viewer' }]
          : [`/v1/organization/members/${member.public_id}/remove`, {}];
        return `${org.id} ${verdict(await send(String(path), key, randomUUID(), Object(body), index === 0 ? app : other))}`;
      }),
    ),
  );
  for (const { org } of pairs) {
    const { rows } = await app.services.pool.query(
      `select count(*) as owners from members where organization_id = $1 and role = 'owner'`,
      [org.id],
    );
    t.is(rows[0].owners, 1, verdicts.filter((each) => each.startsWith(`${org.id} `)).join());
  }
  const org = await administered(app);
  const { member } = await memberKey(org, 'owner');
  t.is(verdict(await org.post(`/members/${member.public_id}/remove`)), '409 conflict', 'the only member');
});
