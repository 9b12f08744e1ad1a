import type { RequestListener } from 'node:http';
import type { Provider } from 'oidc-provider';
import { requireVisitorLimit } from '#src/accounts/sending-limits.ts';
import { readText } from '#src/http/body/form.ts';
import type { HttpContext } from '#src/http/context.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { enforceRateLimit } from '#src/http/limits/enforce-rate-limit.ts';
import type { CallerLimits } from '#src/metering/limits.ts';
import { networkOf, RateLimit } from '#src/metering/rate-limit.ts';
import type { Services } from '#src/services.ts';
import { PATHS, SCOPE } from './metadata.ts';
import { cookieNames, createProvider, type ProviderServices } from './provider.ts';

/** For tokens, by address. Hosted assistants have many users at each of their addresses. */
const REQUESTS_PER_MINUTE = 600;
const FORMS: readonly string[] = [PATHS.token, PATHS.revoke];

/** A redirect, or the error that the person sees, because the client is unknown. */
export type Authorization = { location: string } | { error: string; description: string; status: number };

export type OauthServices = ProviderServices & Pick<Services, 'clock'>;

/**
 * The package receives requests of their own, whose URL and headers come from the configuration, so that no header of a
 * caller reaches the addresses that it states.
 */
export class AuthorizationServer {
  readonly #services: OauthServices;
  readonly #limits: Pick<CallerLimits, 'pageViews'>;
  readonly #requests = new RateLimit(REQUESTS_PER_MINUTE);
  #opened: Promise<{ provider: Provider; listener: RequestListener }> | undefined;

  constructor(services: OauthServices, limits: Pick<CallerLimits, 'pageViews'>) {
    this.#services = services;
    this.#limits = limits;
  }

  async provider(): Promise<Provider> {
    return (await this.#open()).provider;
  }

  #open() {
    this.#opened ??= createProvider(this.#services).then((provider) => ({ provider, listener: provider.callback() }));
    // The next request tries again.
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }

  async #send(context: HttpContext, url: string, payload?: { type: string; text: string }) {
    const { listener } = await this.#open();
    const { inject } = await import('light-my-request');
    const { host, protocol } = new URL(this.#services.config.siteUrl);
    return inject(listener, {
      method: payload ? 'POST' : 'GET',
      url,
      headers: {
        host,
        'x-forwarded-proto': protocol.slice(0, -1),
        cookie: context.get('Cookie'),
        'accept-language': context.get('Accept-Language'),
        ...(payload && { 'content-type': payload.type }),
      },
      ...(payload && { payload: payload.text }),
      remoteAddress: context.state.ip ?? 'unknown',
    });
  }

  /** Endpoints for tokens, revocations and registrations, which pages of other origins may call. */
  async serveEndpoint(context: HttpContext): Promise<void> {
    if (context.method !== 'POST') throw new ApiError('method_not_allowed', { headers: { Allow: 'POST, OPTIONS' } });
    const { ip = null } = context.state;
    await enforceRateLimit(this.#requests.wait(ip), 'Too many requests for tokens from your address.');
    this.#requests.take(ip);
    const text = await readText(context);
    const isForm = FORMS.includes(context.path);
    if (!isForm) await this.#limitRegistration(ip, text);
    const response = await this.#send(context, context.path, {
      type: isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      text: isForm ? withoutScope(text) : text,
    });
    context.set('Content-Type', String(response.headers['content-type'] ?? 'application/json; charset=utf-8'));
    context.set('Cache-Control', 'no-store');
    context.body = response.payload;
    context.status = response.statusCode;
  }

  /** All users of a hosted assistant share its addresses, so that each host of redirects has its own limit. Anyone can name hosts. */
  async #limitRegistration(ip: string | null, text: string): Promise<void> {
    const { pool, clock } = this.#services;
    const [redirect] = [parseObject(text).redirect_uris].flat();
    const host = URL.parse(String(redirect))?.host ?? '';
    const [network, now] = [networkOf(ip), new Date(clock.now())];
    await requireVisitorLimit(pool, 'registration_host', `${network} ${host}`, now);
    await requireVisitorLimit(pool, 'registration_network', network, now);
  }

  /** The page that a client opens, and the path to which the consent returns. */
  async authorize(context: HttpContext): Promise<Authorization> {
    const query = new URLSearchParams(context.querystring);
    if (context.path === PATHS.authorize) {
      const { ip = null } = context.state;
      await enforceRateLimit(this.#limits.pageViews.wait(ip), 'Too many connections were started from your address.');
      this.#limits.pageViews.take(ip);
      // There is one scope, and clients request none, their own, or those of other services.
      query.set('scope', SCOPE);
      query.delete('response_mode');
    }
    const response = await this.#send(context, `${context.path}?${query}`);
    const { location, 'set-cookie': set = [] } = response.headers;
    const { session } = cookieNames(this.#services.config.siteUrl);
    const own = [set].flat().filter((each) => !each.startsWith(`${session}=`));
    if (own.length > 0) context.set('Set-Cookie', own);
    if (location !== undefined) return { location };
    const { error = 'server_error', error_description = '' } = parseObject(response.payload);
    return { error, description: error_description, status: response.statusCode };
  }
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
