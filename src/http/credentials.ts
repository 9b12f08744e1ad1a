import { isWellFormedKey } from '../accounts/keys.ts';
import { ApiError } from './errors.ts';

/**
 * A key in the URL is exposed whatever the endpoint, also one that needs none.
 * @throws ApiError api_key_in_query
 */
export function rejectKeyInQuery(query: URLSearchParams): void {
  if (query.has('api_key')) throw new ApiError('api_key_in_query', { param: 'api_key' });
}

/**
 * The API key of a request, from its Authorization header; one that cannot exist costs no query.
 * @throws ApiError missing_api_key, invalid_api_key
 */
export function readKey(authorization: string): string {
  const match = /^Bearer +(\S+) *$/i.exec(authorization);
  if (match?.[1] && isWellFormedKey(match[1])) return match[1];
  // Something was sent as a bearer key: say that no key matches rather than that none was sent.
  if (/^Bearer +\S/i.test(authorization)) throw new ApiError('invalid_api_key');
  throw new ApiError('missing_api_key');
}
