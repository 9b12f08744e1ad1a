import errors from './errors.json' with { type: 'json' };
import type { JsonSchema, ValueOf } from './json-schema.ts';
import { component } from './json-schema.ts';
import { GONE_REASONS, GONE_STATES } from './listings/changes.ts';

const TYPES = {
  400: 'invalid_request',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'invalid_request',
  409: 'conflict',
  429: 'rate_limit_error',
  500: 'api_error',
} as const;

interface ErrorTexts {
  /** Default message, and the description in the OpenAPI document. */
  message: string;
  cause: string;
  remedy: string;
}

interface ErrorDefinition {
  status: keyof typeof TYPES;
  en: ErrorTexts;
  ar: ErrorTexts;
  /** Values of the example response that differ from the defaults of the code. */
  example?: Pick<RequestErrorOptions, 'message' | 'param' | 'details'>;
}

export type ErrorCode = keyof typeof errors;
export type ErrorType = (typeof TYPES)[keyof typeof TYPES];

/** Codes are never renamed. */
export const ERRORS = errors as Readonly<Record<ErrorCode, ErrorDefinition>>;
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

export const errorType = (code: ErrorCode): ErrorType => TYPES[ERRORS[code].status];

/** Fields of `details`. To add a field, add a row. */
export const ERROR_DETAILS = {
  available_periods: { type: 'array', items: { type: 'string' } },
  available_releases: { type: 'array', items: { type: 'string' } },
  limit: { type: 'integer' },
  per: { type: 'string', enum: component('ExportLimitPeriod', ['concurrent', 'day']) },
  paging_depth: { type: 'integer' },
  unknown: { type: 'array', items: { type: 'string' } },
  earliest: { type: 'integer' },
  stream: { type: 'string' },
  state: { type: 'string', enum: GONE_STATES },
  reason: { type: 'string', enum: GONE_REASONS },
  since: { type: ['string', 'null'], format: 'date-time' },
  merged_into: { type: ['integer', 'null'] },
} as const satisfies Record<string, JsonSchema>;

export type ErrorDetails = { readonly [Name in keyof typeof ERROR_DETAILS]?: ValueOf<(typeof ERROR_DETAILS)[Name]> };

export interface RequestErrorOptions {
  message?: string;
  param?: string | null;
  details?: ErrorDetails;
  retryAfterS?: number;
  cause?: unknown;
}

/** `cause` is only logged, the rest is sent to the client. */
export class RequestError extends Error {
  readonly code: ErrorCode;
  /** Explanation for the client; null for the default message of the code. */
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
