import { SCOPES } from '#accounts/scopes.ts';
import { loadDeadline } from '#http/deadlines.ts';
import type { Endpoint, Values } from '#http/endpoint.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { runInTurn } from '#http/in-turn.ts';
import type { Admitted } from '#metering/charge.ts';
import type { Services } from '#src/services.ts';

/**
 * The caller that pages use for endpoints. It has no key, is not charged, and can access everything that paying callers
 * can.
 */
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
  source_links: true,
  rate_limit: null,
  quota_limit: null,
  units: 0,
  month: 0,
  rate_remaining: null,
  rate_reset: null,
  quota_remaining: null,
  quota_reset: null,
  clock: 0,
};

/** All pages together wait in one queue. */
const REQUESTER = { name: 'site' };

/** Returns the properties of a request for a cached aggregation that a page shows. */
export const aggregationRequest = (services: Services) => ({
  services,
  now: services.clock.now(),
  deadline: loadDeadline(services),
  requester: REQUESTER,
});

/** The request of a page, for which several endpoints can be called. */
export interface PageRequest {
  requestId: string;
  /** `performance.now()` timestamp at which all calls for the page time out. */
  deadline: number;
}

/**
 * Calls an endpoint's handler for a page and returns `data` from the response, so that pages never differ from the API.
 * Returns null for a 404 response.
 */
export async function callEndpoint<Data>(
  services: Services,
  endpoint: Endpoint,
  { path = {}, query = {}, requestId, deadline }: PageRequest & { path?: Values; query?: Values },
): Promise<Data | null> {
  if (endpoint.method !== 'GET' || endpoint.audience !== 'data')
    throw new Error(`${endpoint.path} cannot be called for pages`);
  const call = {
    path,
    query,
    services,
    now: services.clock.now(),
    deadline,
    requestId,
    cursor: null,
    requester: REQUESTER,
  };
  const charged = { ...call, caller: SITE };
  try {
    const answer = await runInTurn(services, endpoint, call, async () =>
      endpoint.load ? endpoint.present(charged, await endpoint.load(call)) : endpoint.handle(charged),
    );
    const body = answer.bytes ? JSON.parse(Buffer.concat(answer.bytes).toString('utf8')) : answer.body;
    answer.free?.();
    return (body as { data: Data }).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
