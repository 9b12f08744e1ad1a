import { ApiError } from './errors.ts';

/**
 * The API key of a request, from its Authorization header.
 * @throws ApiError missing_api_key, invalid_api_key, or api_key_in_query when one was put in the URL
 */
export function readCredentials(authorization: string, query: URLSearchParams): { key: string } {
  if (query.has('api_key')) throw new ApiError('api_key_in_query', { param: 'api_key' });
  const match = /^Bearer +(\S+) *$/i.exec(authorization);
  if (match?.[1]) return { key: match[1] };
  // Something was sent, only not as a bearer key: say that no key matches rather than that none was sent.
  if (/^Bearer\b/i.test(authorization) && authorization.trim().length > 6) throw new ApiError('invalid_api_key');
  throw new ApiError('missing_api_key');
}
