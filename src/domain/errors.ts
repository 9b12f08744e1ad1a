import type { JsonSchema, ValueOf } from './json-schema.ts';

/** All error codes with HTTP status and type. Codes are never renamed. */
export const ERRORS = {
  invalid_value: { status: 400, type: 'invalid_request' },
  missing_parameter: { status: 400, type: 'invalid_request' },
  unknown_parameter: { status: 400, type: 'invalid_request' },
  invalid_body: { status: 400, type: 'invalid_request' },
  unknown_city: { status: 400, type: 'invalid_request' },
  result_window_exceeded: { status: 400, type: 'invalid_request' },
  limit_reached: { status: 400, type: 'invalid_request' },
  invalid_cursor: { status: 400, type: 'invalid_request' },
  missing_api_key: { status: 401, type: 'authentication_error' },
  invalid_api_key: { status: 401, type: 'authentication_error' },
  revoked_api_key: { status: 401, type: 'authentication_error' },
  expired_api_key: { status: 401, type: 'authentication_error' },
  api_key_in_query: { status: 401, type: 'authentication_error' },
  scope_not_in_plan: { status: 403, type: 'permission_error' },
  scope_not_in_key: { status: 403, type: 'permission_error' },
  admin_key_required: { status: 403, type: 'permission_error' },
  admin_key_not_allowed: { status: 403, type: 'permission_error' },
  forbidden_action: { status: 403, type: 'permission_error' },
  cr_outside_allowlist: { status: 403, type: 'permission_error' },
  ip_not_allowed: { status: 403, type: 'permission_error' },
  client_suspended: { status: 403, type: 'permission_error' },
  client_expired: { status: 403, type: 'permission_error' },
  not_found: { status: 404, type: 'not_found' },
  city_not_found: { status: 404, type: 'not_found' },
  route_not_found: { status: 404, type: 'not_found' },
  listing_not_found: { status: 404, type: 'not_found' },
  neighborhood_not_found: { status: 404, type: 'not_found' },
  project_not_found: { status: 404, type: 'not_found' },
  period_not_found: { status: 404, type: 'not_found' },
  release_not_found: { status: 404, type: 'not_found' },
  export_not_found: { status: 404, type: 'not_found' },
  method_not_allowed: { status: 405, type: 'method_not_allowed' },
  conflict: { status: 409, type: 'conflict' },
  idempotency_key_reuse: { status: 409, type: 'conflict' },
  key_limit: { status: 409, type: 'conflict' },
  project_limit: { status: 409, type: 'conflict' },
  name_taken: { status: 409, type: 'conflict' },
  export_limit: { status: 409, type: 'conflict' },
  rate_limited: { status: 429, type: 'rate_limit_error' },
  monthly_quota_exceeded: { status: 429, type: 'rate_limit_error' },
  spend_cap_reached: { status: 429, type: 'rate_limit_error' },
  project_cap_exceeded: { status: 429, type: 'rate_limit_error' },
  internal_error: { status: 500, type: 'api_error' },
} as const satisfies Record<string, { status: number; type: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** The fields that `details` may contain. To add a field, add a row. */
export const ERROR_DETAILS = {
  available_periods: { type: 'array', items: { type: 'string' } },
  available_releases: { type: 'array', items: { type: 'string' } },
  limit: { type: 'integer' },
  per: { type: 'string', enum: ['concurrent', 'day'] },
  paging_depth: { type: 'integer' },
} as const satisfies Record<string, JsonSchema>;

export type ErrorDetails = { readonly [Name in keyof typeof ERROR_DETAILS]?: ValueOf<(typeof ERROR_DETAILS)[Name]> };

export interface RequestErrorOptions {
  message?: string;
  /** Name of the invalid parameter. */
  param?: string | null;
  details?: ErrorDetails;
  /** Seconds after which a retry may succeed. */
  retryAfterS?: number;
  cause?: unknown;
}

/** An error with a documented code. Code, message and details are sent to the client; `cause` is only logged. */
export class RequestError extends Error {
  readonly code: ErrorCode;
  /** Replaces the error code's default message; null for the default. */
  readonly explanation: string | null;
  readonly param: string | null;
  readonly details: ErrorDetails | undefined;
  readonly retryAfterS: number | undefined;

  constructor(code: ErrorCode, options: RequestErrorOptions = {}) {
    super(options.message ?? code, { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.explanation = options.message ?? null;
    this.param = options.param ?? null;
    this.details = options.details;
    this.retryAfterS = options.retryAfterS;
  }
}
