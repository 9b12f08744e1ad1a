import type { RequestListener } from 'node:http';
import { inject } from 'light-my-request';
import { LRUCache } from 'lru-cache';
import type { Interaction, Provider } from 'oidc-provider';
import { requireVisitorLimit } from '#src/accounts/sending-limits.ts';
import { readText } from '#src/http/body/form.ts';
import type { HttpContext, HttpMiddleware } from '#src/http/context.ts';
import { respondToPreflight } from '#src/http/cross-origin.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { enforceRateLimit } from '#src/http/limits/enforce-rate-limit.ts';
import type { CallerLimits } from '#src/metering/limits.ts';
import { networkOf, RateLimit } from '#src/metering/rate-limit.ts';
import type { Services } from '#src/services.ts';
import type { Session } from '#src/sign-in/sign-in.ts';
import {
  connectionTargets,
  createConnection,
  exchangeToken,
  listConnections,
  retainClient,
  revokeConnection,
} from './assistants.ts';
import { type DescribedClient, describeClient, formActionOf } from './clients.ts';
import { challengeOf, metadataDocuments, PATHS, resourceOf, SCOPE } from './metadata.ts';
import { cookieNames, createProvider, GRANT_S, type ProviderServices } from './provider.ts';

const MAX_KNOWN_TOKENS = 20_000;
const DAY_S = 86_400;
/** For tokens, by address. Hosted assistants have many users at each of their addresses. */
const REQUESTS_PER_MINUTE = 600;
/** An access token of this server. Keys have a prefix. */
const TOKEN = /^Bearer +([\w-]{43}) *$/i;
const FORMS: readonly string[] = [PATHS.token, PATHS.revoke];

/** What a person decides about, in the browser that the client has opened. */
export interface ConsentRequest {
  id: string;
  client: DescribedClient;
  /** Source of `form-action` for the redirect to the client. */
  formAction: string;
}

/** A redirect, or the error that the person sees, because the client is unknown. */
export type Authorization = { location: string } | { error: string; description: string; status: number };

export type Oauth = ReturnType<typeof createOauth>;
type OauthServices = ProviderServices & Pick<Services, 'clock'>;

/** The authorization server for `/mcp` (ADR 32). The site serves the consent. */
export function createOauth(services: OauthServices, limits: Pick<CallerLimits, 'unknownKeys' | 'pageViews'>) {
  const { pool, config, clock, random } = services;
  const documents = metadataDocuments(config);
  const resource = resourceOf(config);
  const site = new URL(config.siteUrl);
  const cookies = cookieNames(config.siteUrl);
  let opened: Promise<{ provider: Provider; listener: RequestListener }> | undefined;

  function open() {
    opened ??= createProvider(services).then((provider) => ({ provider, listener: provider.callback() }));
    // The next request tries again.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  }

  /**
   * The package receives a request of its own, whose URL and headers come from the configuration, so that no header of
   * the caller reaches the addresses that it states.
   */
  async function send(context: HttpContext, url: string, payload?: { type: string; text: string }) {
    const { listener } = await open();
    return inject(listener, {
      method: context.method === 'POST' ? 'POST' : 'GET',
      url,
      headers: {
        host: site.host,
        'x-forwarded-proto': site.protocol.slice(0, -1),
        cookie: context.get('Cookie'),
        'accept-language': context.get('Accept-Language'),
        ...(payload && { 'content-type': payload.type }),
      },
      ...(payload && { payload: payload.text }),
      remoteAddress: context.state.ip ?? 'unknown',
    });
  }

  const requests = new RateLimit(REQUESTS_PER_MINUTE);

  /** Endpoints that clients call, from pages of other origins too. */
  async function serveEndpoint(context: HttpContext): Promise<void> {
    if (context.method !== 'POST') throw new ApiError('method_not_allowed', { headers: { Allow: 'POST, OPTIONS' } });
    const { ip = null } = context.state;
    await enforceRateLimit(requests.wait(ip), 'Too many requests for tokens from your address.');
    requests.take(ip);
    const text = await readText(context);
    const isForm = FORMS.includes(context.path);
    if (!isForm) await limitRegistration(context, text);
    const response = await send(context, context.path, {
      type: isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      text: isForm ? withoutScope(text) : text,
    });
    context.set('Content-Type', String(response.headers['content-type'] ?? 'application/json; charset=utf-8'));
    context.set('Cache-Control', 'no-store');
    context.body = response.payload;
    context.status = response.statusCode;
  }

  /** All users of a hosted assistant share its addresses, so that each host of redirects has its own limit. */
  function limitRegistration({ state: { ip = null } }: HttpContext, text: string): Promise<void> {
    const [redirect] = [parseObject(text).redirect_uris].flat();
    const host = URL.parse(String(redirect))?.host ?? '';
    return requireVisitorLimit(pool, 'registration_network', `${networkOf(ip)} ${host}`, new Date(clock.now()));
  }

  const known = new LRUCache<string, true>({ max: MAX_KNOWN_TOKENS });

  /** @throws ApiError invalid_api_key, so that the client refreshes or signs in again; rate_limited */
  async function exchange(context: HttpContext, token: string): Promise<void> {
    const { ip = null } = context.state;
    // Users of a hosted assistant share its addresses: guesses do not disturb those who are connected.
    if (!known.has(token))
      await enforceRateLimit(limits.unknownKeys.wait(ip), 'Too many unknown tokens from your address.');
    const exchanged = await exchangeToken(pool, token, resource);
    if (exchanged) known.set(token, true);
    else limits.unknownKeys.take(ip);
    if (exchanged?.isValid) {
      context.state.internalKey = { keyHash: exchanged.keyHash };
      return;
    }
    throw new ApiError('invalid_api_key', {
      message: 'The access token is unknown, expired or revoked. Refresh it, or connect the assistant again.',
      headers: { 'WWW-Authenticate': challengeOf(config, 'invalid_token') },
    });
  }

  /** Exchanges tokens for the key of their connection, and adds the challenge to each 401. */
  async function serveMcp(context: HttpContext, next: () => Promise<unknown>): Promise<void> {
    const token = TOKEN.exec(context.get('Authorization'))?.[1];
    if (token !== undefined && context.method === 'POST') await exchange(context, token);
    try {
      await next();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) error.headers['WWW-Authenticate'] = challengeOf(config);
      throw error;
    }
    if (context.status === 401) context.set('WWW-Authenticate', challengeOf(config));
  }

  const serve: HttpMiddleware = async (context, next) => {
    const { path, method } = context;
    if (path === '/mcp') return serveMcp(context, next);
    const document = documents[path];
    const isEndpoint = FORMS.includes(path) || path === PATHS.register;
    if (!document && !isEndpoint) return next();
    if (method === 'OPTIONS') {
      respondToPreflight(context, [document ? 'GET' : 'POST', 'OPTIONS']);
      context.append('Access-Control-Allow-Headers', 'Mcp-Protocol-Version');
      return;
    }
    if (!document) return serveEndpoint(context);
    if (method !== 'GET' && method !== 'HEAD')
      throw new ApiError('method_not_allowed', { headers: { Allow: 'GET, HEAD, OPTIONS' } });
    context.set('Content-Type', 'application/json; charset=utf-8');
    context.set('Cache-Control', 'public, max-age=300');
    context.body = JSON.stringify(document);
  };

  /** The interaction of this browser; null if it has expired, or another has replaced it. */
  async function findInteraction(context: HttpContext, id: string): Promise<Interaction | null> {
    if (context.cookies.get(cookies.interaction) !== id) return null;
    const { provider } = await open();
    const interaction = await provider.Interaction.find(id);
    return interaction?.result ? null : (interaction ?? null);
  }

  async function finish(interaction: Interaction, result: Interaction['result']): Promise<string> {
    interaction.result = result;
    await interaction.persist();
    return interaction.returnTo;
  }

  return {
    serve,

    /** The page that a client opens, and the path to which the consent returns. */
    async authorize(context: HttpContext): Promise<Authorization> {
      const query = new URLSearchParams(context.querystring);
      if (context.path === PATHS.authorize) {
        // There is one scope, and clients request none, their own, or those of other services.
        query.set('scope', SCOPE);
        query.delete('response_mode');
        const { ip = null } = context.state;
        await enforceRateLimit(limits.pageViews.wait(ip), 'Too many connections were started from your address.');
        limits.pageViews.take(ip);
      }
      const response = await send(context, `${context.path}?${query}`);
      const { location, 'set-cookie': set = [] } = response.headers;
      const own = [set].flat().filter((each) => !each.startsWith(`${cookies.session}=`));
      if (own.length > 0) context.set('Set-Cookie', own);
      if (location !== undefined) return { location };
      const { error = 'server_error', error_description = '' } = parseObject(response.payload);
      return { error, description: error_description, status: response.statusCode };
    },

    /** Null if the request has expired or belongs to another browser. */
    async readRequest(context: HttpContext, id: string): Promise<ConsentRequest | null> {
      const interaction = await findInteraction(context, id);
      if (!interaction) return null;
      const { provider } = await open();
      const { client_id, redirect_uri } = interaction.params as { client_id: string; redirect_uri: string };
      const found = await provider.Client.find(client_id).catch(() => undefined);
      if (!found) return null;
      const client = describeClient(client_id, found.clientName, redirect_uri);
      return { id, client, formAction: formActionOf(redirect_uri) };
    },

    targets: (session: Session) => connectionTargets(pool, session),

    /**
     * Connects the client to the organization that the session has chosen.
     * @returns where the browser continues; null if the request has expired
     * @throws RequestError forbidden_action, not_found (project)
     */
    async approve(
      context: HttpContext,
      request: ConsentRequest,
      session: Session,
      choice: { project: string | null; withExports: boolean },
    ): Promise<string | null> {
      const interaction = await findInteraction(context, request.id);
      if (!interaction) return null;
      const { provider } = await open();
      const { client } = request;
      const accountId = session.person.id;
      const grant = new provider.Grant({ accountId, clientId: client.id });
      grant.addResourceScope(resource, SCOPE);
      // The package also requires it as a scope of its own, where clients register it.
      grant.addOIDCScope(SCOPE);
      const grantId = await grant.save();
      const { requestId } = context.state;
      const now = clock.now();
      await createConnection(services, session, grantId, { client, ...choice }, { now, requestId }).catch(
        async (error: unknown) => {
          await grant.destroy();
          throw error;
        },
      );
      await retainClient(pool, client.id, GRANT_S + DAY_S);
      return finish(interaction, { login: { accountId }, consent: { grantId } });
    },

    /** @returns where the browser continues; null if the request has expired */
    async deny(context: HttpContext, request: ConsentRequest): Promise<string | null> {
      const interaction = await findInteraction(context, request.id);
      const error_description = 'The person refused the connection.';
      return interaction && finish(interaction, { error: 'access_denied', error_description });
    },

    /** Of the session's member; for owners and admins, of all members of the organization. */
    connections: (session: Session) => listConnections(pool, session, clock.now()),
    /** @throws RequestError not_found */
    revoke: (session: Session, id: string, requestId: string) =>
      revokeConnection({ pool, random }, session, id, requestId),
  };
}

/** A refresh with other scopes than the one of the connection would be refused. */
function withoutScope(form: string): string {
  const fields = new URLSearchParams(form);
  fields.delete('scope');
  return String(fields);
}

function parseObject(text: string): { error?: string; error_description?: string; redirect_uris?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
