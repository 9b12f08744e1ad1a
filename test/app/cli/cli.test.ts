import { isWellFormedKey } from '#src/accounts/keys.ts';
import { verdict } from '#test/administration.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { openBrowser } from '#test/browser.ts';
import { cli } from '#test/cli.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

/** Runs a command that must succeed, and parses its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the output under test
async function json(...args: string[]): Promise<any> {
  const ran = await cli(['--json', ...args]);
  if (ran.code !== 0) throw new Error(`${args.join(' ')}: ${ran.code} ${ran.out}${ran.err}`);
  return JSON.parse(ran.out);
}

/** Runs a command that must fail, and returns its error message. */
async function refusal(args: readonly string[], code = 1): Promise<string> {
  const ran = await cli(args);
  if (ran.code !== code || ran.out !== '') throw new Error(`${args.join(' ')}: ${ran.code} ${ran.out}`);
  if (/^\s+at /m.test(ran.err)) throw new Error(`a stack: ${ran.err}`);
  return ran.err.trim();
}

const unique = (name: string) => `${name} ${process.pid} ${Math.random().toString(36).slice(2, 8)}`;
const limits = async (key: string) => verdict(await app.request('/v1/limits', { key }));
const events = async (key: string): Promise<string[]> =>
  (await app.request('/v1/organization/audit-events', { key })).body.data.map(
    ({ action, actor }: { action: string; actor: { type: string } }) => `${actor.type} ${action}`,
  );

test('commands create an organization and its projects, and create, rotate and revoke its keys', async (t) => {
  const name = unique('Acme');
  const org = await json('org', 'create', name, '--plan', 'growth');
  t.like(org, { name, plan: 'growth', limits: { units_per_minute: 150 } });
  const admin = await json('key', 'create', name, 'console', '--kind', 'admin');
  t.true(isWellFormedKey(admin.secret));
  const project = await json('project', 'create', org.id, 'website', '--cap', '1000');
  t.like(project, { name: 'website', monthly_unit_cap: 1_000 });
  const options = ['--scopes', 'listings,market', '--project', project.id, '--expires', '2036-01-01T00:00:00Z'];
  const key = await json('key', 'create', name, 'backend', ...options);
  t.like(key, { kind: 'live', project_id: project.id, expires_at: '2036-01-01T00:00:00.000Z' });
  t.is(await limits(key.secret), '200');

  const next = await json('key', 'rotate', name, key.id, '--grace', '0s');
  t.deepEqual([await limits(key.secret), await limits(next.secret)], ['401 expired_api_key', '200']);
  await json('key', 'revoke', name, next.id);
  t.is(await limits(next.secret), '401 revoked_api_key');
  t.is((await json('project', 'cap', name, project.id, 'none')).monthly_unit_cap, null);
  t.deepEqual(
    (await json('key', 'list', name)).map(({ status }: { status: string }) => status),
    ['revoked', 'expired', 'active'],
  );
  t.deepEqual(await events(admin.secret), [
    'operator project.cap_changed',
    'operator key.revoked',
    'operator key.rotated',
    'operator key.created',
    'operator project.created',
    'operator key.created',
    'operator organization.created',
  ]);
});

test('changed organization settings apply to the next call', async (t) => {
  const name = unique('Switches');
  await json('org', 'create', name, '--plan', 'starter');
  const { secret } = await json('key', 'create', name, 'k');
  const admin = (await json('key', 'create', name, 'a', '--kind', 'admin')).secret;
  const organization = async () => (await app.request('/v1/organization', { key: admin })).body.data;

  await json('org', 'suspend', name);
  t.deepEqual([await limits(secret), await limits(admin)], ['403 client_suspended', '403 admin_key_not_allowed']);
  await json('org', 'resume', name);
  t.is(await limits(secret), '200');
  await json('org', 'term', name, '2020-01-01T00:00:00Z');
  t.is(await limits(secret), '403 client_expired');
  await json('org', 'term', name, 'none');

  await json('org', 'ip-allow', name, '203.0.113.77/24, ::ffff:192.0.2.9/120');
  t.is(await limits(secret), '403 ip_not_allowed');
  t.deepEqual((await json('org', 'show', name)).ip_allowlist, ['203.0.113.0/24', '192.0.2.0/24']);
  await json('org', 'ip-allow', name, '127.0.0.1,::1');
  t.is(await limits(secret), '200');
  await json('org', 'ip-allow', name, 'none');

  await json('org', 'spend-cap', name, '99.50');
  await json('org', 'retention', name, '7');
  await json('org', 'log-details', name, 'off');
  await json('org', 'plan', name, 'pro');
  await json('member', 'set', name, 'owner@example.com', '--name', 'Huda', '--role', 'owner');
  const demotion = ['member', 'set', name, 'owner@example.com', '--name', 'Huda', '--role', 'viewer'];
  t.regex(await refusal(demotion), /must have at least one owner/);
  const found = await organization();
  t.like(found, { plan: 'pro', request_logs: { retention_days: 7, details: false } });
  t.is(found.overage.spend_cap_sar, 99.5);

  await json('org', 'plan', name, 'enterprise');
  await json('org', 'limits', name, '--units-per-minute', '900', '--units-per-month', '5000000', '--page-size', '80');
  t.is((await app.request('/v1/limits', { key: secret })).headers.get('RateLimit-Limit'), '900');
  t.like((await organization()).limits, { units_per_month: 5_000_000, page_size: 80, paging_depth: 100_000 });
  await json('org', 'limits', name, '--units-per-minute', 'none');
  t.is((await organization()).limits.units_per_minute, 60_000);
});

test('a refused command exits with code 1, and an invalid one with code 2, and states what is wrong', async (t) => {
  const name = unique('Errors');
  const { id } = await json('org', 'create', name);
  const twin = unique('Twin');
  for (let each = 0; each < 2; each++) await json('org', 'create', twin);
  const refused: [args: string[], message: RegExp][] = [
    [['org', 'show', twin], /Several organizations have the name "Twin .*"\. State the id\.$/],
    [['member', 'link', id, 'n@example.com'], /No member has the address/],
    [['org', 'show', 'nobody'], /No organization has the id or name "nobody"/],
    [['key', 'create', id, 'k', '--scopes', 'market'], /The free plan does not include the `market` scope/],
    [['member', 'remove', id, 'n@example.com'], /No member has the address/],
  ];
  for (const [args, message] of refused) t.regex(await refusal(args), message, args.join(' '));
  const invalid: [args: string[], message: RegExp][] = [
    [['org', 'create', 'x', '--plan', 'gold'], /no plan "gold"\. Plans: free, starter, growth, pro, enterprise\./],
    [['org', 'spend-cap', id, 'lots'], /"lots" is not an amount in SAR/],
    [['org', 'term', id, 'tomorrow'], /"tomorrow" is not a date-time with seconds/],
    [['org', 'ip-allow', id, '10.0.0.0/33'], /"10\.0\.0\.0\/33" is not an address or a CIDR range/],
    [['org', 'limits', id], /at least one limit/],
    [['project', 'create', id, 'p', '--cap', '-3'], /"-3" is not a whole number/],
    [['key', 'create', id, 'k', '--expires', '2020-01-01T00:00:00Z'], /would never work/],
    [['member', 'set', id, 'huda', '--name', 'Huda'], /"huda" is not an e-mail address/],
    [['export', 'list', '--status', 'done'], /'--status <status>' argument 'done' is invalid.* Statuses: queued, /],
    [['property-index', 'build', '2026-13'], /"2026-13" is not a month/],
    [['ingest', 'explain', 'first'], /"first" is not a whole number/],
  ];
  for (const [args, message] of invalid) t.regex(await refusal(args, 2), message, args.join(' '));
  const inJson = await cli(['--json', 'org', 'show', 'nobody']);
  t.is(inJson.code, 1);
  t.regex(JSON.parse(inJson.out).error, /No organization/);
});

test('control characters in names are not printed to the terminal', async (t) => {
  const name = unique('Evil');
  const { id } = await json('org', 'create', name);
  const evil = `${name} \x1b[2J\x9b31m\r\nowner\u202e`;
  await app.services.pool.query('update organizations set name = $1 where public_id = $2', [evil, id]);
  const { out } = await cli(['org', 'list']);
  t.true(out.includes(`${name} \\u001b[2J\\u009b31m\\u000d\\u000aowner\\u202e`));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
  t.notRegex(out, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  const inJson = await cli(['--json', 'org', 'show', id]);
  t.false(inJson.out.includes('\x9b'));
  t.is(JSON.parse(inJson.out).name, evil);
});

test('operators create a link that signs a member in once, and end the sessions of a member', async (t) => {
  const { id } = await json('org', 'create', unique('Linked'));
  const email = `linked${process.pid}@example.com`;
  await json('member', 'set', id, email, '--name', 'Huda', '--role', 'owner');
  const { pathname, search } = new URL((await json('member', 'link', id, email)).link);
  const browser = openBrowser(app);
  const page = await browser.get(`${pathname}${search}`);
  t.is((await browser.submit(page)).headers.get('location'), '/console');
  t.is((await openBrowser(app).submit(page)).status, 410);
  t.true((await browser.get('/sign-in')).text.includes('/sign-out'));
  t.deepEqual(await json('member', 'sign-out', id, email), { email, ended: 1 });
  t.false((await browser.get('/sign-in')).text.includes('/sign-out'));
});
