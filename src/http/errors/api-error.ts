import { ERRORS, type ErrorCode, errorType, RequestError, type RequestErrorOptions } from '#domain/errors.ts';
import { redactKeys } from '#src/observability/redact.ts';
import type { Endpoint } from '../endpoint.ts';

export interface ApiErrorOptions extends RequestErrorOptions {
  headers?: Record<string, string>;
  /** Only for `internal_error`: 503 if a datastore is unavailable or a capacity limit is reached, 499 if the client has left. */
  status?: number;
}

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
}

export const messageOf = (error: ApiError): string => error.explanation ?? ERRORS[error.code].en.message;

export function errorBody(error: ApiError, requestId: string, docsUrl: string) {
  return {
    error: {
      type: errorType(error.code),
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

export interface Fault {
  code: ErrorCode;
  /** Parameter, or path of the field; null for the body as a whole. */
  param: string | null;
  /** The parameter was sent once, and its value does not match the schema. */
  schemaMismatch?: true;
  /** For messages that depend on the caller's plan. */
  given?: string;
  /** Called only for the reported fault, after authentication. */
  message?: () => string;
  /** Every error of the request states them. */
  unknown?: readonly string[];
}

/** Faults are ordered by the endpoint's parameters, then unknown parameters, then the body. */
export function faultError(faults: readonly Fault[], { pathParameters, parameters }: Endpoint): ApiError {
  const order = new Map([...pathParameters, ...parameters].map(({ name }, index) => [name, index]));
  const position = ({ code, param }: Fault): number =>
    (code === 'invalid_body' ? undefined : order.get(param ?? '')) ?? order.size;
  const [first] = faults.toSorted((a, b) => position(a) - position(b));
  if (!first) return new ApiError('invalid_value');
  const unknown = faults.flatMap((fault) => fault.unknown ?? []).map(redactKeys);
  const details = unknown.length === 0 ? undefined : { unknown };
  return new ApiError(first.code, { param: first.param, message: first.message?.(), details });
}
