import { markExposed } from '#accounts/key-store.ts';
import { isWellFormedKey } from '#accounts/keys.ts';
import { ApiError } from '#domain/errors.ts';
import { inTransaction } from '#postgres/transaction.ts';
import type { Services } from '#src/services.ts';

/**
 * Refuses a query that has anything as `api_key`, or a key under any other name. Logs and browser histories keep URLs,
 * so the key is exposed on every endpoint, also on one that needs no key. A real key is marked for rotation, and its
 * organization's audit says so.
 * @throws ApiError api_key_in_query
 */
export async function refuseKeysInQuery(query: URLSearchParams, services: Services, requestId: string): Promise<void> {
  const exposed = findKeysInQuery(query);
  if (!exposed) return;
  const key = exposed.values.find(isWellFormedKey);
  if (key) {
    const { pool, config, random, logger } = services;
    await inTransaction(pool, (db) => markExposed(db, { pepper: config.keyPepper, random }, key, requestId)).catch(
      (error: unknown) => logger.error({ err: error, request_id: requestId }, 'an exposed key was not marked'),
    );
  }
  throw new ApiError('api_key_in_query', { param: exposed.param });
}

function findKeysInQuery(query: URLSearchParams): { param: string; values: readonly string[] } | null {
  if (query.has('api_key')) return { param: 'api_key', values: query.getAll('api_key') };
  for (const [param, value] of query) if (isWellFormedKey(value)) return { param, values: [value] };
  return null;
}

/**
 * The API key of a request, from its Authorization header; one that cannot exist costs no query.
 * @throws ApiError missing_api_key, invalid_api_key
 */
export function readKey(authorization: string): string {
  const match = /^Bearer +(\S+) *$/i.exec(authorization);
  if (match?.[1] && isWellFormedKey(match[1])) return match[1];
  // Something was sent as a bearer key: the answer is that no key matches, not that none was sent.
  if (/^Bearer +\S/i.test(authorization)) throw new ApiError('invalid_api_key');
  throw new ApiError('missing_api_key');
}
