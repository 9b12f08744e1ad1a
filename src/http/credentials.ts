import { markExposed } from '#accounts/key-store.ts';
import { findKeys } from '#accounts/keys.ts';
import { ApiError } from '#domain/errors.ts';
import { inTransaction } from '#postgres/transaction.ts';
import type { Services } from '#src/services.ts';
import type { HttpContext, HttpMiddleware } from './context.ts';
import { MESSAGES } from './errors/messages.ts';
import type { CallerLimits } from './limits/rate-limit.ts';

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
  const query = new URLSearchParams(querystring);
  const inPath = findKeys(unescaped(path));
  const found = [...query].map(([name, value]) => ({ name, inName: findKeys(name), inValue: findKeys(value) }));
  const keys = [...inPath, ...found.flatMap(({ inName, inValue }) => [...inName, ...inValue])];
  const isNamed = query.has('api_key');
  if (keys.length === 0 && !isNamed) return null;
  if (inPath.length > 0) return { keys, param: null };
  const first = found.find(({ inName, inValue }) => inName.length + inValue.length > 0);
  return { keys, param: isNamed ? 'api_key' : first?.inName.length === 0 ? first.name : null };
}

/** A path with its escapes of ASCII resolved, also one that has broken escapes elsewhere. */
const unescaped = (path: string): string =>
  path.replace(/%([0-7][0-9a-f])/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Marks keys for rotation, and says so in the audits of their organizations. What was invented hides none. */
async function expose(
  services: Services,
  limits: CallerLimits,
  context: HttpContext,
  keys: readonly string[],
): Promise<void> {
  const { ip = null, requestId } = context.state;
  if (keys.length === 0 || limits.exposedKeys.wait(ip) > 0) return;
  limits.exposedKeys.take(ip);
  const { pool, config, random, logger } = services;
  await inTransaction(pool, (db) => markExposed(db, { pepper: config.keyPepper, random }, keys, requestId)).catch(
    (error: unknown) => logger.error({ err: error, request_id: requestId }, 'exposed keys were not marked'),
  );
}

/**
 * The API key of a request, from its Authorization header; one that cannot exist costs no query. A header with more in
 * it than one key, or a second header with another, counts as an exposure: somewhere a program writes the key where it
 * does not belong.
 * @throws ApiError missing_api_key, invalid_api_key
 */
export async function readKey(services: Services, limits: CallerLimits, context: HttpContext): Promise<string> {
  const authorization = context.get('Authorization');
  const keys = findKeys(authorizationLines(context).join('\n'));
  const match = /^Bearer +(\S+) *$/i.exec(authorization);
  const [key] = keys;
  if (key !== undefined && keys.length === 1 && key === match?.[1]) return key;
  if (keys.length > 1) await expose(services, limits, context, keys);
  // Something was sent as a bearer key: the answer is that no key matches, not that none was sent.
  if (/^Bearer +\S/i.test(authorization))
    throw new ApiError('invalid_api_key', { message: explainMalformedKey(match?.[1]) });
  throw new ApiError('missing_api_key', { message: explainMissingKey(context, authorization) });
}

/** What is wrong with the form of a bearer key, without repeating it. */
function explainMalformedKey(text: string | undefined): string {
  if (text === undefined || findKeys(text).length > 0)
    return `\`Authorization\` must have nothing but one API key after \`Bearer\`. ${SEND_KEY}`;
  if (/^svc_(live|test|admin)_/.test(text)) return 'No such API key: it is mistyped or incomplete. Copy it again.';
  return 'No such API key. API keys begin with `svc_live_`, `svc_test_` or `svc_admin_`.';
}

const SEND_KEY = MESSAGES.missing_api_key;
/** Headers in which other services take a key. */
const OTHER_HEADERS = ['X-Api-Key', 'Api-Key', 'X-Api-Token', 'X-Auth-Token', 'X-Access-Token', 'Apikey'];

function explainMissingKey(context: HttpContext, authorization: string): string | undefined {
  if (authorization !== '') return `\`Authorization\` must begin with \`Bearer\`. ${SEND_KEY}`;
  const other = OTHER_HEADERS.find((name) => context.get(name) !== '');
  return other === undefined ? undefined : `The header \`${other}\` is ignored. ${SEND_KEY}`;
}

/** All of them: of several lines Node keeps the first. */
function authorizationLines({ req: { rawHeaders } }: HttpContext): string[] {
  const lines: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'authorization') lines.push(rawHeaders[at + 1] ?? '');
  return lines;
}
