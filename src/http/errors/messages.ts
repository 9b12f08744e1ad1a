import { ERRORS, type ErrorCode } from '#domain/errors.ts';
import { redactKeys } from '#observability/redact.ts';
import type { ApiError } from './api-error.ts';

/** Default messages by error code. */
export const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  invalid_value: 'A parameter has an invalid value.',
  missing_parameter: 'A required parameter is missing.',
  unknown_parameter: 'This endpoint has no parameter with this name.',
  invalid_body: 'The request body does not match the schema of this endpoint.',
  unknown_city: 'This city is not covered. GET /cities lists the covered cities.',
  result_window_exceeded:
    'This page exceeds the paging depth of the plan. Narrow the filters, or sync with sort=modified_asc and modified_since.',
  limit_reached: 'The organization has reached the limit for this resource.',
  invalid_cursor:
    'The cursor is malformed, was modified, or was issued for other filters or another sort order. Start again without `cursor`.',
  missing_api_key: 'Send your API key as `Authorization: Bearer <API_KEY>`.',
  invalid_api_key: 'No API key matches.',
  revoked_api_key: 'This API key has been revoked.',
  expired_api_key: 'This API key has expired.',
  api_key_in_query:
    'An API key was sent in the URL, where logs record it. Rotate it, and send the new key in the Authorization header.',
  scope_not_in_plan: 'Your plan does not include this API.',
  scope_not_in_key: 'This key is not allowed to call this API.',
  admin_key_required: 'This endpoint requires an admin key, which begins with svc_admin_.',
  admin_key_not_allowed: 'Admin keys can call only /v1/organization. Use a data key.',
  forbidden_action: 'Your role does not allow this action.',
  cr_outside_allowlist: 'This commercial registration is not on the allowlist.',
  ip_not_allowed: 'The IP address of the request is not on the allowlist of your organization.',
  client_suspended: 'Your organization is suspended. Contact support.',
  client_expired: 'The term of your organization has ended. Contact support to renew it.',
  not_found: 'No resource has this id.',
  city_not_found: 'No covered city has this slug. GET /cities lists the covered cities.',
  route_not_found: 'No endpoint has this path. GET /v1/openapi.json lists all endpoints.',
  listing_not_found: 'No live listing has this id.',
  neighborhood_not_found: 'No neighborhood of this city has this id.',
  project_not_found: 'No off-plan project has this id.',
  period_not_found: 'The source has no data for this period.',
  release_not_found: 'No published index release matches the request.',
  export_not_found: 'Your organization has no export with this id.',
  method_not_allowed: 'This path does not support this method. The Allow header lists the supported methods.',
  conflict: 'The current state of the resource does not allow this request.',
  idempotency_key_reuse: 'This Idempotency-Key was used with a different body. Use a new key for a new request.',
  key_limit: 'The limit of the plan on active keys is reached. Revoke a key first.',
  project_limit: 'The limit of the plan on projects is reached.',
  name_taken: 'This name is already in use. Choose another name.',
  export_limit:
    'Too many exports are running or were created today. Wait for one to finish, or until the next UTC day.',
  rate_limited:
    'The rate limit in units per minute is exceeded. Retry after the number of seconds in the Retry-After header.',
  monthly_quota_exceeded: 'The monthly quota is used up. It resets at the start of the next UTC month.',
  spend_cap_reached: 'Extra usage has reached the monthly spend cap. An owner can raise the cap.',
  project_cap_exceeded: "The key's project has reached its monthly unit cap.",
  internal_error: 'An internal error occurred. Retry with exponential backoff.',
};

/**
 * Returns the message for the caller: the specific message if the error has one, otherwise the default message of its
 * code.
 */
export const messageOf = (error: ApiError): string => error.explanation ?? MESSAGES[error.code];

/** Renders an error as a response body. */
export function errorBody(error: ApiError, requestId: string, docsUrl: string) {
  return {
    error: {
      type: ERRORS[error.code].type,
      code: error.code,
      // Messages can quote the request but must not contain keys.
      message: redactKeys(messageOf(error)),
      param: error.param === null ? null : redactKeys(error.param),
      request_id: requestId,
      doc_url: `${docsUrl}#${error.code}`,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  };
}
