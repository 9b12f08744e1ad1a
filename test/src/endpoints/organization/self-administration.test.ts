import { applyPlans, deleteClosedOrganizations } from '#app/workers/housekeeping/jobs.ts';
import { monthLabel, monthOf } from '#domain/months.ts';
import { createKeyless } from '#src/accounts/keyless.ts';
import { KEYLESS_KINDS } from '#src/accounts/keys.ts';
import { CLOSED_DAYS } from '#src/accounts/organization-store.ts';
import { PERMISSIONS, ROLES } from '#src/accounts/roles.ts';
import { readStatement } from '#src/metering/statements.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import { type Administered, administered, verdict } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { createKey } from '#test/factories.ts';
import { test } from '#test/test.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let city: string;
test.before(async () => {
  app = await startTestApp({
    env: { CONTACT: 'sales@example.com', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'api@example.com' },
    overrides: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
  });
  city = (await app.addCity()).slug;
});
test.after(() => app.close());

const month = (offset = 0): string => monthLabel(monthOf(Date.now()) + offset);
const search = (limit: number) => `/v1/listings?city=${city}&listing_type=rent&limit=${limit}`;

async function runJob(job: Pick<ReturnType<typeof applyPlans>, 'run'>, now: Date): Promise<void> {
  const db = await app.services.pool.connect();
  await job.run(db, now).finally(() => db.release());
}

test('a key is changed within a second: name, project, member, scopes and expiry', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  const project = (await org.post('/projects', { name: 'Website', monthly_unit_cap: 1 })).body.data;
  const member = (await org.post('/members', { email: 'sara@example.com', name: 'Sara', role: 'owner' })).body.data;
  const made = (await org.post('/keys', { name: 'Site' })).body.data;
  t.is(made.member_id, null, 'the calling key has no member');
  t.is((await app.request(search(20), { key: made.secret })).status, 200);

  const change = { name: ' Site 2 ', project_id: project.id, member_id: member.id, scopes: ['listings'] };
  const changed = (await org.post(`/keys/${made.id}`, change)).body.data;
  t.like(changed, { ...change, name: 'Site 2', last_four: made.last_four, status: 'active' });
  t.is(verdict(await app.request(search(20), { key: made.secret })), '429 project_cap_exceeded');
  t.is(
    verdict(await app.request(`/v1/market/summary?city=${city}&listing_type=rent`, { key: made.secret })),
    '403 scope_not_in_key',
  );
  t.like((await org.post(`/keys/${made.id}`, { project_id: null, scopes: null })).body.data, {
    name: 'Site 2',
    project_id: null,
    member_id: member.id,
    scopes: null,
  });
  await eventually(async () => (await app.request(search(20), { key: made.secret })).status === 200);
  const { rows } = await app.services.pool.query(
    `select details from audit_events where organization_id = $1 and action = 'key.changed' order by id limit 1`,
    [org.id],
  );
  t.like(rows[0].details, { name: 'Site 2', project_id: project.id });
});

test('a change of a key that would break a rule is refused with its reason', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  const other = (await org.post('/keys', { name: 'Other' })).body.data;
  const key = (await org.post('/keys', { name: 'Key' })).body.data;
  const refused = async (body: object, expected: string, id = key.id) =>
    t.is(verdict(await org.post(`/keys/${id}`, body)), expected, JSON.stringify(body));
  await refused({}, '400 invalid_body');
  await refused({ name: 'Other' }, '409 name_taken');
  await refused({ scopes: ['exports'] }, '403 scope_not_in_plan');
  await refused({ project_id: 'prj_none' }, '404 not_found');
  await refused({ member_id: 'mem_none' }, '404 not_found');
  await refused({ expires_at: '2020-01-01T00:00:00Z' }, '400 invalid_value');
  const listed = await org.all('/keys');
  const admin = listed.find(({ kind }) => kind === 'admin')?.id;
  await refused({ member_id: null }, '409 conflict', admin);
  await refused({ scopes: ['listings'] }, '409 conflict', admin);
  t.is((await org.post(`/keys/${key.id}/rotate`, {})).status, 201);
  await refused({ expires_at: null }, '409 conflict');
  await org.post(`/keys/${other.id}/revoke`, {});
  await refused({ name: 'Another' }, '409 conflict', other.id);
});

test('a project is deleted once it has no active keys, remains named in usage, and frees its name and its place', async (t) => {
  const org = await administered(app, { plan: 'free' });
  const project = (await org.post('/projects', { name: 'Website' })).body.data;
  const key = (await org.post('/keys', { name: 'Site', project_id: project.id })).body.data;
  t.is((await app.request(search(10), { key: key.secret })).status, 200);
  await app.services.requestLog.flush();
  const blocked = await org.post(`/projects/${project.id}/delete`, {});
  t.is(verdict(blocked), '409 conflict');
  t.regex(blocked.body.error.message, /1 active key/);
  t.is((await org.post(`/keys/${key.id}`, { project_id: null })).status, 200);
  await org.post(`/keys/${key.id}`, { project_id: project.id });
  await org.post(`/keys/${key.id}/revoke`, {});
  t.deepEqual((await org.post(`/projects/${project.id}/delete`, {})).body.data, { id: project.id, deleted: true });
  t.deepEqual(await org.all('/projects'), []);
  const totals = (await org.get('/usage/totals?group_by=project&days=7')).body.data.groups;
  t.like(totals[0], { id: project.id, name: 'Website', requests: 1, units: 1 });
  for (const [path, body] of [
    [`/projects/${project.id}`, { name: 'x' }],
    [`/projects/${project.id}/delete`, {}],
    ['/keys', { name: 'y', project_id: project.id }],
  ] as const)
    t.is(verdict(await org.post(path, body)), '404 not_found');
  t.is((await org.post('/projects', { name: 'Website' })).status, 201);
});

test('usage is grouped by member, operation and day, and a removed member leaves its data keys', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  const member = (await org.post('/members', { email: 'sara@example.com', name: 'Sara', role: 'owner' })).body.data;
  await org.post('/members', { email: 'noura@example.com', name: 'Noura', role: 'owner' });
  const { rows } = await app.services.pool.query('select id from members where public_id = $1', [member.id]);
  const admin = await createKey(app.services, org.id, { kind: 'admin', columns: { member_id: rows[0].id } });
  const made = (await app.request('/v1/organization/keys', { key: admin, json: { name: 'Hers' } })).body.data;
  t.is(made.member_id, member.id, 'a key belongs to the member that creates it');
  await app.request(search(30), { key: made.secret });
  await app.request(search(10), { key: org.key });
  await app.services.requestLog.flush();
  const by = async (group: string) =>
    (await org.get(`/usage/totals?days=7&group_by=${group}`)).body.data.groups.filter(
      ({ units }: { units: number }) => units > 0,
    );
  t.deepEqual(await by('member'), [
    { id: member.id, name: 'Sara', requests: 2, units: 3 },
    { id: null, name: null, requests: 3, units: 1 },
  ]);
  t.deepEqual(await by('operation'), [{ id: 'searchListings', name: 'searchListings', requests: 2, units: 4 }]);
  const today = new Date().toISOString().slice(0, 10);
  t.like((await by('day'))[0], { id: today, units: 4 });

  t.is((await org.post(`/members/${member.id}/remove`, {})).status, 200);
  t.is(verdict(await app.request('/v1/organization', { key: admin })), '401 revoked_api_key');
  t.is((await app.request(search(10), { key: made.secret })).status, 200, 'a service may use it');
});

/** Units of the pages of `/organization/usage` in this month, of keys of a kind. */
async function usedUnits(org: Administered): Promise<number> {
  const rows = await org.all('/usage?days=90');
  return rows.filter(({ day }) => day.startsWith(month())).reduce((sum, { units }) => sum + units, 0);
}

test('the lines of a statement have exactly the units of usage, and its bill those of the charge, for every organization and role', async (t) => {
  const orgs: Administered[] = [];
  for (const plan of ['free', 'starter', 'growth', 'pro', 'enterprise'] as const) {
    const org = await administered(app, { plan, columns: { units_per_minute: 100_000 } });
    const key = (await org.post('/keys', { name: '=1+1' })).body.data.secret;
    const trial = (await org.post('/keys', { name: 'Trial', kind: 'test' })).body.data.secret;
    await Promise.all([10, 20].map((limit) => app.request(search(limit), { key })));
    await app.request(search(10), { key: trial });
    await app.request('/v1/listings/1', { key: org.key });
    orgs.push(org);
  }
  await app.services.requestLog.flush();
  for (const org of orgs) {
    const { statement } = (await org.get('/statements')).body;
    const lines = await org.all('/statements');
    t.is(
      lines.reduce((sum, { units }) => sum + units, 0),
      await usedUnits(org),
    );
    t.like(statement, { month: month(), units: 3, test_units: 1, unrecorded_units: 0, overage_units: 0, total_sar: 0 });
    t.deepEqual(
      lines.map(({ key_name, kind, operation, units }) => [key_name, kind, operation, units]),
      [
        ['=1+1', 'live', 'searchListings', 3],
        ['Trial', 'test', 'searchListings', 1],
      ],
    );
    const csv = await org.get('/statements?format=csv');
    t.is(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
    t.is(csv.headers.get('content-disposition'), `attachment; filename="statement-${month()}.csv"`);
    const [head, line] = csv.text.split('\n');
    t.is(head, 'day,key_id,key_name,kind,operation,requests,units');
    t.regex(line ?? '', /,'=1\+1,live,searchListings,2,3$/);
    t.is(csv.text.trim().split('\n').length, lines.length + 1);
  }
});

test('every role reads statements; the plan and the account are changed by those with the permission only', async (t) => {
  const org = await administered(app, { plan: 'growth' });
  for (const role of ROLES) {
    const { body } = await org.post('/members', { email: `${role}@example.com`, name: role, role });
    const { rows } = await app.services.pool.query('select id from members where public_id = $1', [body.data.id]);
    const key = await createKey(app.services, org.id, { kind: 'admin', columns: { member_id: rows[0].id } });
    t.is((await app.request('/v1/organization/statements', { key })).status, 200, role);
    const plan = await app.request('/v1/organization/plan', { key, json: { plan: 'growth' } });
    t.is(plan.status === 200, (PERMISSIONS.bill as readonly string[]).includes(role), role);
  }
});

test('a past statement has the quota and price of the plan at the end of its month, and the amount with VAT', async (t) => {
  const org = await administered(app, { plan: 'growth' });
  const { pool } = app.services;
  const last = month(-1);
  // The plan was Starter until the last day of the month before, and was changed to Growth afterwards.
  await pool.query('delete from plan_history where organization_id = $1', [org.id]);
  await pool.query(
    `insert into plan_history values ($1, $2::date - 40, 'starter', 50000, 6), ($1, now(), 'growth', 200000, 5)`,
    [org.id, `${last}-01`],
  );
  await pool.query(`insert into unit_counters values ('organization', $1, $2, 52345)`, [org.id, last.replace('-', '')]);
  t.deepEqual((await org.get(`/statements?month=${last}`)).body.statement, {
    month: last,
    plan: 'starter',
    units_per_month: 50_000,
    units: 52_345,
    test_units: 0,
    unrecorded_units: 52_345,
    overage_units: 2_345,
    sar_per_1000_units: 6,
    net_sar: 14.07,
    vat_pct: 15,
    vat_sar: 2.11,
    total_sar: 16.18,
  });
  t.like((await org.get('/statements')).body.statement, { plan: 'growth', units_per_month: 200_000, units: 0 });
  t.is((await org.get(`/statements?month=${month(-12)}`)).status, 200);
  for (const refused of [month(-13), month(1)])
    t.is(verdict(await org.get(`/statements?month=${refused}`)), '400 invalid_value');
});

test('each change of plan, quota or price is in the plan history, whoever makes it', async (t) => {
  const { pool } = app.services;
  const org = await administered(app, { plan: 'starter' });
  const latest = async () =>
    (
      await pool.query(
        `select plan, units_per_month::int, overage_sar_per_1000::float8 as price from plan_history
          where organization_id = $1 order by since desc limit 1`,
        [org.id],
      )
    ).rows[0];
  t.deepEqual(await latest(), { plan: 'starter', units_per_month: 50_000, price: 6 });
  await pool.query('update organizations set units_per_month = 7 where id = $1', [org.id]);
  t.deepEqual(await latest(), { plan: 'starter', units_per_month: 7, price: 6 });
  await pool.query(`update organizations set plan = 'enterprise', units_per_month = null where id = $1`, [org.id]);
  t.deepEqual(await latest(), { plan: 'enterprise', units_per_month: null, price: 0 });

  await pool.query(`update plan_history set since = since - interval '60 days' where organization_id = $1`, [org.id]);
  // A setting of the operator changes the price of a plan for all of its organizations.
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`update plans set overage = true, overage_sar_per_1000 = 2.5 where name = 'enterprise'`);
    const { rows } = await client.query(
      'select overage_sar_per_1000::float8 as price from plan_history where organization_id = $1 order by since desc limit 1',
      [org.id],
    );
    t.deepEqual(rows, [{ price: 2.5 }]);
    const read = (offset: number) => readStatement(client, org.id, monthOf(Date.now()) + offset);
    t.like(await read(0), { plan: 'enterprise', sar_per_1000_units: 2.5 });
    t.like(await read(-1), { plan: 'enterprise', sar_per_1000_units: 0 }, 'the price of its month');
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('a smaller plan begins with the next month, the current one cancels it, and a larger one is requested by mail', async (t) => {
  const org = await administered(app, { plan: 'growth' });
  const next = `${month(1)}-01T00:00:00Z`;
  t.deepEqual((await org.post('/plan', { plan: 'starter' })).body.data, {
    plan: 'starter',
    status: 'scheduled',
    from: next,
  });
  t.like((await org.get('')).body.data, { plan: 'growth', next_plan: { plan: 'starter', from: next } });
  t.deepEqual((await org.post('/plan', { plan: 'growth' })).body.data, {
    plan: 'growth',
    status: 'unchanged',
    from: null,
  });
  t.is((await org.get('')).body.data.next_plan, null);
  t.is(verdict(await org.post('/plan', { plan: 'gold' })), '400 invalid_value');

  t.like((await org.post('/plan', { plan: 'pro' })).body.data, { status: 'requested', from: null });
  t.is((await org.get('')).body.data.plan, 'growth');
  const { rows } = await app.services.pool.query(`select recipient, body from mails where reason like $1`, [
    `plan ${org.publicId} pro%`,
  ]);
  t.is(rows[0].recipient, 'sales@example.com');
  t.regex(rows[0].body, new RegExp(`org plan ${org.publicId} pro`));

  await org.post('/plan', { plan: 'free' });
  await runJob(applyPlans(app.services.random), new Date(Date.parse(next) - 1));
  t.is((await org.get('')).body.data.plan, 'growth');
  await runJob(applyPlans(app.services.random), new Date(next));
  t.like((await org.get('')).body.data, { plan: 'free', next_plan: null });

  const agreed = await administered(app, { plan: 'enterprise', columns: { units_per_minute: 9 } });
  t.is(verdict(await agreed.post('/plan', { plan: 'free' })), '409 conflict');
});

test('closing an account takes its name, stops keys and webhooks at once, and its data is deleted after 30 days from every table', async (t) => {
  const { pool } = app.services;
  const org = await administered(app, { plan: 'enterprise' });
  const remaining = await administered(app);
  const { name } = (await org.get('')).body.data;
  const hook = { url: 'https://hooks.example/a', event_types: ['listing.created'], filters: { city } };
  for (const [path, body] of [
    ['/webhooks', hook],
    ['/members', { email: 'sara@example.com', name: 'Sara', role: 'owner' }],
    ['/projects', { name: 'Website' }],
  ] as const)
    t.regex(String((await org.post(path, body)).status), /^20/);
  await app.request(search(10), { key: org.key });
  await app.request('/v1/exports', { key: org.key, json: { dataset: 'registered_rents', format: 'csv' } });
  await app.services.requestLog.flush();
  t.is(verdict(await org.post('/close', { name: 'Wrong' })), '400 invalid_value');
  t.is((await app.request(search(10), { key: org.key })).status, 200);

  const closed = (await org.post('/close', { name })).body.data;
  t.is(Date.parse(closed.deleted_after) - Date.parse(closed.closed_at), CLOSED_DAYS * DAY_MS);
  for (const key of [org.key, org.admin])
    t.is(verdict(await app.request(key === org.key ? search(10) : '/v1/organization', { key })), '401 revoked_api_key');
  const { rows: enabled } = await pool.query(
    `select from webhook_endpoints where organization_id = $1 and status = 'enabled'`,
    [org.id],
  );
  t.is(enabled.length, 0);

  await app.services.requestLog.flush();
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.column_name = 'organization_id' and c.table_schema = 'public' and t.table_type = 'BASE TABLE'`,
  );
  const left = async (id: number) => {
    const counts = await Promise.all(
      tables.map(async ({ name: table }) => {
        const { rowCount } = await pool.query(`select from ${table} where organization_id = $1`, [id]);
        return rowCount ? [table] : [];
      }),
    );
    return counts.flat();
  };
  t.true((await left(org.id)).length >= 9);
  const after = (days: number) => new Date(Date.now() + days * DAY_MS);
  await runJob(deleteClosedOrganizations, after(CLOSED_DAYS - 1));
  t.true((await left(org.id)).length >= 9, 'the operator can reopen it');
  await runJob(deleteClosedOrganizations, after(CLOSED_DAYS + 1));
  t.deepEqual(await left(org.id), []);
  const { rowCount } = await pool.query(
    `select from unit_counters where subject = 'organization' and subject_id = $1`,
    [org.id],
  );
  t.is(rowCount, 0);
  t.is((await remaining.get('')).status, 200);
});

test('members are invited once and again, leave by their own key, and the last owner stays', async (t) => {
  const org = await administered(app);
  const owner = { email: 'owner@example.com', name: 'Owner', role: 'owner' };
  const invited = (await org.post('/members', { ...owner, invite: true, language: 'ar' })).body.data;
  t.is(typeof invited.invited_at, 'string');
  t.is(invited.joined_at, null);
  t.is(verdict(await org.post('/members', { ...owner, invite: true })), '409 conflict');
  t.is((await org.post('/members', { ...owner, name: 'Renamed' })).body.data.name, 'Renamed', 'without it, as before');
  t.is((await org.post(`/members/${invited.id}/resend-invitation`, {})).status, 200);
  const { rows: mails } = await app.services.pool.query('select subject from mails where reason like $1 order by id', [
    `invitation ${invited.id}%`,
  ]);
  t.is(mails.length, 2);
  t.regex(mails[0].subject, /\p{Script=Arabic}/u);
  const { rows } = await app.services.pool.query('select id from members where public_id = $1', [invited.id]);
  const key = await createKey(app.services, org.id, { kind: 'admin', columns: { member_id: rows[0].id } });
  const leave = (secret: string) => app.request('/v1/organization/leave', { key: secret, json: {} });
  t.is(verdict(await leave(org.admin)), '409 conflict', 'a key without a member');
  t.is(verdict(await leave(key)), '409 conflict', 'the last owner');
  await org.post('/members', { email: 'second@example.com', name: 'Second', role: 'owner' });
  t.deepEqual((await leave(key)).body.data, { id: invited.id, removed: true });
  t.is(verdict(await leave(key)), '401 revoked_api_key');
  await app.services.pool.query('update members set joined_at = now() where organization_id = $1', [org.id]);
  const [joined] = await org.all('/members');
  t.is(verdict(await org.post(`/members/${joined?.id}/resend-invitation`, {})), '409 conflict');
});

test('usage by member names members who were removed, and its sum is the total', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  await org.post('/members', { email: 'boss@example.com', name: 'Boss', role: 'owner' });
  const member = (await org.post('/members', { email: 'gone@example.com', name: 'Gone', role: 'developer' })).body.data;
  const made = (await org.post('/keys', { name: 'Site', member_id: member.id })).body.data;
  for (const key of [made.secret, org.key]) t.is((await app.request(search(20), { key })).status, 200);
  await app.services.requestLog.flush();
  const before = (await org.get('/usage/totals?group_by=member')).body.data;
  await org.post(`/members/${member.id}/remove`);
  const { total, groups } = (await org.get('/usage/totals?group_by=member')).body.data;
  // The calls of the admin key are logged meanwhile.
  const gone = (each: { name: string | null }[]) => each.find(({ name }) => name === 'Gone');
  t.deepEqual(gone(groups), gone(before.groups));
  t.like(gone(groups), { id: member.id, requests: 1 });
  t.is(
    groups.reduce((sum: number, { units }: { units: number }) => sum + units, 0),
    total.units,
  );
  await org.post(`/keys/${made.id}`, { member_id: null });
  t.deepEqual(
    (await org.get('/usage/totals?group_by=member')).body.data.groups.map(({ id }: { id: string | null }) => id),
    [null],
  );
});

test('keys without a secret are not changed, so that nobody locks a member out', async (t) => {
  const org = await administered(app);
  const member = (await org.post('/members', { email: 'boss@example.com', name: 'Boss', role: 'owner' })).body.data;
  const { rows } = await app.services.pool.query('select id from members where public_id = $1', [member.id]);
  for (const kind of KEYLESS_KINDS) {
    const change = { random: app.services.random, actor: { type: 'system', id: null, requestId: null } } as const;
    const wanted = { kind, name: 'Boss', member: rows[0].id };
    const { id } = await inTransaction(app.services.pool, (db) => createKeyless({ ...change, db }, org.id, wanted));
    const soon = new Date(Date.now() + 60_000).toISOString();
    for (const body of [{ expires_at: soon }, { name: 'Other' }, { member_id: null }])
      t.is(verdict(await org.post(`/keys/${id}`, body)), '409 conflict', kind);
    t.is(verdict(await org.post(`/keys/${id}/rotate`, {})), '409 conflict', kind);
    t.is((await org.post(`/keys/${id}/revoke`)).status, 200, kind);
  }
});

test('the files of an export are linked for roles that may create keys, and for no others', async (t) => {
  const { pool } = app.services;
  const org = await administered(app, { plan: 'enterprise' });
  const made = await app.request('/v1/exports', { key: org.key, json: { dataset: 'registered_rents', format: 'csv' } });
  const file = { name: 'part-1.csv.gz', bytes: 10, sha256: '00', rows: 1 };
  await pool.query(`update exports set status = 'completed', finished_at = now(), files = $2 where public_id = $1`, [
    made.body.data.id,
    JSON.stringify([file]),
  ]);
  const path = `/v1/organization/exports/${made.body.data.id}`;
  for (const role of ROLES) {
    const member = (await org.post('/members', { email: `${role}@example.com`, name: role, role })).body.data;
    const { rows } = await pool.query('select id from members where public_id = $1', [member.id]);
    const key = await createKey(app.services, org.id, { kind: 'admin', columns: { member_id: rows[0].id } });
    const answer = await app.request(path, { key });
    const isAllowed = (PERMISSIONS.develop as readonly string[]).includes(role);
    t.is(verdict(answer), isAllowed ? '200' : '403 forbidden_action', role);
    t.is(/part-1\.csv\.gz\?/.test(answer.text), isAllowed, role);
  }
});
