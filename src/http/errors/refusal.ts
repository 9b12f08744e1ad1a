import type { RequestError } from '#domain/errors.ts';
import { quote } from '#domain/text/visible.ts';
import { scopeNotInKey, scopeNotInPlan } from '#src/accounts/scopes.ts';
import type { Refusal, RefusedCaller } from '#src/metering/charge-statement.ts';
import type { DecodedRequest } from '../decode-request.ts';
import type { Endpoint } from '../endpoint.ts';
import { ApiError, type Fault, faultError } from './api-error.ts';

export function refusalError(
  refused: Refusal,
  { faults, call }: Pick<DecodedRequest, 'faults' | 'call'>,
  endpoint: Endpoint,
): RequestError {
  const { outcome } = refused;
  switch (outcome) {
    case 'invalid_request': {
      const isOfPlan = ({ param, schemaMismatch }: Fault) => endpoint.sized && param === 'limit' && schemaMismatch;
      return faultError(
        faults.map((fault) => (isOfPlan(fault) ? pageSizeFault(fault.given, refused) : fault)),
        endpoint,
      );
    }
    case 'page_size_exceeded':
      return faultError([...faults, pageSizeFault(`${call.query.limit}`, refused)], endpoint);
    case 'result_window_exceeded': {
      const { paging_depth } = refused;
      const message = `This page exceeds the paging depth of ${paging_depth} ${forWhom(refused)}. Narrow the filters, or sync with sort=modified_asc and modified_since.`;
      return new ApiError(outcome, { param: 'cursor', message, details: { paging_depth } });
    }
    case 'scope_not_in_plan':
      return endpoint.scope ? scopeNotInPlan(endpoint.scope, refused.plan) : new ApiError(outcome);
    case 'scope_not_in_key':
      return endpoint.scope ? scopeNotInKey(endpoint.scope, refused.scopes) : new ApiError(outcome);
    case 'rate_limited':
    case 'monthly_quota_exceeded':
    case 'spend_cap_reached':
    case 'project_cap_exceeded': {
      const retryAfterS = Math.max(1, refused.retry_after ?? 1);
      const shared = refused.kind === 'test' ? '' : ', which all keys of the organization share';
      const messages: Partial<Record<typeof outcome, string>> = {
        rate_limited: `The rate limit of ${refused.rate_limit} units per minute ${forWhom(refused)} is exceeded${shared}. Retry after ${retryAfterS} seconds.`,
        monthly_quota_exceeded: `The quota of ${refused.quota_limit} units per month ${forWhom(refused)} is used up. It resets at the start of the next UTC month.`,
      };
      return new ApiError(outcome, { message: messages[outcome], retryAfterS });
    }
    default:
      return new ApiError(outcome);
  }
}

/** Test keys have lower limits than the plan. */
const forWhom = ({ kind, plan }: RefusedCaller): string =>
  kind === 'test' ? 'with a test key' : `on the ${plan} plan`;

/** The schema of `limit` contains the maximum over all plans, so its message is replaced. */
function pageSizeFault(given = '', refused: RefusedCaller): Fault {
  const message = `\`limit\` must be an integer from 1 to ${refused.page_size} ${forWhom(refused)}, not ${quote(given)}.`;
  return { code: 'invalid_value', param: 'limit', message: () => message };
}
