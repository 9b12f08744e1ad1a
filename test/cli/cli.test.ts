import pg from 'pg';
import { isWellFormedKey } from '#accounts/keys.ts';
import { verdict } from '#test/administration.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { cli, cliProcess } from '#test/cli.ts';
import { copyDatabase, createDatabase } from '#test/engines.ts';
import { testEnv } from '#test/env.ts';
import { recordListing } from '#test/factories.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { inventDeals, recordDeals } from '../property-index/market.ts';

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
async function refusal(...args: string[]): Promise<string> {
  const ran = await cli(args);
  if (ran.code !== 1 || ran.out !== '') throw new Error(`${args.join(' ')}: ${ran.code} ${ran.out}`);
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

  const next = await json('key', 'rotate', name, key.id, '--grace', '1h');
  t.like(next, { name: 'backend', project_id: project.id, scopes: ['listings', 'market'] });
  t.deepEqual([await limits(key.secret), await limits(next.secret)], ['200', '200']);
  const at = await json('key', 'rotate', name, next.id, '--grace', '0s');
  t.deepEqual([await limits(next.secret), await limits(at.secret)], ['401 expired_api_key', '200']);
  t.is((await json('key', 'revoke', name, at.id)).status, 'revoked');
  t.is(await limits(at.secret), '401 revoked_api_key');

  await json('project', 'cap', name, project.id, '2000');
  t.is((await json('project', 'list', name))[0].monthly_unit_cap, 2_000);
  t.is((await json('project', 'cap', name, project.id, 'none')).monthly_unit_cap, null);
  t.is((await json('key', 'list', name)).length, 4);
  t.deepEqual(await events(admin.secret), [
    'operator project.cap_changed',
    'operator project.cap_changed',
    'operator key.revoked',
    'operator key.rotated',
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

  await json('org', 'ip-allow', name, '203.0.113.77/24, 2001:db8::1, ::ffff:198.51.100.4, ::ffff:192.0.2.9/120');
  t.is(await limits(secret), '403 ip_not_allowed');
  t.deepEqual((await json('org', 'show', name)).ip_allowlist, [
    '203.0.113.0/24',
    '2001:db8::1/128',
    '198.51.100.4/32',
    '192.0.2.0/24',
  ]);
  await json('org', 'ip-allow', name, '127.0.0.1,::1');
  t.is(await limits(secret), '200');
  await json('org', 'ip-allow', name, 'none');

  await json('org', 'spend-cap', name, '99.50');
  await json('org', 'retention', name, '7');
  await json('org', 'log-details', name, 'off');
  await json('org', 'plan', name, 'pro');
  const found = await organization();
  t.like(found, { plan: 'pro', request_logs: { retention_days: 7, details: false } });
  t.is(found.overage.spend_cap_sar, 99.5);

  await json('org', 'plan', name, 'enterprise');
  await json('org', 'limits', name, '--units-per-minute', '900', '--units-per-month', '5000000', '--page-size', '80');
  t.is((await app.request('/v1/limits', { key: secret })).headers.get('RateLimit-Limit'), '900');
  t.like((await organization()).limits, { units_per_month: 5_000_000, page_size: 80, paging_depth: 100_000 });
  await json('org', 'limits', name, '--units-per-minute', 'none');
  t.is((await organization()).limits.units_per_minute, 60_000);
  t.deepEqual((await events(admin)).slice(0, 4), [
    'operator organization.settings_changed',
    'operator organization.settings_changed',
    'operator organization.plan_changed',
    'operator organization.plan_changed',
  ]);
});

test('members can be added, changed and removed, but the last owner cannot be removed', async (t) => {
  const name = unique('Members');
  await json('org', 'create', name);
  await json('member', 'set', name, 'Owner@Example.com', '--name', 'Huda', '--role', 'owner');
  await json('member', 'set', name, 'dev@example.com', '--name', 'Omar');
  await json('member', 'set', name, 'dev@example.com', '--name', 'Omar', '--role', 'billing');
  t.deepEqual(
    (await json('member', 'list', name)).map(({ email, role }: { email: string; role: string }) => `${email} ${role}`),
    ['owner@example.com owner', 'dev@example.com billing'],
  );
  t.regex(await refusal('member', 'remove', name, 'owner@example.com'), /must have at least one owner/);
  t.regex(
    await refusal('member', 'set', name, 'owner@example.com', '--name', 'Huda', '--role', 'viewer'),
    /must have at least one owner/,
  );
  await json('member', 'remove', name, 'dev@example.com');
  t.is((await json('member', 'list', name)).length, 1);
  t.regex(await refusal('member', 'remove', name, 'dev@example.com'), /No member has the address/);
});

test('an invalid command prints one line and exits with code 1', async (t) => {
  const name = unique('Errors');
  const { id } = await json('org', 'create', name);
  const cases: [args: string[], message: RegExp][] = [
    [['org', 'create', name], /An organization named "Errors .*" already exists\.$/],
    [['org', 'create', 'x', '--plan', 'gold'], /no plan "gold"\. Plans: free, starter, growth, pro, enterprise\./],
    [['org', 'create', ' '], /1 to 80 characters/],
    [['org', 'show', 'nobody'], /No organization has the id or name "nobody"/],
    [['org', 'retention', id, '14'], /7, 30 or 90/],
    [['org', 'log-details', id, 'maybe'], /on or off/],
    [['org', 'spend-cap', id, 'lots'], /not an amount in SAR/],
    [['org', 'term', id, 'tomorrow'], /not a date-time with seconds/],
    [['org', 'ip-allow', id, '10.1'], /"10\.1" is not an address or a CIDR range/],
    [['org', 'ip-allow', id, '10.0.0.0/33'], /is not an address or a CIDR range/],
    [['org', 'ip-allow', id, ''], /is not an address or a CIDR range/],
    [['org', 'limits', id], /at least one limit/],
    [['project', 'create', id, 'p', '--cap', '-3'], /not a whole number/],
    [['project', 'cap', id, 'prj_none', '5'], /No project has the id "prj_none"/],
    [['key', 'create', id, 'k', '--kind', 'root'], /Kinds: live, admin, test/],
    [['key', 'create', id, 'k', '--scopes', 'all'], /Scopes: reference, /],
    [['key', 'create', id, 'k', '--scopes', 'market'], /The free plan does not include the `market` scope/],
    [['key', 'create', id, 'k', '--expires', '2020-01-01T00:00:00Z'], /would never work/],
    [['key', 'rotate', id, 'key_none'], /No key has this id/],
    [['key', 'rotate', id, 'key_none', '--grace', 'soon'], /not a duration/],
    [['member', 'set', id, 'nobody', '--name', 'N'], /not an e-mail address/],
    [['member', 'set', id, 'n@example.com', '--name', 'N', '--role', 'king'], /Roles: owner, admin/],
  ];
  for (const [args, message] of cases) {
    const said = await refusal(...args);
    t.regex(said, message, args.join(' '));
    t.false(said.includes('\n'), said);
  }
  const inJson = await cli(['--json', 'org', 'show', 'nobody']);
  t.is(inJson.code, 1);
  t.regex(JSON.parse(inJson.out).error, /No organization/);
});

test('commands print tables by default', async (t) => {
  const name = unique('Tables');
  const made = await cliProcess(['org', 'create', name]);
  t.is(made.code, 0);
  t.regex(made.out, new RegExp(`│ name\\s+│ ${name}\\s+│`));
  t.regex(made.out, /│ limits\.units per minute\s+│ 30\s+│/);
  const none = await cli(['key', 'list', name]);
  t.is(none.out, 'Nothing there.\n');
  const key = await cli(['key', 'create', name, 'backend']);
  t.regex(key.out, /│ secret\s+│ svc_live_[0-9A-Za-z]{36}\s+│/);
  t.regex(key.out, /not shown again/);
  const listed = await cli(['key', 'list', name]);
  t.regex(listed.out, /│ id\s+│ name\s+│ kind\s+│ status\s+│/);
  t.regex(listed.out, /│ backend\s+│ live\s+│ active\s+│/);
  t.false(/svc_/.test(listed.out));
  t.regex(listed.out, /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/);
});

test('control characters in names are not printed to the terminal', async (t) => {
  const name = unique('Evil');
  const { id } = await json('org', 'create', name);
  const evil = `${name} \x1b[2J\x9b31m\r\nowner\u202e`;
  await app.services.pool.query('update organizations set name = $1 where public_id = $2', [evil, id]);
  const spelled = `${name} \\u001b[2J\\u009b31m\\u000d\\u000aowner\\u202e`;
  for (const args of [
    ['org', 'show', id],
    ['org', 'list'],
  ]) {
    const { out } = await cli(args);
    t.true(out.includes(spelled), args.join(' '));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
    t.notRegex(out, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  }
  const inJson = await cli(['--json', 'org', 'show', id]);
  t.false(inJson.out.includes('\x9b'));
  t.is(JSON.parse(inJson.out).name, evil);
});

test('the relevance command evaluates text search on labelled pairs and prints no errors from the held-out set', async (t) => {
  const { parts, misses } = await json('relevance');
  t.deepEqual(
    parts.map(({ part, pairs }: { part: string; pairs: number }) => [part, pairs]),
    [
      ['development', 317],
      ['held out', 173],
    ],
  );
  t.true(misses.every(({ part }: { part: string }) => part === 'development'));
});

const GROUPS = ['org', 'member', 'project', 'key', 'ingest', 'reindex', 'restored', 'relevance', 'sample'];

test('help has examples, and every command has a description', async (t) => {
  const help = await cli(['--help']);
  t.is(help.code, 0);
  t.regex(help.out, /Examples:\n {2}npm run cli -- org create/);
  for (const group of GROUPS) {
    t.regex(help.out, new RegExp(`^ {2}${group} .*\\S`, 'm'));
    const { code, out } = await cli([group, '--help']);
    t.is(code, 0);
    t.regex(out, new RegExp(`Usage: npm run cli -- ${group} `));
    t.regex(out, new RegExp(`Examples:\n {2}npm run (cli -- )?${group} `));
    t.regex(out, /--json /);
    if (group === 'ingest') t.is((await cli(['help', group])).out, out);
    for (const line of out.split('Commands:')[1]?.split('\n\n')[0]?.split('\n') ?? []) {
      if (/^ {2}\S/.test(line)) t.regex(line, /^ {2}\S.*( {2,}|>|\])\S?/, line);
    }
  }
  for (const args of [['org', 'create'], ['nonsense'], ['key', 'create', '--nothing'], ['sample'], ['ingest', 'x']]) {
    const { code, err } = await cli(args);
    t.is(code, 1);
    t.regex(err, /error: .*\n[\s\S]*Usage:/);
  }
});

test('the `restored` command records a restore once and prints the next steps', async (t) => {
  const env = { DATABASE_URL: await createDatabase('cli_restored'), INDEX_PREFIX: 'cli_restored_' };
  const state = async () => {
    const ran = await cli(['restored', '--json'], env);
    if (ran.code !== 0) throw new Error(ran.err);
    return JSON.parse(ran.out);
  };
  const first = await state();
  t.like(first, { recorded: 'now', reason: 'stated', indexes_filled_at: null });
  t.true(first.ids_continue_above.listing >= 1_000_000);
  t.regex(first.next, /worker fills all indexes/);
  t.deepEqual(await state(), { ...first, recorded: 'earlier' });
  const { code, out } = await cli(['restored'], env);
  t.is(code, 0);
  t.regex(out, /reason +│ stated/);
  t.regex((await cli(['restored'], { DATABASE_URL: '' })).err, /DATABASE_URL or OPENSEARCH_URL is not set/);
});

test('the sample command writes a sample to the given folder', async (t) => {
  const dir = await temporaryFolder(t);
  const args = ['sample', '--listings', '200', '--seed', '3', '--days', '2', '--until', '2026-03-20', '--out', dir];
  const made = await cli([...args, '--host-url', 'http://x.test/', '--json']);
  t.is(made.code, 0, made.err);
  t.like(JSON.parse(made.out), { dir, seed: 3, days: ['2026-03-19', '2026-03-20'], host_url: 'http://x.test' });
  const again = await cli(args);
  t.regex(again.out, /^\d+ ads live on 2026-03-20 \(\d+ ads of \d+ properties, \d+ rows in 2 days\) in /);
  const bad = await cli([...args, '--days', '99']);
  t.is(bad.code, 1);
  t.regex(bad.err, /"99" is not a whole number from 1 to 60/);
});

test('without feeds, ingest commands print empty lists, and errors for unknown feeds and listings', async (t) => {
  const folder = await temporaryFolder(t);
  const feeds = { FEEDS_DIR: folder, DATABASE_URL: await createDatabase('cli_ingest') };
  t.is((await cli(['ingest', 'held'], feeds)).out, 'None is held.\n');
  t.is((await cli(['ingest', 'sources'], feeds)).out, 'No run yet.\n');
  t.deepEqual(JSON.parse((await cli(['ingest', '--json', 'sources'], feeds)).out), []);
  t.deepEqual(JSON.parse((await cli(['ingest', '--json', 'rejects', 'aqarna', '--limit', '3'], feeds)).out), []);
  t.regex((await cli(['ingest'], feeds)).err, /There is no feed in .*test-/);
  t.regex((await cli(['ingest', '--sources', 'a,b'], feeds)).err, /No feed here is called a, b\./);
  t.regex((await cli(['ingest', '--at', 'noon'], feeds)).err, /an ISO 8601 time is expected/);
  const unknown = await cli(['ingest', 'explain', '987654321', '--json'], feeds);
  t.is(unknown.code, 1);
  t.regex(JSON.parse(unknown.out).error, /987654321/);
});

test('commands on a database without a schema name the command that prepares it', async (t) => {
  const url = new URL(testEnv().DATABASE_URL);
  url.pathname = `${url.pathname}_cli_empty`;
  await copyDatabase(url.href, url.pathname.slice(1));
  const env = { FEEDS_DIR: await temporaryFolder(t), DATABASE_URL: url.href };
  for (const args of [['ingest'], ['org', 'list']])
    t.regex((await cli(args, env)).err, /relation "\w+" does not exist\. .*: npm run cli -- migrate\n/);
});

test('the command that verifies photos exits with code 1 while photos are missing, and holds the repair of many', async (t) => {
  const env = { FEEDS_DIR: await temporaryFolder(t), DATABASE_URL: await createDatabase('cli_photos') };
  const pool = new pg.Pool({ connectionString: env.DATABASE_URL, max: 1 });
  t.teardown(() => pool.end());
  await recordListing({ pool }, 1, { photos: 'none/1.jpg none/2.jpg none/3.jpg' });
  for (const flags of [[], ['--repair'], ['--repair', '--confirm-loss']]) {
    const { code, out } = await cli(['photos', '--json', 'verify', ...flags], env);
    t.like(JSON.parse(out), { missing: 3, held: true, restored: 0 });
    t.is(code, 1);
  }
  await pool.query(`update listings set photos = ''`);
  t.is((await cli(['photos', 'verify'], env)).code, 0);
});

test('a command without a reachable database or a valid key pepper names the setting', async (t) => {
  const unconfigured = await cliProcess(['org', 'list'], { DATABASE_URL: '' });
  t.is(unconfigured.code, 1);
  t.regex(unconfigured.err, /DATABASE_URL is not set and no `npm start` runs here/);
  const pepper = await cli(['org', 'list'], { KEY_PEPPER: '' });
  t.is(pepper.code, 1);
  t.regex(pepper.err, /KEY_PEPPER is not set/);
  const short = await cli(['org', 'list'], { KEY_PEPPER: 'short' });
  t.is(short.code, 1);
  t.regex(short.err, /KEY_PEPPER must have at least 32 characters/);
  const refused = await cli(['org', 'list'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  t.is(refused.code, 1);
  t.regex(refused.err, /127\.0\.0\.1:1/);
  t.false(/^\s+at /m.test(refused.err));
});

test('the property index commands draft, publish and correct a release', async (t) => {
  const DATABASE_URL = await createDatabase('cli_property_index');
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 2 });
  t.teardown(() => pool.end());
  const deals = inventDeals('deals');
  await recordDeals(pool, deals);
  const run = (...args: string[]) => cli(['--json', 'property-index', ...args], { DATABASE_URL });
  const ok = async (...args: string[]) => JSON.parse((await run(...args)).out);

  const draft = await ok('build', '2024-08');
  t.like(draft, { release: '2024-08-r1', state: 'draft', note: null });
  t.is(draft.series.length, 8);
  t.like(await ok('publish', '2024-08'), { release: '2024-08-r1', state: 'published', digest: draft.digest });
  t.regex((await run('build', '2024-08')).out, /A correction needs a note/);
  t.regex((await run('correct', '2024-08', '--note', 'Why not.')).out, /nothing to correct/);

  await recordDeals(pool, deals.slice(100));
  t.like(await ok('correct', '2024-08', '--note', 'Deals withdrawn.'), { release: '2024-08-r2', state: 'draft' });
  await ok('publish', '2024-08');
  t.deepEqual(
    (await ok('show')).map(({ release, note }: { release: string; note: string | null }) => [release, note]),
    [
      ['2024-08-r2', 'Deals withdrawn.'],
      ['2024-08-r1', null],
    ],
  );
  t.deepEqual((await ok('show', '2024-08-r1')).series, draft.series);
  t.regex((await cli(['property-index', 'show', '2024-08'], { DATABASE_URL })).out, /home_registered/);
  const bad = await cli(['property-index', 'build', '2024-13'], { DATABASE_URL });
  t.deepEqual([bad.code, bad.err.trim()], [1, '"2024-13" is not a month, such as 2026-11.']);
});
