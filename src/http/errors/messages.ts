import { type ApiError, ERRORS, type ErrorCode, type ErrorDetails } from '#domain/errors.ts';
import { redactKeys } from '#observability/redact.ts';

/** The message of each code, unless the error has its own. */
export const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  invalid_value: 'A parameter has a value that is not accepted.',
  missing_parameter: 'A required parameter is missing.',
  unknown_parameter: 'This endpoint has no such parameter.',
  invalid_body: 'The request body is not what this endpoint takes.',
  unknown_city: 'This city is not covered. GET /cities lists those that are.',
  result_window_exceeded:
    "This page lies beyond the plan's paging depth. Narrow the filters, or sync with sort=modified_asc and modified_since.",
  limit_reached: 'An account limit is at its maximum.',
  invalid_cursor:
    'The cursor is malformed, edited, or from a query with other filters or another sort. Start again without it.',
  missing_api_key: 'Send your API key as `Authorization: Bearer <API_KEY>`.',
  invalid_api_key: 'No such API key.',
  revoked_api_key: 'This API key has been revoked.',
  expired_api_key: 'This API key has expired.',
  api_key_in_query:
    'An API key was sent in the URL, where logs keep it. Rotate it, and send the new one in the Authorization header.',
  scope_not_in_plan: 'Your plan does not include this API.',
  scope_not_in_key: 'This key is not allowed to call this API.',
  admin_key_required: 'This endpoint needs an admin key (svc_admin_...).',
  admin_key_not_allowed: 'An admin key reaches only /v1/organization. Use a data key here.',
  forbidden_action: 'Your role does not allow this.',
  cr_outside_allowlist: 'This commercial registration is not on the allowlist.',
  ip_not_allowed: "Calls from this address are not on your organization's IP allowlist.",
  client_suspended: 'This account is suspended.',
  client_expired: "This account's term has ended.",
  not_found: 'No such resource.',
  city_not_found: 'No such city. GET /cities lists those covered.',
  route_not_found: 'No such endpoint. GET /v1/openapi.json lists them.',
  listing_not_found: 'No live listing has this id.',
  neighborhood_not_found: 'No such neighborhood in this city.',
  project_not_found: 'No such off-plan project.',
  period_not_found: 'The source has no data for this period.',
  release_not_found: 'No published index release matches.',
  export_not_found: 'Your organization has no export with this id.',
  method_not_allowed: 'This path does not take this method. The Allow header lists those it takes.',
  conflict: 'The current state of the resource rules this out.',
  idempotency_key_reuse: 'This Idempotency-Key was used with a different body. Use a new key for a new request.',
  key_limit: 'The plan allows no more active keys. Revoke one first.',
  project_limit: 'The plan allows no more projects.',
  name_taken: 'This name is taken.',
  export_limit: 'Too many exports are running or were created today.',
  rate_limited: 'The per-minute unit rate is exceeded. Wait as many seconds as Retry-After says.',
  monthly_quota_exceeded: 'The monthly quota is spent. It resets at the start of the next UTC month.',
  spend_cap_reached: 'Extra usage has reached the monthly spend cap. An owner can raise it.',
  project_cap_exceeded: "The key's project has reached its monthly unit cap.",
  internal_error: 'Something went wrong on our side. Retry with exponential backoff.',
};

/** The message that the caller gets. */
export const messageOf = (error: ApiError): string => error.explanation ?? MESSAGES[error.code];

export interface ErrorBody {
  error: {
    type: string;
    code: ErrorCode;
    message: string;
    param: string | null;
    request_id: string;
    doc_url: string;
    details?: ErrorDetails;
  };
}

/** The one rendering of an error. */
export function errorBody(error: ApiError, requestId: string, docsUrl: string): ErrorBody {
  return {
    error: {
      type: ERRORS[error.code].type,
      code: error.code,
      // What the caller sent may be repeated here, but never a key.
      message: redactKeys(messageOf(error)),
      param: error.param === null ? null : redactKeys(error.param),
      request_id: requestId,
      doc_url: `${docsUrl}#${error.code}`,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  };
}
