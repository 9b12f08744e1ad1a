import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expireSignIn } from '#app/workers/housekeeping/jobs.ts';
import { createLogger } from '#src/observability/logger.ts';
import { inviteMember } from '#src/sign-in/invitations.ts';
import { createSignIn, isRecent } from '#src/sign-in/sign-in.ts';
import { withClient } from '#stores/postgres/pool.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import { administered } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { mailedLinks, openBrowser, SELF_SERVICE_ENV, signIn, signUp, type TestBrowser } from '#test/browser.ts';
import { createDatabase } from '#test/engines.ts';
import { test } from '#test/test.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let app: TestApp;
let now = Date.now();
let logged = '';
test.before(async () => {
  const clock = { now: () => now, chargeTime: () => null };
  const logger = createLogger('debug', {
    write: (line) => {
      logged += line;
    },
  });
  // A test deletes all sessions.
  const env = { ...SELF_SERVICE_ENV, DATABASE_URL: await createDatabase('sign_in') };
  app = await startTestApp({ env, overrides: { clock, logger } });
  await app.addCity();
});
test.after(() => app.close());

let people = 0;
const newAddress = (domain = 'gmail.com') => `person${++people}@${domain}`;
const keyIn = (text: string): string => /svc_live_\w{36}/.exec(text)?.[0] ?? '';
const isSignedIn = async (browser: TestBrowser): Promise<boolean> =>
  (await browser.get('/sign-in')).text.includes('/sign-out');

/** A member who has not signed in, of an organization with an admin key. */
async function newMember(role = 'developer', email = newAddress()) {
  const organization = await administered(app);
  const { body } = await organization.post('/members', { email, name: 'Sara', role });
  return { organization, email, memberId: body.data.id as string };
}

test('a stranger opens an account: the page has the key and the 200 of its first call, in both languages', async (t) => {
  for (const prefix of ['', '/ar']) {
    const browser = openBrowser(app);
    const email = newAddress();
    const form = await browser.get(`${prefix}/sign-up`);
    t.is([...form.text.matchAll(/<(input|select)(?![^>]*hidden)/g)].length, 5, 'four fields, one of two choices');
    const sent = await browser.submit(form, { email, name: 'شركة Acme', kind: 'company', terms: 'yes' });
    t.true(sent.words.includes(email));
    const [link = ''] = await mailedLinks(app, email);
    t.true(link.startsWith(`${prefix}/sign-in?token=`), link);
    const page = await browser.submit(await browser.get(link));
    t.is(page.status, 200);
    t.regex(page.text, /<strong dir="ltr">200<\/strong>/);
    const { body } = await app.request('/v1/limits', { key: keyIn(page.text) });
    t.is(body.data.plan, 'free');
    t.true(await isSignedIn(browser));
  }
});

test('a link works once, within ten minutes, and only for a POST: scanners of mail do not use it', async (t) => {
  const { email } = await newMember();
  const browser = openBrowser(app);
  await browser.submit(await browser.get('/sign-in'), { email });
  const [link = ''] = await mailedLinks(app, email);
  for (const method of ['GET', 'HEAD', 'GET'])
    t.is((await openBrowser(app).send(method, link, {})).status, 200, method);
  const page = await browser.get(link);
  t.true(page.words.includes(email), 'the page names the address, so that nobody signs in as another unknowingly');
  const both = await Promise.all([browser.submit(page), browser.submit(page)]);
  t.deepEqual(both.map(({ status }) => status).sort(), [303, 410], 'of two at once, one signs in');
  t.is((await browser.submit(page)).status, 410);
  t.is((await browser.get(link)).status, 410);

  await browser.submit(await browser.get('/sign-in'), { email });
  const [late = ''] = await mailedLinks(app, email);
  now += 10 * MINUTE_MS;
  t.is((await browser.get(late)).status, 410);
  t.is((await browser.post('/sign-in', { token: late.split('=')[1] ?? '' })).status, 410);
});

test('another browser needs the code of the one that requested the link, and a thief has five attempts', async (t) => {
  const { email } = await newMember();
  const desktop = openBrowser(app);
  const requestLink = async () => {
    const sent = await desktop.submit(await desktop.get('/sign-in'), { email });
    const code = /code-digits" dir="ltr">(\d{6})</.exec(sent.text)?.[1] ?? '';
    return { code, link: (await mailedLinks(app, email))[0] ?? '' };
  };
  const phone = openBrowser(app);
  const { code, link } = await requestLink();
  const page = await phone.get(link);
  t.true(page.text.includes('name="code"'));
  t.is((await phone.submit(page)).status, 400, 'without the code');
  t.is((await phone.submit(page, { code: `${code.slice(0, 3)} ${code.slice(3)}` })).status, 303);
  t.true(await isSignedIn(phone));
  t.false(await isSignedIn(desktop));

  const stolen = await requestLink();
  const thief = openBrowser(app);
  const opened = await thief.get(stolen.link);
  const wrong = stolen.code === '000000' ? '000001' : '000000';
  for (let attempt = 1; attempt <= 5; attempt++)
    t.is((await thief.submit(opened, { code: wrong })).status, attempt < 5 ? 400 : 410, `attempt ${attempt}`);
  t.is((await thief.submit(opened, { code: stolen.code })).status, 410);
  t.false(await isSignedIn(thief));
});

test('the form for a link responds alike for every address, and mails members only', async (t) => {
  const { email } = await newMember();
  const stranger = newAddress();
  const pages: string[] = [];
  for (const address of [email, stranger]) {
    const browser = openBrowser(app);
    const page = await browser.submit(await browser.get('/sign-in'), { email: address });
    pages.push(page.text.replaceAll(address, 'ADDRESS').replace(/>\d{6}</, '>CODE<'));
  }
  t.is(pages[0], pages[1]);
  t.is((await mailedLinks(app, email)).length, 1);
  t.deepEqual(await mailedLinks(app, stranger), []);
  for (const address of [email, stranger]) {
    const browser = openBrowser(app);
    const form = await browser.get('/sign-in');
    const statuses: number[] = [];
    for (let each = 0; each < 4; each++) statuses.push((await browser.submit(form, { email: address })).status);
    t.deepEqual(statuses, [200, 200, 200, 429], 'three links to an address from one network in 15 minutes');
    const other = openBrowser(app);
    t.is((await other.submit(await other.get('/sign-in'), { email: address })).status, 200, 'others lock nobody out');
  }
});

test('the session is new at each sign-in, whatever cookie the browser sends, and ends by sign-out', async (t) => {
  const { email } = await newMember();
  const browser = openBrowser(app);
  const fixed = 'A'.repeat(43);
  browser.cookies.set('account', fixed);
  const signedIn = await signIn(app, browser, email);
  t.is(signedIn.headers.get('location'), '/console');
  const first = browser.cookies.get('account') ?? '';
  t.not(first, fixed);
  const cookie = signedIn.headers.getSetCookie().find((line) => line.startsWith('account='));
  t.regex(cookie ?? '', /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/);
  await signIn(app, browser, email);
  const second = browser.cookies.get('account') ?? '';
  t.not(second, first);
  const old = openBrowser(app);
  old.cookies.set('account', first);
  t.false(await isSignedIn(old), 'the earlier session of the browser ended');
  await browser.submit(await browser.get('/sign-in'));
  const replayed = openBrowser(app);
  replayed.cookies.set('account', second);
  t.false(await isSignedIn(replayed));
  const { rows } = await app.services.pool.query("select encode(id_hash, 'hex') as hash from sessions");
  t.false(rows.some(({ hash: stored }) => stored === second || stored === hash('sha256', second)));
});

test('with an https address, cookies have the prefix __Host- and are sent over TLS only', async (t) => {
  const secure = await startTestApp({ env: { ...SELF_SERVICE_ENV, SITE_URL: 'https://data.example.com', ...SMTP } });
  t.teardown(secure.close);
  const browser = openBrowser(secure);
  const sent = await browser.submit(await browser.get('/sign-in'), { email: newAddress() });
  t.regex(
    sent.headers.getSetCookie()[0] ?? '',
    /^__Host-sign_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; .*; Secure$/,
  );
});

const SMTP = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'service@example.com' };

test('a session ends after 12 hours without a request and after 14 days', async (t) => {
  const { email } = await newMember();
  const browser = openBrowser(app);
  await signIn(app, browser, email);
  for (let day = 0; day < 27; day++) {
    now += 12 * HOUR_MS - 1;
    t.true(await isSignedIn(browser), `after ${day / 2} days`);
  }
  now += 12 * HOUR_MS;
  t.false(await isSignedIn(browser), 'after 14 days');
  const idle = openBrowser(app);
  await signIn(app, idle, email);
  now += 12 * HOUR_MS + 1;
  t.false(await isSignedIn(idle));
  const { rowCount } = await app.services.pool.query('select from sessions');
  t.true((rowCount ?? 0) > 0);
  await withClient({ connectionString: app.services.config.databaseUrl }, (client) =>
    expireSignIn.run(client, new Date(now + 14 * DAY_MS)),
  );
  for (const table of ['sessions', 'sign_in_links'])
    t.is((await app.services.pool.query(`select from ${table}`)).rowCount, 0, table);
});

const foreign: readonly Record<string, string>[] = [
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { 'Sec-Fetch-Site': 'none' },
  { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' },
  { 'Sec-Fetch-Site': '', Origin: 'null' },
  { 'Sec-Fetch-Site': '' },
];

test('forms of other sites are refused before they are read, on every path', async (t) => {
  const browser = openBrowser(app);
  for (const path of ['/sign-in', '/ar/sign-in', '/sign-in/inbox', '/sign-out', '/sign-up', '/claim']) {
    for (const headers of foreign)
      t.is((await browser.post(path, { token: 'x' }, headers)).status, 403, `${path} ${JSON.stringify(headers)}`);
    for (const method of ['PUT', 'DELETE', 'PATCH']) t.is((await browser.send(method, path, {})).status, 405, path);
  }
  const own = { 'Sec-Fetch-Site': '', Origin: app.services.config.siteUrl };
  t.is((await browser.post('/sign-in', { email: 'x' }, own)).status, 400, 'older browsers state the origin only');
  const body = 'x'.repeat(20_000);
  t.is((await browser.post('/sign-in', { email: body })).status, 400);
  const json = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' };
  t.is((await browser.send('POST', '/sign-in', json, '{}')).status, 400);
});

test('links in mail have the configured address, whatever the Host header says', async (t) => {
  const { email } = await newMember();
  const browser = openBrowser(app);
  const body = new URLSearchParams({ email }).toString();
  const sent = request(`${app.url}/sign-in`, {
    method: 'POST',
    headers: {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-For': browser.ip,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  t.is(response.statusCode, 200);
  t.false((await text(response)).includes('evil.example'));
  const { rows } = await app.services.pool.query('select body from mails where recipient = $1', [email]);
  t.true(rows[0].body.includes(`${app.services.config.siteUrl}/sign-in?token=`));
  t.false(rows[0].body.includes('evil.example'));
});

test('a sign-in returns to paths of the site only', async (t) => {
  const { email } = await newMember();
  const browser = openBrowser(app);
  for (const target of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/%5C/evil.example\r\nSet-Cookie: a=b',
    'javascript:alert(1)',
    '',
  ]) {
    now += 15 * MINUTE_MS;
    const page = await signIn(app, browser, email, `/sign-in?again=1&return_to=${encodeURIComponent(target)}`);
    t.is(page.headers.get('location'), '/console', target);
  }
  now += 15 * MINUTE_MS;
  const page = await signIn(
    app,
    browser,
    email,
    `/sign-in?again=1&return_to=${encodeURIComponent('/console/keys?a=b')}`,
  );
  t.is(page.headers.get('location'), '/console/keys?a=b');
});

test('no token, key or cookie appears in a log line, request log or audit event', async (t) => {
  const browser = openBrowser(app);
  const email = newAddress();
  const page = await signUp(app, browser, email);
  const [link = ''] = await mailedLinks(app, email);
  const secrets = [link.split('=')[1] ?? '', keyIn(page.text), ...browser.cookies.values()];
  for (const secret of secrets) {
    t.true(secret.length > 20);
    t.false(logged.includes(secret));
    const { rows } = await app.services.pool.query(
      'select 1 from request_logs l where l::text like $1 union all select 1 from audit_events a where a::text like $1',
      [`%${secret}%`],
    );
    t.is(rows.length, 0);
  }
});

test('a removed member is signed out everywhere, and the console key is revoked', async (t) => {
  const { organization, email, memberId } = await newMember('admin');
  const browser = openBrowser(app);
  await signIn(app, browser, email);
  const { signIn: site } = sessionsOf();
  const cookie = `account=${browser.cookies.get('account')}`;
  const session = await site.readSession(cookie);
  t.is(session?.member?.id, memberId);
  t.is(session?.member?.role, 'admin');
  const again = await site.readSession(cookie);
  t.deepEqual(again?.consoleKey, session?.consoleKey, 'the key is created once');
  const keys = async () =>
    (await organization.get('/keys')).body.data.filter((key: { kind: string }) => key.kind === 'console');
  t.deepEqual(
    (await keys()).map((key: { member_id: string; status: string }) => [key.member_id, key.status]),
    [[memberId, 'active']],
  );
  await organization.post(`/members/${memberId}/remove`);
  t.is((await keys())[0].status, 'revoked');
  t.is(await site.readSession(cookie), null);
  t.false(await isSignedIn(browser));
});

const sessionsOf = () => ({ signIn: createSignIn(app.services) });

test('people list and end their sessions, and choose among their organizations', async (t) => {
  const { email, memberId } = await newMember();
  const other = await newMember('owner', email);
  const [one, two] = [openBrowser(app), openBrowser(app)];
  await signIn(app, one, email);
  await signIn(app, two, email);
  const { signIn: site } = sessionsOf();
  const read = (browser: TestBrowser) => site.readSession(`account=${browser.cookies.get('account')}`);
  const session = await read(one);
  if (!session) return t.fail();
  t.deepEqual(
    session.memberships.map(({ id }) => id),
    [memberId, other.memberId],
  );
  t.is(session.member?.id, memberId);
  await site.choose(session, other.memberId);
  t.is((await read(one))?.member?.id, other.memberId);
  t.is((await read(two))?.member?.id, memberId, 'a choice applies to its session');
  await t.throwsAsync(site.choose(session, 'mem_0'), { message: /no member/ });
  const listed = await site.sessions(session);
  t.deepEqual(listed.map(({ current, ip }) => [current, ip]).sort(), [
    [false, two.ip],
    [true, one.ip],
  ]);
  const stranger = await read(await signedInStranger());
  if (stranger) await t.throwsAsync(site.revoke(stranger, session.id), { message: /No session/ });
  await site.revoke(session, listed.find(({ current }) => !current)?.id ?? '');
  t.is(await read(two), null);
  t.true(site.isRecent(session));
  now += 10 * MINUTE_MS + 1;
  t.false(site.isRecent(session));
  t.false(isRecent(session, now));
});

async function signedInStranger(): Promise<TestBrowser> {
  const browser = openBrowser(app);
  await signIn(app, browser, (await newMember()).email);
  return browser;
}

test('an invitation to the address of another customer leads to its own organization, and adding an address does not', async (t) => {
  const { email } = await newMember();
  const browser = openBrowser(app);
  await signIn(app, browser, email);
  const [added, inviting] = [await administered(app), await administered(app)];
  await added.post('/members', { email, name: 'Sara', role: 'owner' });
  const { body } = await inviting.post('/members', { email, name: 'Sara', role: 'viewer', invite: true });
  const [link = ''] = await mailedLinks(app, email);
  await browser.submit(await browser.get(link));
  const [token = ''] = await mailedLinks(app, email);
  t.is((await browser.submit(await browser.get(token))).status, 303);
  const { signIn: site } = sessionsOf();
  const session = await site.readSession(`account=${browser.cookies.get('account')}`);
  t.is(session?.memberships.length, 3);
  t.is(session?.member?.id, body.data.id);
});

test('a link that was mailed before its member was removed leads to no organization', async (t) => {
  const { organization, email, memberId } = await newMember();
  const browser = openBrowser(app);
  await browser.submit(await browser.get('/sign-in'), { email });
  await organization.post(`/members/${memberId}/remove`);
  const [link = ''] = await mailedLinks(app, email);
  t.is((await browser.submit(await browser.get(link))).status, 303);
  t.regex((await browser.get('/console/keys')).words, /belongs to no organization/);
  t.is((await browser.get(link)).status, 410, 'opened again');
});

test('an invitation leads to a link for its address for seven days, and is no credential', async (t) => {
  const { organization, email, memberId } = await newMember();
  const { services } = app;
  const invite = () =>
    inTransaction(services.pool, (db) =>
      inviteMember(
        { db, random: services.random, actor: { type: 'system', id: null, requestId: null } },
        { config: services.config, now: new Date(now) },
        organization.id,
        memberId,
        'ar',
      ),
    );
  await invite();
  const [link = ''] = await mailedLinks(app, email);
  t.is(link, `/ar/sign-in?invitation=${memberId}`);
  const browser = openBrowser(app);
  const page = await browser.get(link);
  t.false(page.text.includes(email), 'the page shows a part of the address');
  now += 7 * DAY_MS - 1;
  const sent = await browser.submit(await browser.get(link));
  t.is(sent.status, 200);
  const [token = ''] = await mailedLinks(app, email);
  t.is((await browser.submit(await browser.get(token))).status, 303);
  t.true((await openBrowser(app).get(link)).words.includes('انتهت صلاحية هذه الدعوة'));
  await t.throwsAsync(invite(), { message: /signed in already/ });
  const events = (await organization.all('/audit-events')).map(({ action }: { action: string }) => action);
  t.true(
    ['member.invited', 'member.joined'].every((action) => events.includes(action)),
    events.join(),
  );
});
