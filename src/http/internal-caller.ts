import { hash, timingSafeEqual } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { SCOPES } from '#src/accounts/scopes.ts';
import type { Admitted } from '#src/metering/charge-statement.ts';
import { unitsOf } from '#src/metering/prices.ts';
import { networkOf } from '#src/metering/rate-limit.ts';
import type { Services } from '#src/services.ts';
import { type HttpMiddleware, INTERNAL_KEY, type InternalKey } from './context.ts';
import { dryRunResponse } from './cost-limits.ts';
import type { DecodedRequest } from './decode-request.ts';
import type { Endpoint, EndpointResponse } from './endpoint.ts';
import { ApiError, faultError } from './errors/api-error.ts';
import { runInTurn } from './in-turn.ts';
import { type InjectedRequest, type InjectedResponse, injectRequest } from './inject.ts';
import { pageOf } from './pagination.ts';

/** With the source fields of the Free plan. */
const SITE: Admitted = {
  outcome: null,
  organization_id: 0,
  organization: 'site',
  key_id: 0,
  key: 'site',
  kind: 'live',
  project_id: null,
  plan: 'site',
  scopes: [...SCOPES],
  ip_allowlist: [],
  page_size: 100,
  paging_depth: 100,
  price_history_days: null,
  source_links: false,
  rate_limit: null,
  quota_limit: null,
  units: 0,
  month: 0,
  rate_remaining: null,
  rate_reset: null,
  quota_remaining: null,
  quota_reset: null,
  units_until_refused: null,
  limited_by: null,
  clock: 0,
};

/**
 * The bearer is known only in this process. Its requests without a key are those of the site, which are neither charged nor
 * logged nor limited, because the site limits its visitors. Its requests for a key without a secret name the hash of the
 * key, and are treated like the requests of any key.
 */
export function recognizeInternal(bearer: string): HttpMiddleware {
  const expected = digestOf(`Bearer ${bearer}`);
  return (context, next) => {
    const authorization = context.get('Authorization');
    const isInternal = authorization !== '' && timingSafeEqual(digestOf(authorization), expected);
    const [keyHash, signedInAt] = context.get(INTERNAL_KEY).split(' ');
    context.state.isSite = isInternal && !keyHash;
    if (isInternal && keyHash)
      context.state.internalKey = {
        keyHash: Buffer.from(keyHash, 'base64url'),
        signedInAt: signedInAt === undefined ? undefined : Number(signedInAt),
      };
    return next();
  };
}

/** Headers with which the process calls its own operations for a key without a secret. */
export const internalHeaders = (bearer: string, { keyHash, signedInAt }: InternalKey): Record<string, string> => ({
  authorization: `Bearer ${bearer}`,
  [INTERNAL_KEY.toLowerCase()]: [keyHash.toString('base64url'), signedInAt ?? []].flat().join(' '),
});

/** @param ip address of the person or assistant, which limits and logs state; null if unknown */
export type InternalCall = (key: InternalKey, request: InjectedRequest, ip: string | null) => Promise<InjectedResponse>;

export const createInternalCall =
  (listener: () => RequestListener, bearer: string): InternalCall =>
  (key, request, ip) =>
    injectRequest(listener(), { ...request, headers: { ...request.headers, ...internalHeaders(bearer, key) } }, ip);

/** For a process without API: only its own pages call the operations. Health checks are served. */
export const refuseApi: HttpMiddleware = (context, next) => {
  const { isSite, internalKey } = context.state;
  if (!isSite && !internalKey && /^\/v1(\/|$)/i.test(context.path)) throw new ApiError('route_not_found');
  return next();
};

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/** @param visitor address for which the site calls; null if unknown */
export async function respondToSite(
  services: Services,
  endpoint: Endpoint,
  { call, faults }: DecodedRequest,
  visitor: string | null,
): Promise<EndpointResponse> {
  if (endpoint.audience !== 'data' || endpoint.method !== 'GET') throw new ApiError('admin_key_required');
  if (faults.length > 0) throw faultError(faults, endpoint);
  if (endpoint.load !== undefined && call.query.dry_run === true)
    return dryRunResponse({ maxUnits: unitsOf(endpoint.price, call.query) }, SITE);
  const read = { ...call, requester: { name: networkOf(visitor), isVisitor: true } };
  const charged = { ...read, caller: SITE };
  return runInTurn(services, endpoint, read, async () => {
    if (endpoint.load === undefined) return endpoint.handle(charged);
    const page = pageOf(endpoint, charged);
    return endpoint.present(charged, await endpoint.load(read), page);
  });
}
