import { markExposed } from '#accounts/key-store.ts';
import { findKeys, isWellFormedKey } from '#accounts/keys.ts';
import { ApiError } from '#domain/errors.ts';
import { inTransaction } from '#postgres/transaction.ts';
import type { Services } from '#src/services.ts';
import type { HttpContext, HttpMiddleware } from './context.ts';
import type { CallerLimits } from './hold-up.ts';

/**
 * Refuses a URL that has anything as `api_key`, or a key anywhere: as or in a parameter's value or name, or in the path.
 * Logs and browser histories keep URLs, so the key is exposed on every path, also on one that needs no key.
 * @throws ApiError api_key_in_query
 */
export function refuseKeysInUrl(services: Services, limits: CallerLimits): HttpMiddleware {
  return async (context, next) => {
    // A browser reads no answer to a preflight; the request itself follows.
    const exposed = context.method === 'OPTIONS' ? null : findKeysInUrl(context);
    if (!exposed) return next();
    await expose(services, limits, context, exposed.keys);
    throw new ApiError('api_key_in_query', { param: exposed.param });
  };
}

interface Exposed {
  keys: readonly string[];
  /** Null where it would repeat the key, or is the path. */
  param: string | null;
}

function findKeysInUrl({ url, path, querystring }: HttpContext): Exposed | null {
  // Most URLs can be told from their text: without escapes a key begins with its prefix.
  if (!/svc_|api_key|%/.test(url)) return null;
  const inPath = findKeys(unescaped(path));
  if (inPath.length > 0) return { keys: inPath, param: null };
  const query = new URLSearchParams(querystring);
  if (query.has('api_key')) return { keys: query.getAll('api_key').flatMap(findKeys), param: 'api_key' };
  for (const [name, value] of query) {
    const inName = findKeys(name);
    const keys = [...inName, ...findKeys(value)];
    if (keys.length > 0) return { keys, param: inName.length > 0 ? null : name };
  }
  return null;
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Marks a key for rotation, and says so in its organization's audit. */
async function expose(
  services: Services,
  limits: CallerLimits,
  context: HttpContext,
  keys: readonly string[],
): Promise<void> {
  const [key] = keys;
  const { ip = null, requestId } = context.state;
  if (key === undefined || limits.exposedKeys.wait(ip) > 0) return;
  limits.exposedKeys.take(ip);
  const { pool, config, random, logger } = services;
  await inTransaction(pool, (db) => markExposed(db, { pepper: config.keyPepper, random }, key, requestId)).catch(
    (error: unknown) => logger.error({ err: error, request_id: requestId }, 'an exposed key was not marked'),
  );
}

/**
 * The API key of a request, from its Authorization header; one that cannot exist costs no query. A header with more in
 * it than one key counts as an exposure: somewhere a program writes the key where it does not belong.
 * @throws ApiError missing_api_key, invalid_api_key
 */
export async function readKey(services: Services, limits: CallerLimits, context: HttpContext): Promise<string> {
  const authorization = context.get('Authorization');
  const match = /^Bearer +(\S+) *$/i.exec(authorization);
  if (match?.[1] && isWellFormedKey(match[1])) return match[1];
  const keys = findKeys(authorization);
  if (keys.length > 1) await expose(services, limits, context, keys);
  // Something was sent as a bearer key: the answer is that no key matches, not that none was sent.
  if (/^Bearer +\S/i.test(authorization)) throw new ApiError('invalid_api_key');
  throw new ApiError('missing_api_key');
}
