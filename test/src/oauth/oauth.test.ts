import type { ExecutionContext } from 'ava';
import { inject } from 'light-my-request';
import { CallerLimits } from '#src/metering/limits.ts';
import { createOauth } from '#src/oauth/oauth.ts';
import { createProvider } from '#src/oauth/provider.ts';
import { createSignIn, type Session } from '#src/sign-in/sign-in.ts';
import { createOutboundClient } from '#stores/outbound/outbound-client.ts';
import { verdict } from '#test/administration.ts';
import type { TestApp } from '#test/app.ts';
import { openBrowser, type TestBrowser } from '#test/browser.ts';
import { createProject } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { callTool } from '../mcp/client.ts';
import {
  Assistant,
  callMcp,
  connectAssistant,
  decide,
  newPerson,
  openConsent,
  rawClient,
  startOauthApp,
} from './assistant.ts';

let app: TestApp;
let other: TestApp;
let city: string;
test.before(async () => {
  app = await startOauthApp();
  // Another process of the same installation.
  other = await startOauthApp({ env: { SITE_URL: app.url } });
  city = (await app.addCity()).slug;
  await other.addCity();
});
test.after(async () => {
  await other.close();
  await app.close();
});

const isUsable = async (token: string): Promise<boolean> => (await callMcp(app, token)).status === 200;
/** A call of one unit. */
const count = (token: string) =>
  callMcp(app, token, 'countListings', { city, listing_type: 'rent', property_type: 'apartment' });
const challenge = (error = ''): string =>
  `Bearer ${error}resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp", scope="data"`;
const INVALID_TOKEN = 'error="invalid_token", ';

/** Pretends that a token was used longer ago. */
const age = (model: string, seconds: number) =>
  app.services.pool.query(
    'update oauth_records set consumed_at = consumed_at - make_interval(secs => $2) where model = $1 and consumed_at is not null',
    [model, seconds],
  );

test('clients find the authorization server from the 401 of /mcp', async (t) => {
  for (const token of [undefined, 'svc_live_wrong', 'x'.repeat(43)]) {
    const { status, headers } = await callMcp(app, token);
    t.is(status, 401);
    t.is(headers.get('www-authenticate'), challenge(token?.startsWith('x') ? INVALID_TOKEN : ''), token);
  }
  for (const path of ['/mcp', '']) {
    const { body, headers } = await app.request(`/.well-known/oauth-protected-resource${path}`);
    t.is(body.resource, `${app.url}/mcp`);
    t.deepEqual(body.authorization_servers, [app.url]);
    t.is(headers.get('access-control-allow-origin'), '*');
  }
  const { body } = await app.request('/.well-known/oauth-authorization-server');
  t.deepEqual((await app.request('/.well-known/openid-configuration')).body, body, 'obstacle 5');
  t.is(body.issuer, app.url);
  t.deepEqual(body.code_challenge_methods_supported, ['S256']);
  t.true(body.client_id_metadata_document_supported && body.authorization_response_iss_parameter_supported);
  t.true(body.token_endpoint_auth_methods_supported.includes('none'), 'Claude requires it');
  t.false([...body.scopes_supported].includes('offline_access'));
});

test('every endpoint of the metadata is served, also to pages of other origins', async (t) => {
  const { body } = await app.request('/.well-known/oauth-authorization-server');
  const endpoints = Object.keys(body).filter((name) => /^(token|registration|revocation)_endpoint$/.test(name));
  t.is(endpoints.length, 3);
  for (const name of endpoints) {
    const { pathname } = new URL(body[name]);
    t.is((await app.request(pathname, { method: 'POST' })).status, 400, name);
    t.is((await app.request(pathname)).status, 405, name);
    const preflight = await app.request(pathname, {
      method: 'OPTIONS',
      headers: { Origin: 'https://inspector.example' },
    });
    t.is(preflight.status, 204, `obstacle 14: ${name}`);
    t.regex(preflight.headers.get('access-control-allow-headers') ?? '', /Mcp-Protocol-Version/);
    t.is((await app.request(pathname, { method: 'POST' })).headers.get('access-control-allow-origin'), '*');
  }
  t.is((await app.request('/oauth/authorize')).status, 400);
});

/** Redirect address that a client sends, by the address of its document, and what a person is told. */
const CLIENTS: readonly { name: string; redirect: string; document?: string; metadata?: object; verified?: true }[] = [
  {
    name: 'Claude',
    redirect: 'https://claude.ai/api/mcp/auth_callback',
    document: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    verified: true,
  },
  {
    name: 'Claude Code',
    redirect: 'http://localhost:53971/callback',
    document: 'https://claude.ai/oauth/claude-code-client-metadata',
  },
  {
    name: 'ChatGPT',
    redirect: 'https://chatgpt.com/connector/oauth/abc',
    document: 'https://chatgpt.com/oauth/abc/client.json',
    verified: true,
  },
  { name: 'VS Code', redirect: 'http://127.0.0.1:51234/', document: 'https://vscode.dev/oauth/client-metadata.json' },
  {
    name: 'VS Code in a browser',
    redirect: 'https://vscode.dev/redirect',
    document: 'https://vscode.dev/oauth/client-metadata.json',
    verified: true,
  },
  {
    name: 'Claude, registered',
    redirect: 'https://claude.ai/api/mcp/auth_callback',
    metadata: { scope: 'data offline_access', token_endpoint_auth_method: 'client_secret_post' },
  },
  { name: 'Cursor', redirect: 'cursor://anysphere.cursor-mcp/oauth/callback', metadata: { application_type: 'web' } },
  { name: 'Cursor, newer', redirect: 'http://localhost:8787/callback', metadata: { application_type: 'native' } },
  {
    name: 'a script',
    redirect: 'http://127.0.0.1:8000/any/path',
    metadata: { scope: 'read write', grant_types: ['authorization_code'] },
  },
];

for (const { name, redirect, document, metadata, verified } of CLIENTS)
  test(`${name} connects, calls a tool and refreshes`, async (t) => {
    const person = await newPerson(app);
    const assistant = new Assistant(redirect, { ...(document && { document }), ...(metadata && { metadata }) });
    const client = await connectAssistant(t, app, person, assistant);
    t.false((await callTool(client, 'listCities')).isError);
    t.truthy(assistant.held?.refresh_token, 'obstacle 6: without offline_access');
    await app.services.pool.query("update oauth_records set expires_at = now() where model = 'AccessToken'");
    const before = assistant.held?.access_token;
    t.false((await callTool(client, 'listCities')).isError);
    t.not(assistant.held?.access_token, before);

    const { rows } = await app.services.pool.query(
      'select c.is_verified, c.redirect_host, k.kind, k.scopes from connections c join api_keys k on k.id = c.key_id where k.organization_id = $1',
      [person.organization.id],
    );
    t.is(rows.length, 1);
    t.is(rows[0].is_verified, verified ?? false);
    t.is(rows[0].kind, 'connector');
    t.false(rows[0].scopes.includes('exports'));
  });

test('calls of an assistant are charged to its project, logged, and listed with their cost', async (t) => {
  const person = await newPerson(app, 'owner');
  const project = await createProject(app.services, person.organization.id, 1);
  const raw = rawClient(app);
  const { access } = await raw.connect(person, {
    target: `${person.memberId} ${project.publicId}`,
    with_exports: 'on',
  });
  t.falsy((await count(access)).body.result.isError);
  const over = await count(access);
  t.regex(over.text, /monthly_unit_cap|project/);
  t.is((await app.request('/v1/limits', { key: access })).body.error.code, 'invalid_api_key', 'rule 10');
  t.is((await app.request('/v1/limits', { headers: { 'X-Internal-Key': 'a'.repeat(43) } })).status, 401);
  const { body } = await person.organization.get('/keys');
  const key = body.data.find(({ kind }: { kind: string }) => kind === 'connector');
  t.like(key, { name: 'Raw', member_id: person.memberId, project_id: project.publicId, scopes: null });
});

test('members see and revoke their connections, owners and admins all of the organization', async (t) => {
  const oauth = createOauth(app.services, new CallerLimits(app.services.config.limits));
  const signedIn = createSignIn(app.services);
  const sessionOf = async (browser: TestBrowser): Promise<Session> => {
    const session = await signedIn.readSession([...browser.cookies].map((pair) => pair.join('=')).join('; '));
    t.truthy(session);
    return session as Session;
  };
  const owner = await newPerson(app, 'owner');
  const developer = await newPerson(app, 'developer', {}, owner.organization);
  const [own, others] = [rawClient(app), rawClient(app)];
  const { access } = await own.connect(developer);
  await others.connect(owner);
  await count(access);
  await app.services.requestLog.flush();
  const session = await sessionOf(developer.browser);
  const listed = await oauth.connections(session);
  t.is(listed.length, 1);
  t.like(listed[0], {
    client_name: 'Raw',
    redirect_host: 'assistant.example',
    is_verified: false,
    member: 'Sara',
    project: null,
  });
  t.like(listed[0], { requests_30_days: 1, units_30_days: 1 });
  t.truthy(listed[0]?.last_used_at);
  const all = await oauth.connections(await sessionOf(owner.browser));
  t.is(all.length, 2);
  const foreign = all.find(({ id }) => id !== listed[0]?.id);
  await t.throwsAsync(oauth.revoke(session, foreign?.id ?? '', 'req_1'), { message: /No connection/ });
  await oauth.revoke(await sessionOf(owner.browser), listed[0]?.id ?? '', 'req_1');
  t.deepEqual(await oauth.connections(session), []);
  t.is((await callMcp(app, access)).status, 401);
  const { body } = await owner.organization.get('/audit-events');
  t.like(body.data[0], { action: 'key.revoked', target_id: listed[0]?.key_id, request_id: 'req_1' });
});

test('a consent is asked each time, and a sign-in before it', async (t) => {
  const person = await newPerson(app);
  const raw = rawClient(app);
  await raw.connect(person);
  const again = await openConsent(person.browser, await raw.authorizeUrl());
  t.regex(again.text, /name="decision"/, 'obstacle 11');
  t.regex(again.text, /class="person" href="\/console"/, 'the header does not offer another sign-in');
  const stranger = openBrowser(app);
  const asked = await openConsent(stranger, await raw.authorizeUrl());
  t.is(asked.status, 303);
  t.regex(asked.headers.get('location') ?? '', /^\/sign-in\?return_to=%2Foauth%2Fconsent%2F/);
  const none = await person.browser.get(await raw.authorizeUrl({ prompt: 'none' }));
  t.regex(none.headers.get('location') ?? '', /error=(login|interaction|consent)_required/);
});

test('the consent states what is not proved, and works in both languages without scripts', async (t) => {
  const person = await newPerson(app);
  const evil = rawClient(app, 'https://evil.example/callback');
  await evil.register();
  const imitation = (await evil.register({ client_name: '\u202eClaude\u0000 <b>' })).body.client_id;
  const page = await openConsent(person.browser, await evil.authorizeUrl({ client_id: imitation }));
  t.true(page.words.includes('Claude &lt;b&gt;') || page.words.includes('Claude <b>'), page.words);
  t.false(page.text.includes('\u202e'));
  t.regex(page.words, /not verified/);
  t.regex(page.words, /evil\.example/);
  t.regex(
    page.headers.get('content-security-policy') ?? '',
    /form-action 'self' https:\/\/evil\.example;/,
    'obstacle 15',
  );
  t.is(page.headers.get('cross-origin-opener-policy'), null, 'obstacle 16');
  t.is(page.headers.get('x-frame-options'), 'DENY');
  t.is(page.headers.get('cache-control'), 'no-store');

  const published = await evil.authorizeUrl({ client_id: 'https://evil.example/client.json' });
  const imitated = await openConsent(person.browser, published);
  t.regex(imitated.words, /Claude \( ?published by evil\.example ?\)/);
  t.regex(imitated.words, /Check that evil\.example is the site of the assistant/);

  person.browser.cookies.set('language', 'ar');
  const arabic = await openConsent(person.browser, await evil.authorizeUrl());
  t.regex(arabic.text, /<html lang="ar" dir="rtl">/);
  t.regex(arabic.words, /غير موثّق/);
  const callback = await decide(person.browser, arabic);
  t.is(callback.searchParams.get('iss'), app.url);
  t.is(callback.searchParams.get('state'), 'kept');
});

test('a person can refuse, or have no role that connects assistants', async (t) => {
  const person = await newPerson(app);
  const raw = rawClient(app);
  const refused = await decide(person.browser, await openConsent(person.browser, await raw.authorizeUrl()), {
    decision: 'refuse',
  });
  t.is(refused.searchParams.get('error'), 'access_denied');
  const viewer = await newPerson(app, 'viewer');
  const page = await openConsent(viewer.browser, await raw.authorizeUrl());
  t.regex(page.words, /role developer/);
  const forced = await viewer.browser.submit(page, { target: viewer.memberId, decision: 'allow' });
  t.is(forced.status, 403);
  const foreign = await person.browser.submit(await openConsent(person.browser, await raw.authorizeUrl()), {
    target: viewer.memberId,
    decision: 'allow',
  });
  t.regex(foreign.headers.get('location') ?? '', /\/oauth\/consent\//, 'asked again');
  const theirs = await createProject(app.services, viewer.organization.id, 1);
  const deleted = await createProject(app.services, person.organization.id, 1);
  await person.organization.post(`/projects/${deleted.publicId}/delete`);
  for (const { publicId } of [theirs, deleted]) {
    const consent = await openConsent(person.browser, await raw.authorizeUrl());
    t.false(consent.text.includes(publicId));
    const target = `${person.memberId} ${publicId}`;
    t.is(
      (await person.browser.submit(consent, { target, decision: 'allow' })).status,
      404,
      'another or a deleted project',
    );
  }
});

test('a consent page opened in another browser connects nothing', async (t) => {
  const [attacker, victim] = [await newPerson(app), await newPerson(app)];
  const raw = rawClient(app);
  const started = await attacker.browser.get(await raw.authorizeUrl());
  const page = await victim.browser.get(started.headers.get('location') ?? '');
  t.is(page.status, 400);
  t.regex(page.words, /another browser/);
  const own = await openConsent(attacker.browser, await raw.authorizeUrl());
  const crossSite = await attacker.browser.post(
    /action="([^"]+)"/.exec(own.text)?.[1] ?? '',
    { decision: 'allow' },
    { 'Sec-Fetch-Site': 'cross-site' },
  );
  t.is(crossSite.status, 403);
});

test('one code used three times at once yields one token, and a replay ends it', async (t) => {
  for (let round = 0; round < 5; round++) {
    const person = await newPerson(app);
    const raw = rawClient(app);
    const code = await raw.code(person);
    const responses = await Promise.all([raw.redeem(code), raw.redeem(code, other), raw.redeem(code)]);
    const tokens = responses.flatMap(({ body }) => body.access_token ?? []);
    t.is(tokens.length, 1, responses.map(({ text }) => text).join());
    t.true(await isUsable(tokens[0]));
    await age('AuthorizationCode', 2);
    t.is((await raw.redeem(code)).body.error, 'invalid_grant');
    t.false(await isUsable(tokens[0]), 'ASVS 10.4.2');
  }
});

test('a refresh repeated within 30 s works, and later ends the grant', async (t) => {
  const person = await newPerson(app);
  const raw = rawClient(app);
  const { refresh } = await raw.connect(person);
  const both = await Promise.all([raw.refresh(refresh), raw.refresh(refresh, other)]);
  t.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
    'obstacle 9',
  );
  const retried = await raw.refresh(refresh, app, { scope: 'data offline_access' });
  t.is(retried.status, 200);
  t.not(retried.body.refresh_token, refresh);
  t.true(await isUsable(retried.body.access_token));
  await age('RefreshToken', 31);
  t.is((await raw.refresh(refresh)).body.error, 'invalid_grant');
  t.is((await raw.refresh(retried.body.refresh_token)).body.error, 'invalid_grant');
  const dead = await callMcp(app, retried.body.access_token);
  t.is(dead.headers.get('www-authenticate'), challenge(INVALID_TOKEN));
});

test('a revoked connection receives a 401 with the challenge, however it was revoked', async (t) => {
  const ways: Readonly<
    Record<
      string,
      (
        person: Awaited<ReturnType<typeof newPerson>>,
        raw: ReturnType<typeof rawClient>,
        token: string,
      ) => Promise<unknown>
    >
  > = {
    'by the client': (_person, raw, token) => raw.revoke(token),
    'by its key': async ({ organization }) => {
      const { body } = await organization.get('/keys');
      const key = body.data.find(({ kind }: { kind: string }) => kind === 'connector');
      await organization.post(`/keys/${key.id}/revoke`);
    },
    'by the removal of the member': ({ organization, memberId }) => organization.post(`/members/${memberId}/remove`),
  };
  for (const [way, revoke] of Object.entries(ways)) {
    const person = await newPerson(app);
    const raw = rawClient(app);
    const { access, refresh } = await raw.connect(person);
    t.true(await isUsable(access), way);
    await revoke(person, raw, access);
    const { status, headers } = await callMcp(app, access);
    t.is(status, 401, way);
    t.is(headers.get('www-authenticate'), challenge(INVALID_TOKEN), way);
    t.is((await raw.refresh(refresh)).body.error, 'invalid_grant', way);
    const { rows } = await app.services.pool.query(
      "select from api_keys where organization_id = $1 and kind = 'connector' and revoked_at is null",
      [person.organization.id],
    );
    t.is(rows.length, 0, way);
  }
});

test('suspension and allowlist refuse an assistant like any key, and it need not sign in again', async (t) => {
  const person = await newPerson(app);
  const { access } = await rawClient(app).connect(person);
  const set = (column: string, value: unknown) =>
    app.services.pool.query(`update organizations set ${column} = $2 where id = $1`, [person.organization.id, value]);
  const initialize = () =>
    app.request('/mcp', {
      key: access,
      json: {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      },
    });
  await set('ip_allowlist', ['203.0.113.0/24']);
  t.is(verdict(await initialize()), '403 ip_not_allowed');
  await set('ip_allowlist', []);
  await set('suspended_at', new Date(0));
  t.is(verdict(await initialize()), '403 client_suspended');
  await set('suspended_at', null);
  t.is((await initialize()).status, 200);
});

async function errorOf(t: ExecutionContext, parameters: Readonly<Record<string, string>>): Promise<string> {
  const browser = openBrowser(app);
  const page = await browser.get(await rawClient(app).authorizeUrl(parameters));
  const location = page.headers.get('location');
  if (location !== null) return new URLSearchParams(location.replace(/^[^?#]*[?#]/, '')).get('error') ?? location;
  t.is(page.headers.get('x-frame-options'), 'DENY');
  t.regex(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  return `page ${/<code>(\w+)/.exec(page.text)?.[1]}`;
}

test('wrong requests are redirected to the client, or shown if the client is unknown', async (t) => {
  t.is(await errorOf(t, { resource: 'https://elsewhere.example/mcp' }), 'invalid_target', 'obstacle 7');
  t.is(await errorOf(t, { resource: `${app.url}/mcp/` }), 'invalid_target');
  t.is(await errorOf(t, { code_challenge_method: 'plain' }), 'invalid_request');
  t.is(await errorOf(t, { code_challenge: '' }), 'invalid_request');
  t.is(await errorOf(t, { response_type: 'token' }), 'unsupported_response_type');
  for (const scope of ['', 'read write', 'offline_access', 'openid data'])
    t.regex(await errorOf(t, { scope }), /\/oauth\/consent\//, `obstacle 6: ${scope}`);
  t.is(await errorOf(t, { redirect_uri: 'https://evil.example/' }), 'page invalid_redirect_uri');
  t.is(await errorOf(t, { client_id: 'unknown' }), 'page invalid_client');
  for (const client_id of ['http://claude.ai/oauth', 'https://unknown.example/client.json'])
    t.regex(await errorOf(t, { client_id }), /^page invalid_client/, client_id);
});

test('registrations have accepted redirects, and documents come from public addresses only', async (t) => {
  const { register } = rawClient(app);
  for (const redirect of [
    'http://evil.example/',
    'javascript:alert(1)',
    'cursor://other/callback',
    'https://user@evil.example/',
    'https://evil.example/#x',
    'https://evil.example;sandbox/',
    'https://evil.example,x/',
  ])
    t.regex(
      (await register({ redirect_uris: [redirect] })).text,
      /"invalid_(redirect_uri|client_metadata)".*redirect_uris must/,
      redirect,
    );
  t.is((await register({ redirect_uris: [] })).status, 400);
  const { body } = await register({
    application_type: 'web',
    redirect_uris: ['http://localhost/cb'],
    jwks_uri: 'https://127.0.0.1/jwks',
    scope: 'x',
  });
  t.like(body, { application_type: 'native', token_endpoint_auth_method: 'none' });
  for (const name of ['client_secret', 'jwks_uri', 'scope']) t.false(name in body, `obstacle 2: ${name}`);
  const { fetch } = createOutboundClient({ httpsOnly: true });
  for (const address of [
    'https://localhost/a',
    'https://127.0.0.1/a',
    'https://169.254.169.254/a',
    'https://[::ffff:127.0.0.1]/a',
    'https://example.com:8443/a',
  ])
    await t.throwsAsync(fetch(address, { timeoutMs: 100, maxBytes: 1 }), { name: 'AddressError' }, address);
});

test('a redirect has another port on loopback only, and no other path or host', async (t) => {
  const started = async (registered: string, redirect_uri: string): Promise<boolean> => {
    const page = await openBrowser(app).get(await rawClient(app, registered).authorizeUrl({ redirect_uri }));
    return page.headers.get('location')?.includes('/oauth/consent/') ?? false;
  };
  const [hosted, local] = ['https://assistant.example/callback', 'http://localhost/callback'];
  for (const [registered, accepted, refused] of [
    [
      hosted,
      [hosted],
      [
        'https://assistant.example:8443/callback',
        'https://assistant.example/callback/',
        `${hosted}?x=1`,
        'https://evil.example/callback',
      ],
    ],
    [
      local,
      [local, 'http://localhost:49152/callback'],
      [
        'http://localhost:49152/other',
        'http://localhost.evil.example/callback',
        'https://localhost/callback',
        'http://localhost@evil.example/callback',
      ],
    ],
  ] as const) {
    for (const redirect of accepted) t.true(await started(registered, redirect), redirect);
    for (const redirect of refused) t.false(await started(registered, redirect), redirect);
  }
});

test('a document of a client that is late, too large, redirected or not its own connects nothing', async (t) => {
  const respond = (status: number, document: object) => {
    const bytes = async () => Buffer.from(JSON.stringify(document));
    async function* body() {
      yield await bytes();
    }
    return { status, headers: {}, body: body(), bytes, discard() {} };
  };
  const redirect_uris = ['https://assistant.example/callback'];
  const documents: Readonly<Record<string, () => ReturnType<typeof respond>>> = {
    'https://late.example/client.json': () => {
      throw new Error('no response within 2500 ms');
    },
    'https://large.example/client.json': () => ({
      ...respond(200, {}),
      bytes: () => Promise.reject(new Error('more than 5120 bytes')),
    }),
    'https://moved.example/client.json': () =>
      respond(302, { client_id: 'https://moved.example/client.json', redirect_uris }),
    'https://other.example/client.json': () =>
      respond(200, { client_id: 'https://claude.ai/client.json', redirect_uris }),
    'https://text.example/client.json': () => respond(200, ['text']),
    'https://none.example/client.json': () => respond(200, { client_id: 'https://none.example/client.json' }),
    'https://local.example/client.json': () =>
      respond(200, { client_id: 'https://local.example/client.json', redirect_uris: ['http://169.254.169.254/'] }),
  };
  const own = await startOauthApp({
    overrides: { clientDocuments: { fetch: async (address) => documents[String(address)]?.() ?? respond(404, {}) } },
  });
  t.teardown(own.close);
  for (const client_id of Object.keys(documents)) {
    const page = await openBrowser(own).get(await rawClient(own).authorizeUrl({ client_id }));
    t.is(page.status, 400, client_id);
    t.is(page.headers.get('location'), null, client_id);
    t.regex(page.words, /invalid_(client|redirect_uri)/, client_id);
  }
});

test('addresses come from the configuration, whatever headers a request has', async (t) => {
  const headers = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', Forwarded: 'host=evil.example' };
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/mcp'])
    t.false((await app.request(path, { headers })).text.includes('evil'), 'obstacle 10');
  const started = await openBrowser(app).send('GET', await rawClient(app).authorizeUrl(), headers);
  t.regex(started.headers.get('location') ?? '', /^\/oauth\/consent\//);
  const cookies = started.headers.getSetCookie();
  t.is(cookies.length, 2);
  for (const cookie of cookies) t.regex(cookie, /httponly/i);

  const behind = await startOauthApp({ env: { SITE_URL: 'https://data.example' } });
  t.teardown(behind.close);
  const { body } = await behind.request('/.well-known/oauth-authorization-server');
  t.is(body.authorization_endpoint, 'https://data.example/oauth/authorize');
  const secure = await openBrowser(behind).get(
    await rawClient(behind).authorizeUrl({ resource: 'https://data.example/mcp' }),
  );
  t.regex(secure.headers.get('location') ?? '', /^\/oauth\/consent\//);
  t.truthy(secure.headers.get('x-request-id'), 'obstacle 12');
  for (const cookie of secure.headers.getSetCookie()) t.regex(cookie, /^__(Host|Secure)-oauth.*; secure/i);
});

test('a code lives for 60 s, and a consent for 90 days, however often it is refreshed', async (t) => {
  const person = await newPerson(app);
  const raw = rawClient(app);
  const { refresh } = await raw.connect(person);
  await raw.refresh((await raw.refresh(refresh)).body.refresh_token);
  const { rows } = await app.services.pool.query<{ model: string; lives: number; ends: number }>(
    `select r.model, (r.payload ->> 'exp')::int - (r.payload ->> 'iat')::int as lives,
            (r.payload ->> 'exp')::int - extract(epoch from c.created_at)::int as ends
       from oauth_records r join connections c on c.grant_hash = r.grant_hash join api_keys k on k.id = c.key_id
      where k.organization_id = $1 and r.model <> 'AccessToken'`,
    [person.organization.id],
  );
  // Obstacle 18: the package accepts a code for 15 s more, because clocks differ.
  t.is(rows.find(({ model }) => model === 'AuthorizationCode')?.lives, 60);
  const refreshed = rows.filter(({ model }) => model === 'RefreshToken');
  t.is(refreshed.length, 3);
  for (const { ends } of refreshed) t.true(Math.abs(ends - 90 * 86_400) <= 5, `${ends}`);
});

test('neither tokens nor codes are stored in clear', async (t) => {
  const person = await newPerson(app);
  const raw = rawClient(app);
  const code = await raw.code(person);
  const { access_token, refresh_token } = (await raw.redeem(code)).body;
  const { rows } = await app.services.pool.query(
    "select string_agg(r::text, '') || (select string_agg(c::text, '') from connections c) as text from oauth_records r",
  );
  for (const secret of [code, access_token, refresh_token]) {
    t.regex(secret, /^[\w-]{43}$/);
    t.false(rows[0].text.includes(secret));
  }
});

test('guessed tokens are limited by address, and neither valid nor expired ones count', async (t) => {
  const strict = await startOauthApp({ env: { SITE_URL: app.url, UNKNOWN_KEYS_PER_MINUTE: '3' } });
  t.teardown(strict.close);
  const { access } = await rawClient(app).connect(await newPerson(app));
  const statusOf = async (token: string) => (await callMcp(strict, token)).status;
  t.is(await statusOf(access), 200);
  await app.services.pool.query("update oauth_records set expires_at = now() where model = 'AccessToken'");
  for (let call = 0; call < 5; call++) t.is(await statusOf(access), 401);
  const guessed = [];
  for (let call = 0; call < 4; call++) guessed.push(await statusOf(String(call).repeat(43)));
  t.deepEqual(guessed, [401, 401, 401, 429]);
  t.is(await statusOf(access), 401, 'the client learns that it must refresh');
});

test('requests for tokens and registrations are limited by address', async (t) => {
  const headers = { 'X-Forwarded-For': '198.51.100.7', 'Content-Type': 'application/json' };
  const statuses = async (path: string, count: number, body: string) => {
    const responses = Array.from({ length: count }, () => app.request(path, { method: 'POST', headers, body }));
    return (await Promise.all(responses)).filter(({ status }) => status === 429).length;
  };
  const registration = JSON.stringify({ redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] });
  t.is(await statuses('/oauth/register', 31, registration), 1);
  t.is(await statuses('/oauth/register', 1, registration.replace('claude.ai', 'other.example')), 0, 'by host');
  let flooded = 0;
  for (let each = 0; each < 130; each++)
    flooded += await statuses('/oauth/register', 1, registration.replace('claude.ai', `host${each}.example`));
  t.true(flooded >= 30, `${flooded} of 130 hosts that one network names`);
  let refused = 0;
  // Meanwhile, the limit allows ten more each second.
  for (let batch = 0; batch < 10 && refused === 0; batch++) refused = await statuses('/oauth/token', 200, '');
  t.true(refused > 0);
});

test('the metadata agree with those of the package', async (t) => {
  const provider = await createProvider(app.services);
  const response = await inject(provider.callback(), {
    method: 'GET',
    url: '/.well-known/openid-configuration',
    headers: { host: new URL(app.url).host },
  });
  const own = (await app.request('/.well-known/oauth-authorization-server')).body;
  const theirs = response.json();
  for (const [name, value] of Object.entries(own)) {
    if (!(name in theirs)) continue;
    // The package supports more modes of responses, which are not used.
    if (Array.isArray(value)) for (const each of value) t.true(theirs[name].includes(each), `${name} ${each}`);
    else t.is(value, theirs[name], name);
  }
});
