import type { ErrorCode } from '#domain/errors.ts';
import { redactKeys } from '#observability/redact.ts';
import type { Endpoint } from '../endpoint.ts';
import { ApiError } from './api-error.ts';

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
