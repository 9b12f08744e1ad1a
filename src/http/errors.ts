/**
 * Every error the service answers with: the spec's table as data. `message` is the default for the code; a thrower
 * may say it better. Codes are never renamed.
 */
export const ERRORS = {
  invalid_value: { status: 400, type: 'invalid_request', message: 'A parameter has a value that is not accepted.' },
  missing_parameter: { status: 400, type: 'invalid_request', message: 'A required parameter is missing.' },
  unknown_parameter: { status: 400, type: 'invalid_request', message: 'This endpoint has no such parameter.' },
  invalid_body: { status: 400, type: 'invalid_request', message: 'The request body is not what this endpoint takes.' },
  unknown_city: {
    status: 400,
    type: 'invalid_request',
    message: 'This city is not covered. GET /cities lists those that are.',
  },
  result_window_exceeded: {
    status: 400,
    type: 'invalid_request',
    message:
      "This page lies beyond the plan's paging depth. Narrow the filters, or sync with sort=updated_asc and updated_since.",
  },
  limit_reached: { status: 400, type: 'invalid_request', message: 'An account limit is at its maximum.' },
  invalid_cursor: {
    status: 400,
    type: 'invalid_request',
    message:
      'The cursor is malformed, edited, or from a query with other filters or another sort. Start again without it.',
  },
  missing_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'Send your API key as `Authorization: Bearer <API_KEY>`.',
  },
  invalid_api_key: { status: 401, type: 'authentication_error', message: 'No such API key.' },
  revoked_api_key: { status: 401, type: 'authentication_error', message: 'This API key has been revoked.' },
  expired_api_key: { status: 401, type: 'authentication_error', message: 'This API key has expired.' },
  api_key_in_query: {
    status: 401,
    type: 'authentication_error',
    message:
      'An API key was sent in the URL, where logs keep it. Rotate it, and send the new one in the Authorization header.',
  },
  scope_not_in_plan: { status: 403, type: 'permission_error', message: 'Your plan does not include this API.' },
  scope_not_in_key: { status: 403, type: 'permission_error', message: 'This key is not allowed to call this API.' },
  admin_key_required: {
    status: 403,
    type: 'permission_error',
    message: 'This endpoint needs an admin key (svc_admin_...).',
  },
  admin_key_not_allowed: {
    status: 403,
    type: 'permission_error',
    message: 'An admin key reaches only /v1/organization. Use a data key here.',
  },
  forbidden_action: { status: 403, type: 'permission_error', message: 'Your role does not allow this.' },
  cr_outside_allowlist: {
    status: 403,
    type: 'permission_error',
    message: 'This commercial registration is not on the allowlist.',
  },
  ip_not_allowed: {
    status: 403,
    type: 'permission_error',
    message: "Calls from this address are not on your organization's IP allowlist.",
  },
  client_suspended: { status: 403, type: 'permission_error', message: 'This account is suspended.' },
  client_expired: { status: 403, type: 'permission_error', message: "This account's term has ended." },
  not_found: { status: 404, type: 'not_found', message: 'No such resource.' },
  city_not_found: { status: 404, type: 'not_found', message: 'No such city. GET /cities lists those covered.' },
  route_not_found: { status: 404, type: 'not_found', message: 'No such endpoint. GET /v1/openapi.json lists them.' },
  listing_not_found: { status: 404, type: 'not_found', message: 'No live listing has this id.' },
  neighborhood_not_found: { status: 404, type: 'not_found', message: 'No such neighborhood in this city.' },
  project_not_found: { status: 404, type: 'not_found', message: 'No such off-plan project.' },
  period_not_found: { status: 404, type: 'not_found', message: 'The source has no data for this period.' },
  release_not_found: { status: 404, type: 'not_found', message: 'No published index release matches.' },
  export_not_found: { status: 404, type: 'not_found', message: 'Your organization has no export with this id.' },
  method_not_allowed: {
    status: 405,
    type: 'method_not_allowed',
    message: 'This path does not take this method. The Allow header lists those it takes.',
  },
  conflict: { status: 409, type: 'conflict', message: 'The current state of the resource rules this out.' },
  idempotency_key_reuse: {
    status: 409,
    type: 'conflict',
    message: 'This Idempotency-Key was used with a different body. Use a new key for a new request.',
  },
  key_limit: { status: 409, type: 'conflict', message: 'The plan allows no more active keys. Revoke one first.' },
  project_limit: { status: 409, type: 'conflict', message: 'The plan allows no more projects.' },
  name_taken: { status: 409, type: 'conflict', message: 'This name is taken.' },
  export_limit: { status: 409, type: 'conflict', message: 'Too many exports are running or were created today.' },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    message: 'The per-minute unit rate is exceeded. Wait as many seconds as Retry-After says.',
  },
  monthly_quota_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: 'The monthly quota is spent. It resets at the start of the next UTC month.',
  },
  spend_cap_reached: {
    status: 429,
    type: 'rate_limit_error',
    message: 'Extra usage has reached the monthly spend cap. An owner can raise it.',
  },
  project_cap_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: "The key's project has reached its monthly unit cap.",
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    message: 'Something went wrong on our side. Retry with exponential backoff.',
  },
} as const satisfies Record<string, { status: number; type: string; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

export interface ApiErrorOptions {
  message?: string;
  /** The parameter at fault. */
  param?: string | null;
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Only for `internal_error`: 503 where a store is known to be away. */
  status?: number;
  cause?: unknown;
}

/** An error whose code, message and details are for the caller's eyes; `cause` is for the log only. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly param: string | null;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? ERRORS[code].status;
    this.param = options.param ?? null;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

export interface ErrorBody {
  error: {
    type: string;
    code: ErrorCode;
    message: string;
    param: string | null;
    request_id: string;
    doc_url: string;
    details?: Record<string, unknown>;
  };
}

/** The one rendering of an error. */
export function errorBody(error: ApiError, requestId: string, docsUrl: string): ErrorBody {
  return {
    error: {
      type: ERRORS[error.code].type,
      code: error.code,
      message: error.message,
      param: error.param,
      request_id: requestId,
      doc_url: `${docsUrl}#${error.code}`,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  };
}
