import { CONSOLE_PAGES } from '#site/server/console/console-area.ts';
import { projectedUnits } from '#site/server/console/usage.ts';
import { filtersOf } from '#site/server/console/webhooks.ts';
import { PERMISSIONS, ROLES, type Role } from '#src/accounts/roles.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { type Administered, administered } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { mailedLinks, openBrowser, SELF_SERVICE_ENV, signIn, type TestBrowser, type TestPage } from '#test/browser.ts';
import { test } from '#test/test.ts';

let app: TestApp;
let city: string;
let now = Date.now();
test.before(async () => {
  app = await startTestApp({
    env: SELF_SERVICE_ENV,
    overrides: {
      clock: { now: () => now, chargeTime: () => null },
      resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    },
  });
  city = (await app.addCity()).slug;
});
test.after(() => app.close());

let people = 0;

/** A member who has signed in. */
async function member(org: Administered, role: Role) {
  const email = `console${++people}@example.com`;
  const { body } = await org.post('/members', { email, name: `Member ${people}`, role });
  const browser = openBrowser(app);
  await signIn(app, browser, email);
  return { browser, email, id: body.data.id as string };
}

const decode = (text: string): string => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

interface Form {
  action: string;
  /** With the values of fields as the page has them. */
  fields: Record<string, string>;
}

/** The forms of a page that change something. */
const formsOf = ({ text }: TestPage): Form[] =>
  [...text.matchAll(/<form method="post" class="console-form[\s\S]*?<\/form>/g)].map(([markup]) => {
    const inputs = [...markup.matchAll(/<input name="(\w+)"[^>]*? value="([^"]*)"/g)];
    const hidden = [...markup.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const selects = [...markup.matchAll(/<select name="(\w+)">([\s\S]*?)<\/select>/g)].map(
      ([all, name, options = '']) => {
        const [, value] =
          /<option value="([^"]*)" selected/.exec(options) ?? /<option value="([^"]*)"/.exec(options) ?? [];
        return [all, name, value] as const;
      },
    );
    const fields = Object.fromEntries(
      [...inputs, ...selects, ...hidden].map(([, name = '', value = '']) => [name, decode(value)]),
    );
    return { action: fields._action ?? '', fields };
  });

/** Sends a form of a page. @param match hidden values of the form */
async function act(
  browser: TestBrowser,
  path: string,
  action: string,
  fields: Readonly<Record<string, string>> = {},
  match: Readonly<Record<string, string>> = {},
): Promise<TestPage> {
  const found = formsOf(await browser.get(path)).find(
    (each) => each.action === action && Object.entries(match).every(([name, value]) => each.fields[name] === value),
  );
  if (!found) throw new Error(`${path} has no form ${action}`);
  return browser.post(path, { ...found.fields, ...fields });
}

const secretIn = ({ text }: TestPage): string => /svc_(live|test|admin)_\w{36}/.exec(text)?.[0] ?? '';

/** One object of each kind, so that every form is on its page. */
async function furnished(): Promise<Administered> {
  const org = await administered(app, { plan: 'enterprise' });
  await org.post('/projects', { name: 'Website', monthly_unit_cap: 100 });
  await org.post('/keys', { name: 'Site' });
  const hook = { url: 'https://hooks.example/a', event_types: ['listing.created'], filters: { city } };
  const webhook = (await org.post('/webhooks', hook)).body.data.id;
  await org.post(`/webhooks/${webhook}/test`, {});
  await app.request('/v1/exports', { key: org.key, json: { dataset: 'registered_rents', format: 'csv' } });
  await org.post('/plan', { plan: 'pro' });
  return org;
}

test('every page of the console works without scripts for every role in both languages, and needs a sign-in', async (t) => {
  const org = await furnished();
  const stranger = openBrowser(app);
  for (const role of ROLES) {
    const { browser } = await member(org, role);
    for (const { name } of CONSOLE_PAGES)
      for (const prefix of ['', '/ar']) {
        const path = `${prefix}/console/${name}`;
        const page = await browser.get(path);
        t.is(page.status, 200, `${role} ${path} ${page.words.slice(0, 300)}`);
        t.false(page.text.includes('role="alert"'), `${role} ${path}`);
        t.false(page.text.includes(`class="person" href="${prefix}/sign-in"`), path);
        t.regex(page.headers.get('cache-control') ?? '', /no-store/);
        // Random identifiers of forms can contain any letters.
        t.notRegex(page.text.replace(/name="_once" value="[^"]*"/g, ''), /undefined|\[object|NaN/, path);
        const refused = await stranger.get(path);
        t.is(refused.status, 303);
        t.true(refused.headers.get('location')?.includes(`/sign-in?return_to=${encodeURIComponent(path)}`), path);
      }
  }
});

/** Stores the connection of an assistant that a member has connected. */
const connectAssistant = (organization: number, member: number) =>
  app.services.pool.query(
    `with made as (
       insert into api_keys (public_id, organization_id, kind, name, hash, last_four, member_id, expires_at)
       values ('key_connector' || $1::bigint, $1, 'connector', 'Claude', sha256(('connector' || $1::bigint)::bytea), '', $2,
               now() + interval '1 day') returning id)
     insert into connections (public_id, key_id, grant_hash, client_id, client_name, redirect_host, is_verified)
     select 'con_' || $1::bigint, id, sha256(('grant' || $1::bigint)::bytea), 'https://claude.ai/client', 'Claude', 'claude.ai', true from made`,
    [organization, member],
  );

test('the forms of a page are exactly its actions', async (t) => {
  const org = await furnished();
  await org.post('/members', { email: `invited${++people}@example.com`, name: 'Invited', role: 'viewer' });
  const { browser, id } = await member(org, 'owner');
  await member(org, 'owner').then(({ browser: second }) => second.get('/console'));
  const { rows } = await app.services.pool.query('select id from members where public_id = $1', [id]);
  await connectAssistant(org.id, rows[0].id);
  await signIn(app, openBrowser(app), `console${people - 1}@example.com`);
  for (const { name, actions = {} } of CONSOLE_PAGES) {
    const found = new Set(formsOf(await browser.get(`/console/${name}`)).map(({ action }) => action));
    if (name === 'webhooks') {
      const webhook = (await org.all('/webhooks'))[0]?.id;
      for (const { action } of formsOf(await browser.get(`/console/webhooks?id=${webhook}`))) found.add(action);
    }
    t.deepEqual([...found].sort(), Object.keys(actions).sort(), name);
  }
});

test('a viewer who sends any form gets the sentence of the API and changes nothing', async (t) => {
  const org = await furnished();
  const { browser } = await member(org, 'viewer');
  await browser.get('/console');
  const before = (await org.all('/audit-events')).length;
  /** Of the member itself. */
  const own = ['leave', 'end', 'end_others'];
  let sent = 0;
  for (const { name } of CONSOLE_PAGES)
    for (const prefix of ['', '/ar'])
      for (const { action, fields } of formsOf(await browser.get(`${prefix}/console/${name}`))) {
        if (own.includes(action)) continue;
        const needed = {
          name: 'x',
          email: 'x@example.com',
          url: 'https://hooks.example/b',
          search: `city=${city}`,
          event_types: 'listing.created',
        };
        const given = Object.entries(needed).filter(([field]) => field in fields && fields[field] === '');
        const page = await browser.post(`${prefix}/console/${name}`, {
          ...fields,
          ...Object.fromEntries(given),
          event_types: 'listing.created',
        });
        t.is(page.status, 403, `${name} ${action}: ${page.words.slice(0, 200)}`);
        t.regex(page.text, /role="alert"[\s\S]*This change requires the role/, `${name} ${action}`);
        t.is(
          /role="alert"><p>[^a-z]{5,}/.test(page.text),
          prefix === '/ar',
          'the Arabic page states the meaning of the code',
        );
        sent++;
      }
  t.true(sent > 40, `${sent}`);
  t.is((await org.all('/audit-events')).length, before);
});

test('no role has an effect by a form whose operation its permissions lack', async (t) => {
  for (const role of ROLES.filter((each) => each !== 'owner')) {
    const org = await furnished();
    await member(org, 'owner');
    const { browser } = await member(org, role);
    let refused = 0;
    for (const { name } of CONSOLE_PAGES)
      for (const { action, fields } of formsOf(await browser.get(`/console/${name}`))) {
        if (['leave', 'end', 'end_others'].includes(action)) continue;
        const filled = Object.entries(FILLED).filter(([field]) => fields[field] === '');
        const given = { ...fields, ...Object.fromEntries(filled), event_types: 'listing.created' };
        const page = await browser.post(`/console/${name}`, { ...given, search: `city=${city}` });
        await app.services.requestLog.flush();
        const { rows } = await app.services.pool.query(
          `select l.route, l.status from request_logs l join api_keys k on k.id = l.key_id and k.kind = 'console'
            where l.organization_id = $1 and l.method = 'POST' order by l.at desc limit 1`,
          [org.id],
        );
        const operation = endpoints.find(({ method, path }) => method === 'POST' && path === rows[0]?.route);
        const permission = operation && 'permission' in operation ? operation.permission : undefined;
        if (!permission) throw new Error(`${name} ${action}: no permission of ${rows[0]?.route}`);
        if ((PERMISSIONS[permission] as readonly Role[]).includes(role)) continue;
        refused++;
        t.is(page.status, 403, `${role}: ${name} ${action}`);
        t.is(rows[0].status, 403, `${role}: ${name} ${action}`);
      }
    t.true(refused > 2, `${role}: ${refused}`);
  }
});

/** Values of fields that are empty on a page, and those with which a form succeeds. */
const FILLED: Readonly<Record<string, string>> = {
  email: 'new@example.com',
  name: 'New',
  url: 'https://hooks.example/b',
  event_types: 'listing.created',
  since: '2026-11-01T00:00',
  plan: 'starter',
  cap: '5',
  ranges: '',
};

test('every form of every page has its effect for an owner', async (t) => {
  const org = await furnished();
  await org.post('/members', { email: `invited${++people}@example.com`, name: 'Invited', role: 'viewer' });
  const { browser, id, email } = await member(org, 'owner');
  await member(org, 'owner');
  for (let sessions = 0; sessions < 2; sessions++) await signIn(app, openBrowser(app), email);
  const { rows } = await app.services.pool.query('select id from members where public_id = $1', [id]);
  await connectAssistant(org.id, rows[0].id);
  await app.services.pool.query(
    `update webhook_deliveries set status = 'failed', finished_at = now() where endpoint_id in
       (select id from webhook_endpoints where organization_id = $1)`,
    [org.id],
  );
  const webhook = (await org.all('/webhooks'))[0]?.id as string;
  /** They end the session, or what others need. */
  const last = ['delete', 'leave', 'close'];
  const done: string[] = [];
  for (const { name, actions = {} } of CONSOLE_PAGES)
    for (const action of Object.keys(actions).sort((a, b) => last.indexOf(a) - last.indexOf(b))) {
      if (action === 'leave' || action === 'close') continue;
      const path = ['recover', 'replay'].includes(action) ? `/console/${name}?id=${webhook}` : `/console/${name}`;
      if (name === 'projects' && action === 'delete') await org.post('/projects', { name: 'Empty' });
      const form = formsOf(await browser.get(path)).find((each) => each.action === action);
      const empty = Object.keys(form?.fields ?? {}).filter((field) => form?.fields[field] === '' && field in FILLED);
      const given = Object.fromEntries([...empty, 'event_types'].map((field) => [field, FILLED[field] ?? '']));
      const sent = await browser.post(path, { ...form?.fields, search: `city=${city}`, ...given });
      const isDone = sent.status === 303 || (sent.status === 200 && sent.text.includes('class="panel"'));
      t.true(isDone, `${name} ${action}: ${sent.status} ${sent.words.slice(280, 700)}`);
      if (sent.status === 303)
        t.is((await browser.get(sent.headers.get('location') ?? '')).status, 200, `${name} ${action}`);
      done.push(`${name} ${action}`);
    }
  t.true(done.length > 25, done.join());
});

test('a person of two organizations chooses one of them', async (t) => {
  const [one, two] = [await administered(app), await administered(app)];
  const { email } = await member(one, 'owner');
  await two.post('/members', { email, name: 'Also', role: 'viewer' });
  const browser = openBrowser(app);
  await signIn(app, browser, email);
  const names = await Promise.all([one, two].map(async (org) => (await org.get('')).body.data.name as string));
  const other = (await two.all('/members'))[0]?.id as string;
  await act(browser, '/console/keys', 'organization', { member: other });
  t.true((await browser.get('/console/keys')).text.includes(`<strong>${names[1]}</strong>`));
  const own = (await one.all('/members'))[0]?.id as string;
  await act(browser, '/console/keys', 'organization', { member: own });
  t.true((await browser.get('/console/keys')).text.includes(`<strong>${names[0]}</strong>`));
});

test('a form acts for the member who opened it, whatever another tab has chosen, and for nobody else', async (t) => {
  const [one, two, others] = [await furnished(), await furnished(), await furnished()];
  const { browser, email } = await member(one, 'owner');
  await two.post('/members', { email, name: 'Also', role: 'owner' });
  const second = openBrowser(app);
  await signIn(app, second, email);
  await member(others, 'owner');
  const { browser: stranger } = await member(others, 'owner');
  const [own, also] = await Promise.all(
    [one, two].map(async (org) => (await org.all('/members')).find((each) => each.email === email)?.id as string),
  );
  const chosen = async (tab: TestBrowser) =>
    /name="_member" value="(mem_\w+)"/.exec((await tab.get('/console/keys')).text)?.[1];
  await act(second, '/console/keys', 'organization', { member: own ?? '' });
  const pages = new Map<string, Form[]>();
  for (const { name } of CONSOLE_PAGES) pages.set(name, formsOf(await second.get(`/console/${name}`)));
  const events = async () =>
    (await Promise.all([two, others].map((org) => org.all('/audit-events')))).map(({ length }) => length);

  await stranger.get('/console');
  const strangers = (await events())[1];
  let sent = 0;
  for (const [name, forms] of pages)
    for (const { action, fields } of forms.filter((each) => each.action !== 'organization')) {
      const page = await stranger.post(`/console/${name}`, { ...fields, name: 'New', email: 'new@example.com' });
      t.is(page.status, 409, `${name} ${action}`);
      t.regex(page.words, /opened for another account or organization/, `${name} ${action}`);
      sent++;
    }
  t.true(sent > 20, `${sent}`);
  t.is((await events())[1], strangers);

  await act(second, '/console/keys', 'organization', { member: also ?? '' });
  await second.get('/console');
  const before = await events();
  for (const [name, action] of [
    ['projects', 'create'],
    ['keys', 'create'],
    ['members', 'invite'],
    ['settings', 'name'],
  ] as const) {
    await act(second, '/console/keys', 'organization', { member: also ?? '' });
    t.is(await chosen(second), also);
    const form = pages.get(name)?.find((each) => each.action === action);
    const page = await second.post(`/console/${name}`, {
      ...form?.fields,
      name: 'From the first tab',
      email: `tab${name}@example.com`,
    });
    t.true(page.status < 400, `${name} ${action} ${page.words.slice(0, 500)}`);
    t.is(await chosen(second), own, 'the page after it is of the same organization');
  }
  t.deepEqual(await events(), before);
  t.is((await one.get('')).body.data.name, 'From the first tab');
  t.is(await chosen(browser), own);
});

test('of two owners who demote each other, or leave, at once, one remains', async (t) => {
  for (const action of ['role', 'leave']) {
    const org = await administered(app);
    const owners = [await member(org, 'owner'), await member(org, 'owner')] as const;
    const [first, second] = await Promise.all(owners.map(({ browser }) => browser.get('/console/members')));
    const form = (page: TestPage | undefined, email: string) => {
      const found = formsOf(page as TestPage).find(
        (each) => each.action === action && (action === 'leave' || each.fields.email === email),
      );
      return { ...found?.fields, ...(action === 'role' && { role: 'viewer' }) };
    };
    const sent = await Promise.all([
      owners[0].browser.post('/console/members', form(first, owners[1].email)),
      owners[1].browser.post('/console/members', form(second, owners[0].email)),
    ]);
    const refused = sent.filter(({ status }) => status >= 400);
    t.is(refused.length, 1, `${action} ${sent.map(({ status }) => status)}`);
    t.is((await org.all('/members')).filter(({ role }) => role === 'owner').length, 1, action);
  }
});

test('an owner leaves once another has signed in, and not after an invitation alone', async (t) => {
  const org = await administered(app);
  const { browser } = await member(org, 'owner');
  const email = `invited${++people}@example.com`;
  await org.post('/members', { email, name: 'Next', role: 'owner', invite: true });
  const early = await act(browser, '/console/members', 'leave');
  t.is(early.status, 409);
  t.regex(early.words, /No other owner has signed in/);
  await signIn(app, openBrowser(app), email);
  t.is((await act(browser, '/console/members', 'leave')).status, 303);
  t.is((await org.all('/members')).length, 1);
});

test('an owner who was demoted while a form was open has no effect with it', async (t) => {
  const org = await furnished();
  await member(org, 'owner');
  const { browser, email } = await member(org, 'owner');
  const pages = new Map<string, Form[]>();
  for (const { name } of CONSOLE_PAGES) pages.set(name, formsOf(await browser.get(`/console/${name}`)));
  await org.post('/members', { email, name: 'Demoted', role: 'viewer' });
  const events = await org.all('/audit-events');
  let refused = 0;
  for (const [name, forms] of pages)
    for (const { action, fields } of forms) {
      if (['leave', 'end', 'end_others', 'organization'].includes(action)) continue;
      const filled = Object.entries(FILLED).filter(([field]) => fields[field] === '');
      const given = { ...fields, ...Object.fromEntries(filled), event_types: 'listing.created' };
      t.is(
        (await browser.post(`/console/${name}`, { ...given, search: `city=${city}` })).status,
        403,
        `${name} ${action}`,
      );
      refused++;
    }
  t.true(refused > 15, `${refused}`);
  t.deepEqual(await org.all('/audit-events'), events);
});

test('no key outlives the closing of its account, whatever is rotated or created meanwhile', async (t) => {
  for (let round = 0; round < 3; round++) {
    const org = await furnished();
    const [{ browser }, { browser: colleague }] = [await member(org, 'owner'), await member(org, 'admin')];
    const forms = formsOf(await colleague.get('/console/keys')).filter(({ action }) =>
      ['create', 'rotate'].includes(action),
    );
    const { name } = (await org.get('')).body.data;
    const [closed] = await Promise.all([
      act(browser, '/console/settings', 'close', { name }),
      ...forms.map(({ fields }) => colleague.post('/console/keys', { ...fields, name: 'Late' })),
    ]);
    t.is(closed?.status, 303);
    const { rows } = await app.services.pool.query(
      'select from api_keys where organization_id = $1 and revoked_at is null',
      [org.id],
    );
    t.is(rows.length, 0);
  }
});

test('names that are formulas or hide characters are refused or harmless in files and pages', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  const { browser } = await member(org, 'owner');
  for (const name of ['a\u0007b', 'a\u202Eb', 'a\u2067b', 'a\nb', '\u200F'])
    t.is((await act(browser, '/console/keys', 'create', { name })).status, 400, JSON.stringify(name));
  for (const name of ["=cmd|'/c calc'!A1", '+1', '@SUM(A1)', '-1', '<b>"'])
    await act(browser, '/console/keys', 'create', { name }).then(async (page) => {
      const search = `/v1/listings?city=${city}&listing_type=rent&limit=10`;
      t.is((await app.request(search, { key: secretIn(page) })).status, 200, name);
    });
  await app.services.requestLog.flush();
  const { text } = await browser.get('/console/billing/statement.csv');
  const cells = text
    .split('\n')
    .slice(1, -1)
    .map((line) => line.replace(/^[^,]*,[^,]*,"?/, ''));
  t.is(cells.length, 5);
  for (const cell of cells) t.notRegex(cell, /^[=+@-]/, cell);
  t.false((await browser.get('/console/usage?by=key')).text.includes('<b>"'));
});

test('a call in the request log is copied as one command, whatever its parameters contain', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  const { browser } = await member(org, 'developer');
  await org.post('', { request_logs: { retention_days: 7, details: true } });
  for (const query of [
    "q='%3Btouch%20x%3B'",
    "q=';touch x;'",
    'q=%0Atouch%20x',
    'q=`touch x`&a=$(touch x)',
    'q="%0d%0a',
  ])
    await app.request(`/v1/listings?city=${city}&listing_type=rent&${query}`, { key: org.key });
  await app.services.requestLog.flush();
  const commands = [...(await browser.get('/console/log')).text.matchAll(/<code>(curl [^<]*)<\/code>/g)].map(
    ([, text = '']) => decode(text),
  );
  t.true(commands.length >= 5, `${commands.length}`);
  for (const command of commands) t.regex(command, /^curl (-X POST )?'[^'\n]*' -H "Authorization: Bearer \$API_KEY"$/);
});

test('a form of another site is refused, and a form that is sent twice has one effect', async (t) => {
  const org = await administered(app);
  const { browser } = await member(org, 'owner');
  const [create] = formsOf(await browser.get('/console/keys'));
  const fields = { ...create?.fields, name: 'Site' };
  const events = await org.all('/audit-events');
  const { siteUrl } = app.services.config;
  const foreign: readonly Record<string, string>[] = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': '' },
    { 'Sec-Fetch-Site': '', Origin: 'null' },
    { 'Sec-Fetch-Site': '', Origin: `${siteUrl}.evil.example` },
    { 'Sec-Fetch-Site': 'same-site', Origin: siteUrl },
  ];
  for (const { name, actions = {} } of CONSOLE_PAGES)
    for (const action of [...Object.keys(actions), 'organization'])
      for (const headers of foreign)
        t.is((await browser.post(`/console/${name}`, { _action: action }, headers)).status, 403, `${name} ${action}`);
  t.deepEqual(await org.all('/audit-events'), events);
  const keys = async () => (await org.all('/keys')).filter(({ name }) => name === 'Site').length;
  t.is(await keys(), 0);
  const first = await browser.post('/console/keys', fields);
  const again = await browser.post('/console/keys', fields);
  t.regex(secretIn(first), /^svc_live_/);
  t.is(secretIn(again), secretIn(first));
  t.is(await keys(), 1);
});

test('an owner gives two teams five keys with caps, rotates one, and sees who used what', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  const { browser, id } = await member(org, 'owner');
  for (const [name, cap] of [
    ['Website', '2'],
    ['Reports', ''],
  ] as const)
    t.is(
      (await act(browser, '/console/projects', 'create', { name, cap })).headers.get('location'),
      '/console/projects?done=create',
    );
  const projects = await org.all('/projects');
  t.deepEqual(
    projects.map(({ name, monthly_unit_cap }) => [name, monthly_unit_cap]),
    [
      ['Reports', null],
      ['Website', 2],
    ],
  );
  const secrets: string[] = [];
  for (let at = 0; at < 5; at++) {
    const project_id = projects[at % 2]?.id;
    const page = await act(browser, '/console/keys', 'create', { name: `Key ${at}`, project_id, kind: 'live' });
    secrets.push(secretIn(page));
  }
  t.is(new Set(secrets).size, 5);
  const [reports = '', website = ''] = secrets;
  const search = (key: string, limit: number) =>
    app.request(`/v1/listings?city=${city}&listing_type=rent&limit=${limit}`, { key });
  t.is((await search(reports, 30)).status, 200);
  t.is((await search(website, 30)).body.error.code, 'project_cap_exceeded');

  const old = (await org.all('/keys')).find(({ name }) => name === 'Key 0');
  const rotated = secretIn(await act(browser, '/console/keys', 'rotate', { grace: '3600' }, { id: old?.id }));
  for (const key of [reports, rotated]) t.is((await search(key, 10)).status, 200, 'both work in the grace period');
  const changed = await act(
    browser,
    '/console/keys',
    'change',
    { name: 'Renamed', project_id: '' },
    { id: (await org.all('/keys')).find(({ name }) => name === 'Key 2')?.id },
  );
  t.is(changed.status, 303);
  t.like(
    (await org.all('/keys')).find(({ name }) => name === 'Renamed'),
    { project_id: null, member_id: id },
  );

  await app.services.requestLog.flush();
  const usage = (await browser.get('/console/usage?by=member')).words;
  t.regex(usage, /Member \d+ \d+ 5 /, usage);
  t.regex((await browser.get('/console/usage?by=project')).words, /Reports 3 5 /);
});

test('an owner invites three, who sign in by the mail, and removes one, whose session ends at once', async (t) => {
  const org = await administered(app);
  const { browser } = await member(org, 'owner');
  const addresses = ['developer', 'billing', 'viewer'].map((role) => ({
    role,
    email: `invited${++people}@example.com`,
  }));
  for (const { role, email } of addresses)
    t.is(
      (await act(browser, '/console/members', 'invite', { email, name: role, role })).headers.get('location'),
      '/console/members?done=invite',
    );
  const again = await act(browser, '/console/members', 'invite', {
    email: addresses[0]?.email ?? '',
    name: 'x',
    role: 'viewer',
  });
  t.is(again.status, 409);
  t.regex(again.words, /has a member with this address already/);
  t.like(formsOf(again).find(({ action }) => action === 'invite')?.fields, {
    email: addresses[0]?.email,
    role: 'viewer',
  });
  t.regex(again.text, /<details class="item add" open>/, 'the refused form is open and keeps its values');
  const [first] = addresses;
  const invited = (await org.all('/members')).find(({ email }) => email === first?.email);
  t.is(typeof invited?.invited_at, 'string');
  t.is(invited?.joined_at, null);
  const [link = ''] = await mailedLinks(app, first?.email ?? '');
  t.regex(link, /invitation=mem_/);
  t.is((await act(browser, '/console/members', 'resend', {}, { id: invited?.id })).status, 303);
  const joined = openBrowser(app);
  await signIn(app, joined, first?.email ?? '');
  t.is((await joined.get('/console/keys')).status, 200);
  t.is((await act(browser, '/console/members', 'remove', {}, { id: invited?.id })).status, 303);
  const after = await joined.get('/console/keys');
  t.regex(after.headers.get('location') ?? after.words, /sign-in|belongs to no organization/);
  const last = await act(browser, '/console/members', 'leave');
  t.is(last.status, 409, 'the last owner stays');
});

test('an admin key is created by an owner who signed in within ten minutes, and by nobody else', async (t) => {
  const org = await administered(app);
  const { browser, id } = await member(org, 'owner');
  const page = await act(browser, '/console/keys', 'create', { name: 'Terraform', kind: 'admin' });
  const admin = secretIn(page);
  t.regex(admin, /^svc_admin_/);
  const made = await app.request('/v1/organization/keys', { key: admin });
  t.like(
    made.body.data.find(({ name }: { name: string }) => name === 'Terraform'),
    { kind: 'admin', member_id: id },
  );
  t.is(
    (await app.request('/v1/organization/keys', { key: admin, json: { name: 'b', kind: 'admin' } })).body.error.code,
    'forbidden_action',
  );
  const { browser: manager } = await member(org, 'admin');
  t.is((await act(manager, '/console/keys', 'create', { name: 'Other', kind: 'admin' })).status, 403);
  const [create] = formsOf(await browser.get('/console/keys'));
  now += 11 * 60_000;
  const late = await browser.post('/console/keys', { ...create?.fields, _once: 'late', name: 'Late', kind: 'admin' });
  t.is(late.status, 403);
  t.regex(late.words, /within 10 minutes after signing in. Sign in again/);
  t.regex(late.text, /role="alert"[\s\S]*sign-in\?return_to=%2Fconsole%2Fkeys&#38;again=1/);
  for (const [path, action, fields] of [
    ['/console/settings', 'close', { name: (await org.get('')).body.data.name }],
    ['/console/settings', 'allowlist', { ranges: browser.ip }],
    ['/console/members', 'invite', { email: 'late@example.com', name: 'Late', role: 'owner' }],
  ] as const)
    t.is((await act(browser, path, action, fields)).status, 403, action);
  t.regex((await browser.get('/console/keys')).text, /sign-in\?return_to=%2Fconsole%2Fkeys&#38;again=1/);
});

test('a webhook is created from the address of a search, and a statement and the files of an export are downloaded', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  const { browser } = await member(org, 'developer');
  const search = `https://site.example/explorer?city=${city}&listing_type=rent&beds_min=2&amenities=pool,gym&view=prices&map=24,46,9`;
  const page = await act(browser, '/console/webhooks', 'create', {
    url: 'https://hooks.example/a',
    search,
    event_types: 'listing.created',
  });
  t.regex(page.text, /whsec_/, page.words.slice(0, 600));
  t.deepEqual((await org.all('/webhooks'))[0]?.filters, {
    city: [city],
    listing_type: ['rent'],
    beds_min: 2,
    amenities: ['pool', 'gym'],
  });
  await app.request(`/v1/listings?city=${city}&listing_type=rent&limit=20`, { key: org.key });
  await app.services.requestLog.flush();
  t.regex((await browser.get('/console/billing')).words, /searchListings 1 2 /);
  const csv = await browser.get('/console/billing/statement.csv');
  t.is(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.is(csv.text, (await org.get('/statements?format=csv')).text);
  const wrong = await browser.get('/console/billing/statement.csv?month=1999-01');
  t.is(wrong.status, 400);
  t.regex(wrong.text, /role="alert"[\s\S]*must be one of the last 13 months/);
  t.is(wrong.headers.get('content-disposition'), null, 'a refusal is a page, not a file');
  const made = await app.request('/v1/exports', { key: org.key, json: { dataset: 'registered_rents', format: 'csv' } });
  const { id } = made.body.data;
  await app.services.pool.query(
    `update exports set status = 'completed', finished_at = now(), files = $2 where public_id = $1`,
    [id, JSON.stringify([{ name: 'part-1.csv.gz', bytes: 2_000, sha256: '00', rows: 1 }])],
  );
  t.true((await browser.get('/console/exports')).text.includes(`href="/console/exports?id=${id}"`));
  t.regex(
    (await browser.get(`/ar/console/exports?id=${id}`)).text,
    /<a class="button" href="http[^"]+part-1\.csv\.gz\?/,
  );
  const { browser: viewer } = await member(org, 'viewer');
  t.is((await viewer.get(`/console/exports?id=${id}`)).status, 403);
  t.regex((await browser.get('/console/log')).text, /curl &#39;[^<]*\/v1\/listings\?city=/);
});

test('an allowlist without the address of the console is refused until it is forced', async (t) => {
  const org = await administered(app);
  const { browser } = await member(org, 'owner');
  const refused = await act(browser, '/console/settings', 'allowlist', { ranges: '198.51.100.0/24' });
  t.is(refused.status, 409);
  t.regex(refused.words, /does not contain the address of this call/);
  t.is((await act(browser, '/console/settings', 'allowlist', { ranges: `${browser.ip}\n203.0.113.0/24` })).status, 303);
  t.deepEqual((await org.get('')).body?.error?.code, 'ip_not_allowed', 'other keys call from another address');
  const [form] = formsOf(await browser.get('/console/settings')).filter(({ action }) => action === 'allowlist');
  const claude = '160.79.104.0/21,153.61.208.0/20';
  t.is(
    (await browser.post('/console/settings', { ...form?.fields, ranges: browser.ip, assistants: claude })).status,
    303,
  );
  t.is((await act(browser, '/console/settings', 'name', { name: 'New name' })).status, 303);
  const { rows } = await app.services.pool.query(
    'select name, ip_allowlist::text[] as ranges from organizations where id = $1',
    [org.id],
  );
  t.deepEqual(rows[0], { name: 'New name', ranges: [`${browser.ip}/32`, '160.79.104.0/21', '153.61.208.0/20'] });
});

test('closing the account needs its name, ends every key and tells so', async (t) => {
  const org = await administered(app);
  const { browser } = await member(org, 'owner');
  t.is((await act(browser, '/console/settings', 'close', { name: 'Wrong' })).status, 400);
  const { name } = (await org.get('')).body.data;
  const closed = await act(browser, '/console/settings', 'close', { name });
  t.is(closed.status, 303);
  t.regex((await browser.get(closed.headers.get('location') ?? '')).words, /The account is closed/);
  t.is((await app.request('/v1/limits', { key: org.key })).body.error.code, 'revoked_api_key');
});

test('filters of a search keep their types', (t) => {
  const list = { type: 'array', items: { type: 'integer' } };
  const schemas = {
    city: { type: 'array', items: { type: 'string' } },
    neighborhood_id: list,
    price_max: { type: 'number' },
    furnished: { type: 'boolean' },
    q: { type: 'string' },
  };
  t.deepEqual(
    filtersOf(schemas, '/explorer?city=riyadh&neighborhood_id=1,2&price_max=9.5&furnished=true&q=a,b&page=3'),
    {
      city: ['riyadh'],
      neighborhood_id: [1, 2],
      price_max: 9.5,
      furnished: true,
      q: 'a,b',
    },
  );
});

test('a month is projected from what is used, and not from the first minutes', (t) => {
  t.is(projectedUnits(100, Date.parse('2026-11-16T00:00:00Z')), 200);
  t.is(projectedUnits(10, Date.parse('2026-11-01T00:00:01Z')), 300);
});

test('a process with the site only serves the console, and one without the site does not', async (t) => {
  const org = await administered(app);
  const { browser } = await member(org, 'owner');
  for (const [SITE, status] of [
    ['only', 200],
    ['off', 404],
  ] as const) {
    const { siteUrl: SITE_URL, baseUrl: BASE_URL } = app.services.config;
    const other = await startTestApp({ env: { ...SELF_SERVICE_ENV, SITE, SITE_URL, BASE_URL } });
    t.teardown(other.close);
    const visitor = openBrowser(other);
    for (const [name, value] of browser.cookies) visitor.cookies.set(name, value);
    for (const { name } of CONSOLE_PAGES)
      t.is((await visitor.get(`/console/${name}`)).status, status, `${SITE} ${name}`);
  }
});
