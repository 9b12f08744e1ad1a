import { scopeNotInKey, scopeNotInPlan } from '#accounts/scopes.ts';
import type { RequestError } from '#domain/errors.ts';
import { quote } from '#domain/text/quote.ts';
import type { Refused, RefusedCaller } from '#metering/charge.ts';
import type { DecodedRequest } from '../decode-request.ts';
import type { Endpoint } from '../endpoint.ts';
import { ApiError } from './api-error.ts';
import { type Fault, faultError } from './fault.ts';

export function refusalError(
  refused: Refused,
  { faults, call }: Pick<DecodedRequest, 'faults' | 'call'>,
  endpoint: Endpoint,
): RequestError {
  const { limit } = call.query;
  switch (refused.outcome) {
    case 'invalid_api_key':
      return new ApiError(refused.outcome);
    case 'invalid_request':
      return faultError(endpoint.paged ? faults.map((fault) => withPageSize(fault, refused)) : faults, endpoint);
    case 'page_size_exceeded':
      return faultError(
        [
          ...faults,
          withPageSize({ code: 'invalid_value', param: 'limit', schemaMismatch: true, given: String(limit) }, refused),
        ],
        endpoint,
      );
    case 'result_window_exceeded': {
      const message = `This page exceeds the paging depth of ${refused.paging_depth} ${forWhom(refused)}. Narrow the filters, or sync with sort=modified_asc and modified_since.`;
      return new ApiError(refused.outcome, {
        param: 'cursor',
        message,
        details: { paging_depth: refused.paging_depth },
      });
    }
    case 'scope_not_in_plan':
      return endpoint.scope ? scopeNotInPlan(endpoint.scope, refused.plan) : new ApiError(refused.outcome);
    case 'scope_not_in_key':
      return endpoint.scope ? scopeNotInKey(endpoint.scope, refused.scopes) : new ApiError(refused.outcome);
    case 'rate_limited':
      return limited(
        refused,
        `The rate limit of ${refused.rate_limit} units per minute ${forWhom(refused)} is exceeded${refused.kind === 'test' ? '' : ', which all keys of the organization share'}. Retry after ${retryAfterOf(refused)} seconds.`,
      );
    case 'monthly_quota_exceeded':
      return limited(
        refused,
        `The quota of ${refused.quota_limit} units per month ${forWhom(refused)} is used up. It resets at the start of the next UTC month.`,
      );
    case 'spend_cap_reached':
    case 'project_cap_exceeded':
      return limited(refused);
    default:
      return new ApiError(refused.outcome);
  }
}

/** Test keys have lower limits than the plan. */
const forWhom = ({ kind, plan }: RefusedCaller): string =>
  kind === 'test' ? 'with a test key' : `on the ${plan} plan`;

/** The schema of `limit` contains the maximum over all plans, so its message is replaced. */
function withPageSize(fault: Fault, refused: RefusedCaller): Fault {
  if (fault.param !== 'limit' || !fault.schemaMismatch) return fault;
  const message = () =>
    `\`limit\` must be an integer from 1 to ${refused.page_size} ${forWhom(refused)}, not ${quote(fault.given ?? '')}.`;
  return { ...fault, message };
}

const limited = (refused: RefusedCaller, message?: string): ApiError =>
  new ApiError(refused.outcome as ApiError['code'], {
    ...(message === undefined ? {} : { message }),
    retryAfterS: retryAfterOf(refused),
  });

const retryAfterOf = ({ retry_after }: RefusedCaller): number => Math.max(1, retry_after ?? 1);
