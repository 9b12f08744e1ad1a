import { hash, randomBytes } from 'node:crypto';
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { ExecutionContext } from 'ava';
import { freePort } from '#domain/process/ports.ts';
import type { Services } from '#src/services.ts';
import { type Administered, administered } from '#test/administration.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestResponse } from '#test/app.ts';
import { openBrowser, SELF_SERVICE_ENV, signIn, type TestBrowser, type TestPage } from '#test/browser.ts';
import type { OrganizationOptions } from '#test/factories.ts';

/** Documents that clients publish, by their address, as their issue trackers quote them. */
const DOCUMENTS: Readonly<Record<string, object>> = {
  'https://claude.ai/oauth/mcp-oauth-client-metadata': {
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  'https://claude.ai/oauth/claude-code-client-metadata': {
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  'https://chatgpt.com/oauth/abc/client.json': {
    client_name: 'ChatGPT',
    redirect_uris: ['https://chatgpt.com/connector/oauth/abc'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
    jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
  },
  'https://vscode.dev/oauth/client-metadata.json': {
    client_name: 'Visual Studio Code',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1:33418/', 'http://127.0.0.1/', 'https://vscode.dev/redirect'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  // Imitates another client.
  'https://evil.example/client.json': { client_name: 'Claude', redirect_uris: ['https://evil.example/callback'] },
};

type Fetch = Services['clientDocuments']['fetch'];

const fetchDocument: Fetch = async (address) => {
  const document = DOCUMENTS[String(address)];
  const bytes = async () => Buffer.from(JSON.stringify({ client_id: String(address), ...document }));
  async function* body() {
    yield await bytes();
  }
  return { status: document ? 200 : 404, headers: {}, body: body(), bytes, discard() {} };
};

/** An app that assistants can sign in to, at the address that it states. */
export async function startOauthApp(options: TestAppOptions = {}): Promise<TestApp> {
  const port = options.port ?? (await freePort());
  return startTestApp({
    ...options,
    port,
    env: { ...SELF_SERVICE_ENV, SITE_URL: `http://127.0.0.1:${port}`, ...options.env },
    overrides: { clientDocuments: { fetch: fetchDocument }, ...options.overrides },
  });
}

export type Person = Awaited<ReturnType<typeof newPerson>>;
let people = 0;

/** A member, by default of a new organization, signed in with a browser. */
export async function newPerson(
  app: TestApp,
  role = 'developer',
  options: OrganizationOptions = {},
  own?: Administered,
) {
  const organization = own ?? (await administered(app, options));
  const email = `assistant${++people}.${randomBytes(4).toString('hex')}@example.com`;
  const { body } = await organization.post('/members', { email, name: 'Sara', role });
  const browser = openBrowser(app);
  await signIn(app, browser, email);
  return { organization, email, browser, memberId: body.data.id as string };
}

const pathOf = (address: string | null): string => {
  const { pathname, search } = new URL(address ?? '', 'http://site.invalid');
  return `${pathname}${search}`;
};

/** Opens the address that a client has opened. @returns the consent, or the page or redirect instead of it */
export async function openConsent(browser: TestBrowser, address: string): Promise<TestPage> {
  const started = await browser.get(pathOf(address));
  const location = started.headers.get('location');
  return started.status === 303 && location?.includes('/oauth/consent/') ? browser.get(pathOf(location)) : started;
}

/** Sends the consent. @returns the redirect to the client */
export async function decide(
  browser: TestBrowser,
  page: TestPage,
  fields: Readonly<Record<string, string>> = {},
): Promise<URL> {
  const target = /<option value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const sent = await browser.submit(page, { target, decision: 'allow', ...fields });
  const resumed = await browser.get(pathOf(sent.headers.get('location')));
  return new URL(resumed.headers.get('location') ?? '');
}

/** A client of the official package with memory. */
export class Assistant implements OAuthClientProvider {
  readonly clientMetadata: OAuthClientMetadata;
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  opened = '';
  information: ReturnType<OAuthClientProvider['clientInformation']>;
  held: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  #verifier = '';

  constructor(redirectUrl: string, options: { document?: string; metadata?: Partial<OAuthClientMetadata> } = {}) {
    this.redirectUrl = redirectUrl;
    if (options.document) this.clientMetadataUrl = options.document;
    this.clientMetadata = { client_name: 'Test assistant', redirect_uris: [redirectUrl], ...options.metadata };
  }

  clientInformation() {
    return this.information;
  }
  saveClientInformation(information: NonNullable<Awaited<Assistant['information']>>): void {
    this.information = information;
  }
  tokens() {
    return this.held;
  }
  saveTokens(tokens: NonNullable<Assistant['held']>): void {
    this.held = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.opened = url.href;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
}

/** Connects as an assistant does: it is refused, opens the browser of the person, and exchanges the code. */
export async function connectAssistant(
  t: ExecutionContext,
  app: TestApp,
  { browser }: Person,
  assistant: Assistant,
  fields: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const address = new URL('/mcp', app.url);
  const first = new StreamableHTTPClientTransport(address, { authProvider: assistant });
  await t.throwsAsync(new Client({ name: 'test', version: '1' }).connect(first), { instanceOf: UnauthorizedError });
  const callback = await decide(browser, await openConsent(browser, assistant.opened), fields);
  await first.finishAuth(callback.searchParams);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(address, { authProvider: assistant }));
  t.teardown(() => client.close());
  return client;
}

/** A client that sends its requests itself, to send them twice, late or wrong. */
export function rawClient(app: TestApp, redirect = 'https://assistant.example/callback') {
  const verifier = randomBytes(32).toString('base64url');
  let clientId = '';
  const form = (path: string, fields: Readonly<Record<string, string>>, at = app): Promise<TestResponse> =>
    at.request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  const raw = {
    redirect,
    register: (metadata: object = {}) =>
      app.request('/oauth/register', {
        headers: { 'X-Forwarded-For': openBrowser(app).ip },
        json: { client_name: 'Raw', redirect_uris: [redirect], ...metadata },
      }),
    async authorizeUrl(parameters: Readonly<Record<string, string>> = {}): Promise<string> {
      if (clientId === '') clientId = (await raw.register()).body.client_id;
      const query = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirect,
        state: 'kept',
        code_challenge: hash('sha256', verifier, 'base64url'),
        code_challenge_method: 'S256',
        ...parameters,
      };
      return `/oauth/authorize?${new URLSearchParams(query)}`;
    },
    async code({ browser }: Person, fields: Readonly<Record<string, string>> = {}): Promise<string> {
      const callback = await decide(browser, await openConsent(browser, await raw.authorizeUrl()), fields);
      return callback.searchParams.get('code') ?? '';
    },
    redeem: (code: string, at = app, fields: Readonly<Record<string, string>> = {}) =>
      form(
        '/oauth/token',
        {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirect,
          client_id: clientId,
          code_verifier: verifier,
          ...fields,
        },
        at,
      ),
    refresh: (token: string, at = app, fields: Readonly<Record<string, string>> = {}) =>
      form('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId, ...fields }, at),
    revoke: (token: string) => form('/oauth/revoke', { token, client_id: clientId }),
    async connect(
      person: Person,
      fields?: Readonly<Record<string, string>>,
    ): Promise<{ access: string; refresh: string }> {
      const { body } = await raw.redeem(await raw.code(person, fields));
      return { access: body.access_token, refresh: body.refresh_token };
    },
  };
  return raw;
}

/** Calls a tool with a token or key, as one request without a session. */
export const callMcp = (
  app: TestApp,
  token: string | undefined,
  name = 'listCities',
  args: object = {},
): Promise<TestResponse> =>
  app.request('/mcp', {
    key: token,
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });
