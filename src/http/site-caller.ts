import { hash, timingSafeEqual } from 'node:crypto';
import { SCOPES } from '#src/accounts/scopes.ts';
import type { Admitted } from '#src/metering/charge-statement.ts';
import { unitsOf } from '#src/metering/prices.ts';
import { networkOf } from '#src/metering/rate-limit.ts';
import type { Services } from '#src/services.ts';
import type { HttpMiddleware } from './context.ts';
import { dryRunResponse } from './cost-limits.ts';
import type { DecodedRequest } from './decode-request.ts';
import type { Endpoint, EndpointResponse } from './endpoint.ts';
import { ApiError, faultError } from './errors/api-error.ts';
import { runInTurn } from './in-turn.ts';
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
 * Requests with the bearer, which only this process knows, are neither charged nor logged nor limited: the site limits
 * its visitors.
 */
export function recognizeSite(bearer: string): HttpMiddleware {
  const expected = digestOf(`Bearer ${bearer}`);
  return (context, next) => {
    const authorization = context.get('Authorization');
    context.state.isSite = authorization !== '' && timingSafeEqual(digestOf(authorization), expected);
    return next();
  };
}

/** For a process without API: only its own pages call the operations. Health checks are served. */
export const refuseApi: HttpMiddleware = (context, next) => {
  if (!context.state.isSite && /^\/v1(\/|$)/i.test(context.path)) throw new ApiError('route_not_found');
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
