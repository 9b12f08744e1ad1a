import { generateKeyPairSync } from 'node:crypto';
import type { AllClientMetadata, Configuration, Provider } from 'oidc-provider';
import { pathIn } from '#src/documents/language.ts';
import { RateLimit } from '#src/metering/rate-limit.ts';
import type { Services } from '#src/services.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import { createAdapter } from './adapter.ts';
import { endGrant } from './assistants.ts';
import { AUTH_METHODS, adaptClient } from './clients.ts';
import { PATHS, resourceOf, SCOPE } from './metadata.ts';

const DAY_S = 86_400;
/** Long, because clients refresh badly and every call checks Postgres, so that a revocation is immediate. */
const ACCESS_TOKEN_S = 8 * 3_600;
/** After a consent, whatever is refreshed. */
export const GRANT_S = 90 * DAY_S;
const CODE_S = 60;
/** Long enough to sign in by mail. */
const INTERACTION_S = 30 * 60;

/** Documents of clients. */
const DOCUMENT = { timeoutMs: 2_500, maxBytes: 5 * 1024 } as const;
const DOCUMENTS_PER_MINUTE = 60;
const DOCUMENTS_PER_HOST = 5;

export type ProviderServices = Pick<Services, 'pool' | 'config' | 'random' | 'logger' | 'clientDocuments'>;

/** Names of the cookies. The prefix lets a browser accept them only from this host. */
export function cookieNames(siteUrl: string) {
  const isSecure = siteUrl.startsWith('https:');
  return {
    interaction: isSecure ? '__Host-oauth' : 'oauth',
    resume: isSecure ? '__Secure-oauth_resume' : 'oauth_resume',
    session: 'oauth_session',
  };
}

/** The package is loaded when the first client connects: it takes 45 MB and 0.2 s. */
export async function createProvider(services: ProviderServices): Promise<Provider> {
  const { config, logger } = services;
  const { Provider: OidcProvider, errors } = await import('oidc-provider');
  const provider = new OidcProvider(config.siteUrl, {
    ...OPTIONS,
    adapter: storeIn(services, () => new errors.InvalidGrant('already used')),
    // The package requires a key, although there are no id tokens.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    cookies: {
      names: cookieNames(config.siteUrl),
      // The consent has a path in each language.
      short: { httpOnly: true, sameSite: 'lax', path: '/' },
      long: { httpOnly: true, sameSite: 'lax' },
    },
    features: {
      ...FEATURES,
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: limitDocuments() },
      resourceIndicators: resourcesOf(resourceOf(config), (text) => new errors.InvalidTarget(text)),
    },
    extraClientMetadata: {
      properties: [AUTH_METHODS],
      validator: (_context, _name, _value, metadata) => {
        const refused = adaptClient(metadata as AllClientMetadata);
        if (refused !== null) throw new errors.InvalidClientMetadata(refused);
      },
    },
    fetch: fetchThrough(services.clientDocuments),
  });
  provider.proxy = true;
  provider.on('server_error', (_context, error) => logger.error({ err: error }, 'authorization server failed'));
  return provider;
}

const FEATURES: Configuration['features'] = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  registration: { enabled: true, issueRegistrationAccessToken: false },
  revocation: { enabled: true, allowedPolicy: async (_context, client, token) => token.clientId === client.clientId },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
};

/** What depends on no service. */
const OPTIONS: Configuration = {
  routes: {
    authorization: PATHS.authorize,
    token: PATHS.token,
    registration: PATHS.register,
    revocation: PATHS.revoke,
  },
  scopes: [SCOPE],
  responseTypes: ['code'],
  clientAuthMethods: ['none'],
  pkce: { required: () => true },
  clientDefaults: { id_token_signed_response_alg: 'ES256', token_endpoint_auth_method: 'none' },
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  ttl: {
    AccessToken: ACCESS_TOKEN_S,
    AuthorizationCode: CODE_S,
    Grant: GRANT_S,
    Interaction: INTERACTION_S,
    RefreshToken: (context) => context.oidc.entities.RotatedRefreshToken?.remainingTTL ?? GRANT_S,
    Session: INTERACTION_S,
  },
  findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
  // Only the grant of this consent: a person chooses the organization each time.
  loadExistingGrant: async ({ oidc }) =>
    oidc.result?.consent?.grantId === undefined ? undefined : oidc.provider.Grant.find(oidc.result.consent.grantId),
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  // Also for an access token that a client revokes.
  revokeGrantPolicy: () => true,
  expiresWithSession: async () => false,
  interactions: {
    url: (context, interaction) => {
      const language = context.cookies.get('language') ?? context.acceptsLanguages('en', 'ar');
      return pathIn(language === 'ar' ? 'ar' : 'en', `${PATHS.consent}/${interaction.uid}`);
    },
  },
  renderError: (context, out) => {
    context.type = 'application/json';
    context.body = out;
  },
};

function storeIn({ pool, config, random }: ProviderServices, usedError: () => Error) {
  const actor = { type: 'system', id: null, requestId: null } as const;
  return createAdapter({
    db: pool,
    resumeUrl: (id) => `${config.siteUrl}${PATHS.authorize}/${id}`,
    usedError,
    endGrant: (grantHash) => inTransaction(pool, (db) => endGrant({ db, random, actor }, grantHash)),
  });
}

/** Every token is for `/mcp`, also of old clients that name no resource. */
const resourcesOf = (resource: string, unknownError: (text: string) => Error) => ({
  enabled: true,
  defaultResource: () => resource,
  useGrantedResource: () => true,
  getResourceServerInfo: (_context: unknown, identifier: string) => {
    if (identifier !== resource) throw unknownError(`resource must be ${resource}`);
    return { scope: SCOPE, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: ACCESS_TOKEN_S } as const;
  },
});

function limitDocuments() {
  const all = new RateLimit(DOCUMENTS_PER_MINUTE);
  const byHost = new RateLimit(DOCUMENTS_PER_HOST);
  return (_context: unknown, id: string): boolean => {
    // Names of limits have no colon.
    const host = new URL(id).hostname.replaceAll(':', '.');
    if (all.wait('all') > 0 || byHost.wait(host) > 0) return false;
    all.take('all');
    byHost.take(host);
    return true;
  };
}

/** By the client that refuses private addresses. Redirects are not followed. */
const fetchThrough =
  ({ fetch }: ProviderServices['clientDocuments']) =>
  async (url: Parameters<typeof globalThis.fetch>[0]): Promise<Response> => {
    const response = await fetch(String(url), { ...DOCUMENT, headers: { accept: 'application/json' } });
    if (response.status === 200)
      return new Response(new Uint8Array(await response.bytes()), { headers: cacheOf(response.headers) });
    response.discard();
    return new Response(null, { status: 502 });
  };

/** Headers that decide how long a document is retained. */
const cacheOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    ['cache-control', 'expires'].flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
