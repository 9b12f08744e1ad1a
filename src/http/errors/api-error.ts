import { ERRORS, type ErrorCode, RequestError, type RequestErrorOptions } from '#domain/errors.ts';

export interface ApiErrorOptions extends RequestErrorOptions {
  headers?: Record<string, string>;
  /** Only for `internal_error`: 503 if a datastore is unavailable or a capacity limit is reached. */
  status?: number;
}

/** Error response to a refused or failed request, with HTTP status and headers. */
export class ApiError extends RequestError {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(code, options);
    this.status = options.status ?? ERRORS[code].status;
    this.headers = {
      // Some clients discard a 401 response without a challenge (RFC 9110, section 15.5.2).
      ...(this.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      ...(options.retryAfterS === undefined ? {} : { 'Retry-After': String(options.retryAfterS) }),
      ...options.headers,
    };
  }

  static from({ code, explanation, param, details, retryAfterS, cause }: RequestError, status?: number): ApiError {
    return new ApiError(code, { message: explanation ?? undefined, param, details, retryAfterS, status, cause });
  }
}
