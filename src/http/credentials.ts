import { ERRORS } from '#domain/errors.ts';
import { markExposed } from '#src/accounts/key-store.ts';
import { findKeys, hashKey } from '#src/accounts/keys.ts';
import type { CallerLimits } from '#src/metering/limits.ts';
import type { Services } from '#src/services.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import { type HttpContext, type HttpMiddleware, INTERNAL_KEY } from './context.ts';
import { ApiError } from './errors/api-error.ts';

/**
 * Logs and browser histories store URLs, so a key in one is exposed even if the path requires none.
 * @throws ApiError api_key_in_query
 */
export function refuseKeysInUrl(services: Services, limits: CallerLimits): HttpMiddleware {
  return async (context, next) => {
    // Browsers ignore the body of a preflight response.
    const exposed = context.method === 'OPTIONS' ? null : findKeysInUrl(context);
    if (!exposed) return next();
    await expose(services, limits, context, exposed.keys);
    throw new ApiError('api_key_in_query', { param: exposed.param });
  };
}

/** `param` is null if the key is in the path or in a name, which the error must not repeat. */
function findKeysInUrl({ url, path, querystring }: HttpContext) {
  // Every key without escapes contains the prefix `svc_`.
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

/** Decodes ASCII escapes in a path, even if other escapes are malformed. */
const unescaped = (path: string): string =>
  path.replace(/%([0-7][0-9a-f])/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Marks the keys that exist for rotation, with an audit event, unless the address is over its limit. */
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
  const actor = { type: 'system', id: null, requestId } as const;
  const peppers = { pepper: config.keyPepper, oldPepper: config.oldKeyPepper };
  await inTransaction(pool, (db) => markExposed({ db, random, actor }, peppers, keys)).catch((error: unknown) =>
    logger.error({ err: error, request_id: requestId }, 'exposed keys not marked for rotation'),
  );
}

export interface Credential {
  keyHash: Buffer;
  /** To rehash a key that is stored under the old pepper. Null for keys without a secret. */
  secret: string | null;
}

/**
 * Several keys count as exposed, because the client sends keys where they do not belong.
 * @throws ApiError missing_api_key, invalid_api_key
 */
export async function readKey(services: Services, limits: CallerLimits, context: HttpContext): Promise<Credential> {
  const { internalKey } = context.state;
  if (internalKey) return { keyHash: internalKey.keyHash, secret: null };
  if (context.get(INTERNAL_KEY) !== '') throw new ApiError('invalid_api_key');
  const authorization = context.get('Authorization');
  const keys = findKeys(authorizationLines(context).join('\n'));
  const match = /^Bearer +(\S+) *$/i.exec(authorization);
  const [key] = keys;
  if (key !== undefined && keys.length === 1 && key === match?.[1])
    return { keyHash: hashKey(key, services.config.keyPepper), secret: key };
  if (keys.length > 1) await expose(services, limits, context, keys);
  // A bearer token that is no key is invalid, not missing.
  if (/^Bearer +\S/i.test(authorization))
    throw new ApiError('invalid_api_key', { message: explainMalformedKey(match?.[1]) });
  throw new ApiError('missing_api_key', { message: explainMissingKey(context, authorization, services.config) });
}

function explainMalformedKey(text: string | undefined): string {
  if (text === undefined || findKeys(text).length > 0)
    return `\`Authorization\` must contain exactly one API key after \`Bearer\`. ${SEND_KEY}`;
  if (/^svc_(live|test|admin)_/.test(text))
    return 'No API key matches: the key is mistyped or incomplete. Copy it again.';
  return 'No API key matches. API keys begin with `svc_live_`, `svc_test_` or `svc_admin_`.';
}

const SEND_KEY = ERRORS.missing_api_key.en.message;
/** Headers in which other APIs accept keys. */
const OTHER_HEADERS = ['X-Api-Key', 'Api-Key', 'X-Api-Token', 'X-Auth-Token', 'X-Access-Token', 'Apikey'];

function explainMissingKey(context: HttpContext, authorization: string, config: Services['config']): string {
  if (authorization !== '') return `\`Authorization\` must begin with \`Bearer\`. ${SEND_KEY}`;
  const other = OTHER_HEADERS.find((name) => context.get(name) !== '');
  if (other !== undefined) return `The header \`${other}\` is ignored. ${SEND_KEY}`;
  const { siteUrl, hasSite, hasSelfService } = config;
  const trial = `No key? \`POST ${siteUrl}/trial-keys\` returns a trial key, and ${siteUrl}/sign-up opens an account (${siteUrl}/auth.md).`;
  return hasSite && hasSelfService ? `${SEND_KEY} ${trial}` : SEND_KEY;
}

/** Node's `headers` contains only the first `Authorization` header. */
function authorizationLines({ req: { rawHeaders } }: HttpContext): string[] {
  const lines: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'authorization') lines.push(rawHeaders[at + 1] ?? '');
  return lines;
}
