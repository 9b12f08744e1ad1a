import { ApiError, type ErrorCode } from '#domain/errors.ts';
import type { Endpoint } from './endpoint.ts';

/** What is wrong with one parameter, or with the body. */
export interface Fault {
  code: ErrorCode;
  /** Null when it is the body as a whole. */
  param: string | null;
  /** Explains it better than the code's own message. Called only for the fault that is reported, once it is known who calls. */
  message?: () => string;
}

/**
 * The error that a request with faults is answered with: of its first one, in the order of the endpoint's parameters.
 * Unknown parameters come after those, then the body.
 */
export function faultError(faults: readonly Fault[], { pathParameters, parameters }: Endpoint): ApiError {
  const order = new Map([...pathParameters, ...parameters].map(({ name }, index) => [name, index]));
  const position = ({ code, param }: Fault): number =>
    (code === 'invalid_body' ? undefined : order.get(param ?? '')) ?? order.size;
  const [first] = faults.toSorted((a, b) => position(a) - position(b));
  if (!first) return new ApiError('invalid_value');
  return new ApiError(first.code, { param: first.param, message: first.message?.() });
}
