import { SCOPES } from '#accounts/scopes.ts';
import { ApiError } from '#domain/errors.ts';
import { CallTurn } from '#http/call-turn.ts';
import type { Endpoint, Values } from '#http/endpoint.ts';
import { Prefetch } from '#http/prefetch.ts';
import type { Admitted } from '#metering/charge.ts';
import type { Services } from '#src/services.ts';

/** Who asks when a page is made: nobody's key, no charge, and all that a paying caller sees. */
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

interface PageQuestion {
  path?: Values;
  query?: Values;
  requestId: string;
  /** Of `performance.now()`: one for all that a page asks. */
  deadline: number;
}

/**
 * The `data` of an endpoint's answer, for a page: the same reading and the same presenting as behind the API, so that a
 * page never says anything else. Null where there is no such thing.
 */
export async function ask<Data>(
  services: Services,
  endpoint: Endpoint,
  { path = {}, query = {}, requestId, deadline }: PageQuestion,
): Promise<Data | null> {
  if (endpoint.method !== 'GET' || endpoint.audience !== 'data') throw new Error(`${endpoint.path} is not for pages`);
  // Pages take turns beside organizations, together as one of them.
  const turn = new CallTurn(services.turns, 'site');
  turn.setCharged();
  const call = { path, query, services, now: services.clock.now(), deadline, requestId, cursor: null, requester: turn };
  const prefetch = new Prefetch(endpoint, call);
  try {
    await turn.enter(endpoint, prefetch);
    await turn.begin(deadline);
    const answer = await endpoint.handle({ ...call, caller: SITE }, prefetch.start());
    const body = answer.bytes ? JSON.parse(Buffer.concat(answer.bytes).toString('utf8')) : answer.body;
    answer.free?.();
    return (body as { data: Data }).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  } finally {
    turn.end();
  }
}
