import { ApiError, type ErrorCode } from '#domain/errors.ts';
import type { Endpoint } from '../endpoint.ts';

/** What is wrong with one parameter, or with the body. */
export interface Fault {
  code: ErrorCode;
  /** Null when it is the body as a whole. */
  param: string | null;
  /** A parameter was given once, and its schema does not take the value. */
  unfit?: true;
  /** The text that was given, where the message is worded again for the caller's plan. */
  given?: string;
  /**
   * A message of its own, in place of the code's. Called only for the fault that is reported, after the key was
   * checked.
   */
  message?: () => string;
}

/**
 * The error of the first fault, in the order of the endpoint's parameters; unknown parameters and then the body come
 * after them.
 */
export function faultError(faults: readonly Fault[], { pathParameters, parameters }: Endpoint): ApiError {
  const order = new Map([...pathParameters, ...parameters].map(({ name }, index) => [name, index]));
  const position = ({ code, param }: Fault): number =>
    (code === 'invalid_body' ? undefined : order.get(param ?? '')) ?? order.size;
  const [first] = faults.toSorted((a, b) => position(a) - position(b));
  if (!first) return new ApiError('invalid_value');
  return new ApiError(first.code, { param: first.param, message: first.message?.() });
}
