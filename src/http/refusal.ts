import { ApiError } from '#domain/errors.ts';
import type { Refused } from '#metering/charge.ts';
import type { Endpoint } from './endpoint.ts';
import { type Fault, faultError } from './fault.ts';

/** The error that a refused call is answered with, worded with what the plan allows. */
export function refusalError(refused: Refused, faults: readonly Fault[], endpoint: Endpoint): ApiError {
  switch (refused.outcome) {
    case 'invalid_request':
      return faultError(faults, endpoint);
    case 'page_size_exceeded': {
      const message = () => `\`limit\` must be at most ${refused.page_size} on the ${refused.plan} plan.`;
      return faultError([...faults, { code: 'invalid_value', param: 'limit', message }], endpoint);
    }
    case 'result_window_exceeded':
      return new ApiError(refused.outcome, { param: 'cursor', details: { paging_depth: refused.paging_depth } });
    case 'rate_limited':
    case 'monthly_quota_exceeded':
    case 'spend_cap_reached':
    case 'project_cap_exceeded':
      return new ApiError(refused.outcome, {
        headers: { 'Retry-After': String(Math.max(1, refused.retry_after ?? 1)) },
      });
    default:
      return new ApiError(refused.outcome);
  }
}
