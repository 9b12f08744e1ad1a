import { generateKeyPairSync } from 'node:crypto';
import type { AllClientMetadata, ClientMetadata, Configuration, Provider } from 'oidc-provider';
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
  const { pool, config, random, logger, clientDocuments } = services;
  const { Provider: OidcProvider, errors } = await import('oidc-provider');
  const resource = resourceOf(config);
  const allDocuments = new RateLimit(DOCUMENTS_PER_MINUTE);
  const hostDocuments = new RateLimit(DOCUMENTS_PER_HOST);

  const configuration: Configuration = {
    adapter: createAdapter({
      db: pool,
      resumeUrl: (id) => `${config.siteUrl}${PATHS.authorize}/${id}`,
      usedError: () => new errors.InvalidGrant('already used'),
      endGrant: (grantHash) => {
        const actor = { type: 'system', id: null, requestId: null } as const;
        return inTransaction(pool, (db) => endGrant({ db, random, actor }, grantHash));
      },
    }),
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
    // The package requires a key, although there are no id tokens.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    cookies: {
      names: cookieNames(config.siteUrl),
      // The consent has a path in each language.
      short: { httpOnly: true, sameSite: 'lax', path: '/' },
      long: { httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_S,
      AuthorizationCode: CODE_S,
      Grant: GRANT_S,
      Interaction: INTERACTION_S,
      RefreshToken: (context) => context.oidc.entities.RotatedRefreshToken?.remainingTTL ?? GRANT_S,
      Session: INTERACTION_S,
    },
    features: {
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: (_context, id) => {
          // Names of limits have no colon.
          const host = new URL(id).hostname.replaceAll(':', '.');
          if (allDocuments.wait('all') > 0 || hostDocuments.wait(host) > 0) return false;
          allDocuments.take('all');
          hostDocuments.take(host);
          return true;
        },
      },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, identifier) => {
          if (identifier !== resource) throw new errors.InvalidTarget(`resource must be ${resource}`);
          return { scope: SCOPE, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: ACCESS_TOKEN_S };
        },
      },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    extraClientMetadata: {
      properties: [AUTH_METHODS],
      validator: (_context, _name, _value, metadata: ClientMetadata) => {
        const refused = adaptClient(metadata as AllClientMetadata);
        if (refused !== null) throw new errors.InvalidClientMetadata(refused);
      },
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
    // Through the client that refuses private addresses. Redirects are not followed.
    fetch: async (url) => {
      const response = await clientDocuments.fetch(String(url), {
        ...DOCUMENT,
        headers: { accept: 'application/json' },
      });
      if (response.status === 200)
        return new Response(new Uint8Array(await response.bytes()), { headers: cacheOf(response.headers) });
      response.discard();
      return new Response(null, { status: 502 });
    },
  };

  const provider = new OidcProvider(config.siteUrl, configuration);
  provider.proxy = true;
  provider.on('server_error', (_context, error) => logger.error({ err: error }, 'authorization server failed'));
  return provider;
}

/** Headers that decide how long a document is retained. */
const cacheOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    ['cache-control', 'expires'].flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
