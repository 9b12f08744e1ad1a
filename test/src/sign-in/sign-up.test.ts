import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { readAddress } from '#src/accounts/member-store.ts';
import { canonicalAddress, companyDomain, isDisposable } from '#src/sign-in/addresses.ts';
import { administered } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { mailedLinks, openBrowser, SELF_SERVICE_ENV, signIn, signUp } from '#test/browser.ts';
import { createDatabase } from '#test/engines.ts';
import { makeChargeRequest } from '#test/factories.ts';
import { test } from '#test/test.ts';

const HOUR_MS = 3_600_000;

let app: TestApp;
let now = Date.now();
test.before(async () => {
  // The tests count all organizations and mails, and make the database refuse keys.
  const env = { ...SELF_SERVICE_ENV, DATABASE_URL: await createDatabase('sign_up') };
  app = await startTestApp({ env, overrides: { clock: { now: () => now, chargeTime: () => null } } });
  await app.addCity();
});
test.after(() => app.close());

const KEY = /svc_live_\w{36}/;
const opened = async (email: string): Promise<boolean> => KEY.test((await signUp(app, openBrowser(app), email)).text);
const organizations = async (): Promise<number> =>
  (await app.services.pool.query('select count(*)::int as n from organizations')).rows[0].n;

test('variants of an address are one person, and the addresses of a domain one company', (t) => {
  for (const [email, same] of [
    ['a.b+news@gmail.com', 'ab@gmail.com'],
    ['a.b@googlemail.com', 'ab@gmail.com'],
    ['a.b+c@icloud.com', 'a.b@icloud.com'],
  ] as const)
    t.is(canonicalAddress(email), same);
  for (const [typed, stored] of [
    [' Sara@Acme.COM.SA ', 'sara@acme.com.sa'],
    ['a@BÜCHER.example', 'a@xn--bcher-kva.example'],
    ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
    ['a@ｍａｉｌｉｎａｔｏｒ.com', 'a@mailinator.com'],
    ['نورة@شركة.السعودية', 'نورة@xn--ogbpi5d.xn--mgberp4a5d4ar'],
  ] as const)
    t.is(readAddress(typed), stored, 'one mailbox has one address');
  for (const [email, domain] of [
    ['a@acme.com.sa', 'acme.com.sa'],
    ['a@mail.riyadh.acme.com.sa', 'acme.com.sa'],
    ['a@yahoo.co.uk', null],
    ['a@hotmail.com', null],
    ['a@[127.0.0.1]', null],
  ] as const)
    t.is(companyDomain(email), domain, email);
  t.true(['a@mailinator.com', 'a@x.mailinator.com', 'a@yopmail.com'].every(isDisposable));
  t.false(isDisposable('a@acme.com.sa'));
});

test('a person has one account: another address of the mailbox opens none and signs in', async (t) => {
  t.true(await opened('one.person@gmail.com'));
  const before = await organizations();
  for (const email of ['oneperson@gmail.com', 'One.Person+2@gmail.com', 'one.person@googlemail.com']) {
    now += HOUR_MS;
    t.false(await opened(email), email);
  }
  t.is(await organizations(), before);
});

test('a company has one account: its owners receive the address of the next person, who learns no names', async (t) => {
  t.true(await opened('first@acme-homes.com.sa'));
  const page = await signUp(app, openBrowser(app), 'second@riyadh.acme-homes.com.sa', 'Other name');
  t.notRegex(page.text, KEY);
  t.true(page.words.includes('Your company has an account.'));
  t.false(page.words.includes('first@'));
  t.deepEqual(await mailedLinks(app, 'first@acme-homes.com.sa'), ['/console/members']);
  const organization = await administered(app);
  await organization.post('/members', { email: 'boss@by-operator.example', name: 'Boss', role: 'owner' });
  t.true(await opened('early@by-operator.example'), 'a member who never signed in does not reserve the domain');
});

test('an organization that added an address before receives neither its sign-up nor its colleagues', async (t) => {
  const attacker = await administered(app);
  await attacker.post('/members', { email: 'owner@attacker.example', name: 'Owner', role: 'owner' });
  await attacker.post('/members', { email: 'boss@victim-homes.com.sa', name: 'Boss', role: 'developer' });
  const browser = openBrowser(app);
  t.regex((await signUp(app, browser, 'boss@victim-homes.com.sa', 'Victim')).text, KEY);
  t.regex((await browser.get('/console/keys')).text, /<strong>Victim<\/strong>/);
  await signUp(app, openBrowser(app), 'colleague@victim-homes.com.sa', 'Victim');
  t.deepEqual(await mailedLinks(app, 'owner@attacker.example'), []);
  t.deepEqual(await mailedLinks(app, 'boss@victim-homes.com.sa'), ['/console/members']);
});

test('of fifty people of a company who confirm at once, one opens its account', async (t) => {
  const before = await organizations();
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, each) => opened(`person${each}@concurrent.example`).catch(() => false)),
  );
  t.is(results.filter(Boolean).length, 1);
  t.is(await organizations(), before + 1);
});

test('two customers can have the same name', async (t) => {
  const pages = await Promise.all(
    ['a@twin-one.example', 'b@twin-two.example'].map((email) => signUp(app, openBrowser(app), email, 'Twin')),
  );
  t.true(pages.every(({ text }) => KEY.test(text)));
});

test('a form that cannot be accepted says what to correct, and keeps what was typed', async (t) => {
  const fields = { name: 'Acme "<b>"', email: 'person@gmail.com', kind: 'person', terms: 'yes' };
  const browser = openBrowser(app);
  for (const [changes, message] of [
    [{ name: ' ' }, 'Enter a name'],
    [{ name: '\u200b' }, 'Enter a name'],
    [{ name: 'x'.repeat(81) }, 'Enter a name'],
    [{ email: 'person' }, 'not a mail address'],
    [{ email: 'a@b.c\nBcc: x@y.z' }, 'not a mail address'],
    [{ email: `${'x'.repeat(250)}@a.com` }, 'not a mail address'],
    [{ email: 'a@mailinator.com' }, 'temporary'],
    [{ terms: undefined }, 'accept the terms'],
  ] as const) {
    const given = Object.entries({ ...fields, ...changes }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    const page = await browser.post('/sign-up', Object.fromEntries(given));
    t.is(page.status, 400, message);
    t.true(page.words.includes(message), page.words);
    t.false(page.text.includes('<b>"'));
    if (!('name' in changes)) t.true(page.text.includes('value="Acme &#34;&#60;b&#62;&#34;"'));
    t.regex(page.text, /value="person" checked/);
  }
});

test('a thousand sign-ups from one network open three accounts a day and mail ten links an hour', async (t) => {
  const before = await organizations();
  const mails = async () => (await app.services.pool.query('select count(*)::int as n from mails')).rows[0].n as number;
  const mailed = await mails();
  const statuses = new Map<number, number>();
  const attempts = Array.from({ length: 1_000 }, (_, each) => each);
  for (let from = 0; from < attempts.length; from += 20) {
    const batch = attempts.slice(from, from + 20).map(async (each) => {
      // Addresses of one /64.
      const browser = openBrowser(app, `2001:db8:0:1:${(each % 65_536).toString(16)}::1`);
      const { status } = await browser.post('/sign-up', {
        name: 'Flood',
        email: `flood@flood${each}.example`,
        kind: 'company',
        terms: 'yes',
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const [link] = status === 200 ? await mailedLinks(app, `flood@flood${each}.example`) : [];
      if (link) await browser.submit(await browser.get(link));
    });
    await Promise.all(batch);
  }
  t.deepEqual(Object.fromEntries(statuses), { 200: 10, 429: 990 });
  t.is((await mails()) - mailed, 10);
  t.is((await organizations()) - before, 3);
});

test('while the database refuses writes, the page says so, and the link works afterwards', async (t) => {
  const email = 'patient@outage.example';
  const browser = openBrowser(app);
  await browser.submit(await browser.get('/sign-up'), { email, name: 'Patient', kind: 'company', terms: 'yes' });
  const [link = ''] = await mailedLinks(app, email);
  const page = await browser.get(link);
  const { pool } = app.services;
  await pool.query(`
    create function refuse() returns trigger language plpgsql as
      $$begin raise exception 'shutting down' using errcode = 'admin_shutdown'; end$$;
    create trigger refuse before insert on api_keys for each row execute function refuse()`);
  const failed = await browser.submit(page);
  await pool.query('drop trigger refuse on api_keys');
  t.is(failed.status, 503);
  t.regex((await browser.submit(page)).text, KEY);
});

test('without self-service or its settings, the page says who opens accounts or what is missing', async (t) => {
  for (const [env, expected] of [
    [{}, 'The operator of this service opens accounts.'],
    [{ SELF_SERVICE: 'on' }, 'must set TERMS_URL, PRIVACY_URL'],
    [{ ...SELF_SERVICE_ENV, HOST: '0.0.0.0' }, 'must set SMTP_URL, MAIL_FROM'],
  ] as const) {
    const own = await startTestApp({ env });
    try {
      const browser = openBrowser(own);
      const page = await browser.get('/sign-up');
      t.true(page.words.includes(expected), page.words);
      t.false(page.text.includes('<form class="account"'));
      const fields = { name: 'A', email: 'a@missing.example', kind: 'person', terms: 'yes' };
      await browser.post('/sign-up', fields);
      t.deepEqual(await mailedLinks(own, fields.email), []);
      if (!('SELF_SERVICE' in env)) {
        t.is((await fetch(`${own.url}/trial-keys`, { method: 'POST' })).status, 404);
        t.notRegex((await own.request('/v1/cities')).body.error.message, /trial/);
      }
    } finally {
      await own.close();
    }
  }
});

test('the development inbox is for this machine: not behind a proxy, nor by another host name', async (t) => {
  const own = await startTestApp({ env: { SELF_SERVICE: 'on' } });
  t.teardown(own.close);
  const open = (headers: Record<string, string>) =>
    fetch(`${own.url}/sign-in/inbox`, { headers: { Accept: 'text/html', ...headers } });
  t.is((await open({})).status, 200);
  t.is((await open({ 'X-Forwarded-For': '203.0.113.9' })).status, 404);
  const named = await statusWithHost(`${own.url}/sign-in/inbox`, 'evil.example');
  t.is(named, 404);
});

async function statusWithHost(url: string, host: string): Promise<number | undefined> {
  const request = get(url, { headers: { Host: host, Accept: 'text/html' } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

const trialKey = (ip: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/trial-keys`, { method: 'POST', headers: { 'X-Forwarded-For': ip, ...headers } });

test('a program that knows only the address of the site gets data in five seconds', async (t) => {
  const begun = performance.now();
  const read = async (path: string) => (await fetch(new URL(path, app.url))).text();
  const auth = /http\S+(\/auth\.md)/.exec(await read('/llms.txt'))?.[1] ?? '';
  const [, post = ''] = /curl -X POST http\S+?(\/trial-keys)/.exec(await read(auth)) ?? [];
  const refused = await app.request('/v1/cities');
  t.true(refused.body.error.message.includes(post));
  const response = await fetch(new URL(post, app.url), {
    method: 'POST',
    headers: { 'X-Forwarded-For': '198.51.100.1' },
  });
  t.is(response.status, 201);
  const { data } = (await response.json()) as {
    data: { key: string; expires_at: string; claim_url: string; units: number };
  };
  const { status, body } = await app.request('/v1/cities', { key: data.key });
  t.is(status, 200);
  t.true(body.data.length > 0);
  t.true(performance.now() - begun < 5_000);
  const limits = await app.request('/v1/limits', { key: data.key });
  t.deepEqual([limits.body.data.key_kind, limits.body.data.units_per_month ?? data.units], ['test', 100]);
  t.is(Math.round((Date.parse(data.expires_at) - now) / HOUR_MS), 72);
});

test('a trial key has 100 units, and all of them together 5,000 a day', async (t) => {
  const { data } = (await (await trialKey('198.51.100.2')).json()) as { data: { key: string } };
  const { charges, pool } = app.services;
  const charge = (units: number, at: Date) =>
    charges.charge(makeChargeRequest(app.services, data.key, { units, now: at, scope: 'listings' }), 5_000);
  const day = new Date(now);
  for (let minute = 0; minute < 4; minute++)
    t.is((await charge(25, new Date(day.getTime() + minute * 60_000))).outcome, null);
  t.is((await charge(1, new Date(day.getTime() + 300_000))).outcome, 'monthly_quota_exceeded');
  await pool.query("update unit_counters set units = 4999 where subject = 'tests' and month > 10000000");
  const other = (await (await trialKey('198.51.100.3')).json()) as { data: { key: string } };
  const chargeOther = (units: number, at: Date) =>
    charges.charge(makeChargeRequest(app.services, other.data.key, { units, now: at }), 5_000);
  t.is((await chargeOther(2, day)).outcome, 'monthly_quota_exceeded');
  t.is((await chargeOther(1, day)).outcome, null);
  t.is((await chargeOther(2, new Date(day.getTime() + 24 * HOUR_MS))).outcome, null, 'the next day');
});

test('a network creates one trial key a day, pages of other sites none, and 500 wait at most', async (t) => {
  const statuses: number[] = [];
  for (const ip of ['2001:db8:5::1', '2001:db8:5::2', '2001:db8:5:0:ffff::1', '2001:db8:5:1::1'])
    statuses.push((await trialKey(ip)).status);
  t.deepEqual(statuses, [201, 429, 429, 201]);
  t.is((await trialKey('198.51.100.4', { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  t.is((await fetch(`${app.url}/trial-keys`)).status, 405);
  const { pool } = app.services;
  await pool.query(
    `with filler as (
       insert into api_keys (public_id, organization_id, kind, name, hash, last_four)
       select 'key_filler' || n, (select id from organizations where holds_trials), 'test', 'filler' || n, sha256(('filler' || n)::bytea), ''
         from generate_series(1, 500) n returning id)
     insert into trial_keys (key_id, claim_hash, created_at, expires_at)
     select id, sha256(id::text::bytea), $1, $1::timestamptz + interval '1 day' from filler`,
    [new Date(now)],
  );
  const full = await trialKey('198.51.100.5');
  t.is(full.status, 429);
  t.is(full.headers.get('retry-after'), '86400');
  await pool.query("delete from api_keys where public_id like 'key_filler%'");
  t.is((await trialKey('198.51.100.5')).status, 201, 'a refused call counts for nothing');
});

test('a person claims a trial key once, keeps the same secret, and holds three test keys at most', async (t) => {
  const claims: { key: string; path: string }[] = [];
  for (let each = 0; each < 4; each++) {
    const { data } = (await (await trialKey(`198.51.101.${each}`)).json()) as {
      data: { key: string; claim_url: string };
    };
    const { pathname, search } = new URL(data.claim_url);
    claims.push({ key: data.key, path: pathname + search });
  }
  const [first] = claims;
  if (!first) return t.fail();
  const browser = openBrowser(app);
  const invitation = await browser.get(first.path);
  t.true(invitation.words.includes('Sign in or open an account'));
  const link = /href="(\/sign-up\?[^"]+)"/.exec(invitation.text)?.[1] ?? '';
  const fields = { email: 'agent.owner@gmail.com', name: 'Agent', kind: 'person', terms: 'yes' };
  await browser.submit(await browser.get(link.replaceAll('&#38;', '&')), fields);
  const [mailed = ''] = await mailedLinks(app, fields.email);
  const account = await browser.submit(await browser.get(mailed));
  t.true(account.text.includes(`href="${first.path}"`), 'the account leads back to the claim');
  const live = KEY.exec(account.text)?.[0];

  const elsewhere = { token: first.path.split('=')[1] ?? '', member: 'mem_of_another_tab' };
  const asked = await browser.post('/claim', elsewhere);
  t.is(asked.status, 409, 'the page named another organization');
  t.regex(asked.text, /action="\/claim"/, 'it asks again');

  const results: number[] = [];
  for (const { path } of claims) results.push((await browser.submit(await browser.get(path))).status);
  t.deepEqual(results, [200, 200, 200, 409]);
  t.is((await browser.get(first.path)).status, 410);
  t.is((await app.request('/v1/cities', { key: first.key })).status, 200);
  const { rows } = await app.services.pool.query(
    `select count(distinct k.organization_id)::int as organizations, count(k.expires_at)::int as expiring
       from api_keys k join trial_keys t on t.key_id = k.id where t.claimed_at is not null`,
  );
  t.deepEqual(rows, [{ organizations: 1, expiring: 0 }]);
  t.is((await app.request('/v1/limits', { key: live })).status, 200);

  const viewer = openBrowser(app);
  const organization = await administered(app);
  await organization.post('/members', { email: 'viewer@gmail.com', name: 'V', role: 'viewer' });
  await signIn(app, viewer, 'viewer@gmail.com');
  t.is((await viewer.submit(await viewer.get(claims[3]?.path ?? ''))).status, 403);
});
