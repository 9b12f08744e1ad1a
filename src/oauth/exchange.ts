import { LRUCache } from 'lru-cache';
import type { HttpContext, HttpMiddleware } from '#src/http/context.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { enforceRateLimit } from '#src/http/limits/enforce-rate-limit.ts';
import type { CallerLimits } from '#src/metering/limits.ts';
import type { Services } from '#src/services.ts';
import { exchangeToken } from './assistants.ts';
import { challengeOf, resourceOf } from './metadata.ts';

const MAX_KNOWN_TOKENS = 20_000;
/** An access token of this server. Keys have a prefix. */
const TOKEN = /^Bearer +([\w-]{43}) *$/i;

/** Before `/mcp`: exchanges a token for the key of its connection, and adds the challenge to each 401. */
export function exchangeTokens(
  { pool, config }: Pick<Services, 'pool' | 'config'>,
  limits: Pick<CallerLimits, 'unknownKeys'>,
): HttpMiddleware {
  const known = new LRUCache<string, true>({ max: MAX_KNOWN_TOKENS });

  /** @throws ApiError invalid_api_key, so that the client refreshes or signs in again; rate_limited */
  async function exchange(context: HttpContext, token: string): Promise<void> {
    const { ip = null } = context.state;
    // Users of a hosted assistant share its addresses: guesses do not affect connected users.
    if (!known.has(token))
      await enforceRateLimit(limits.unknownKeys.wait(ip), 'Too many unknown tokens from your address.');
    const exchanged = await exchangeToken(pool, token, resourceOf(config));
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

  return async (context, next) => {
    if (context.path !== '/mcp') return next();
    const token = TOKEN.exec(context.get('Authorization'))?.[1];
    if (token !== undefined && context.method === 'POST') await exchange(context, token);
    try {
      await next();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) error.headers['WWW-Authenticate'] = challengeOf(config);
      throw error;
    }
    if (context.status === 401) context.set('WWW-Authenticate', challengeOf(config));
  };
}
