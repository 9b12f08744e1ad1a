import { SCOPES } from '#accounts/scopes.ts';
import { internalRequester } from '#domain/search-queues.ts';
import { CallSlot } from '#http/call-slot.ts';
import { requestDeadline } from '#http/deadline.ts';
import type { Endpoint, Values } from '#http/endpoint.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { Prefetch } from '#http/prefetch.ts';
import type { Admitted } from '#metering/charge.ts';
import type { Services } from '#src/services.ts';

/**
 * The caller that pages use for endpoints. It has no key, is not charged, and can access everything that paying callers
 * can.
 */
const SITE: Admitted = {
  outcome: null,
  id: { session: 'site', charge: 0 },
  organization_id: 0,
  organization: 'site',
  key_id: 0,
  key: 'site',
  kind: 'live',
  project_id: null,
  plan: 'site',
  scopes: [...SCOPES],
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
};

/** Returns the properties of a request for a cached aggregation that a page shows. */
export const aggregationRequest = (services: Services) => ({
  services,
  now: services.clock.now(),
  deadline: requestDeadline(services),
  requester: internalRequester('site'),
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
  // In the queue for expensive requests, all pages together count as one organization.
  const slot = new CallSlot(services.searchQueues, 'site');
  slot.setCharged();
  const call = { path, query, services, now: services.clock.now(), deadline, requestId, cursor: null, requester: slot };
  const prefetch = new Prefetch(endpoint, call);
  try {
    await slot.enter(endpoint, prefetch);
    await slot.begin(deadline);
    const answer = await endpoint.handle({ ...call, caller: SITE }, prefetch.start());
    const body = answer.bytes ? JSON.parse(Buffer.concat(answer.bytes).toString('utf8')) : answer.body;
    answer.free?.();
    return (body as { data: Data }).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  } finally {
    slot.end();
  }
}
