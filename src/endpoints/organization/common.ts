import type { JsonSchema } from '#domain/json-schema.ts';
import type { PostCall } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { PRICES } from '#src/metering/prices.ts';
import { isRecent } from '#src/sign-in/sign-in.ts';

export const ADMINISTRATION = {
  area: 'Administration',
  audience: 'admin',
  scope: null,
  price: PRICES.administration,
} as const;

/** Grace period in which a rotated secret works, up to 30 days. */
export const graceSeconds = (description: string) =>
  ({ type: 'integer', minimum: 0, maximum: 2_592_000, default: 86_400, description }) as const;

/** Unknown fields are rejected, because clients could assume that an ignored field has an effect. */
export const bodyOf = <const Properties extends Readonly<Record<string, JsonSchema>>>(properties: Properties) =>
  ({ type: 'object', additionalProperties: false, properties }) as const;

export const bodyRequiring = <
  const Properties extends Readonly<Record<string, JsonSchema>>,
  const Required extends keyof Properties & string,
>(
  required: readonly Required[],
  properties: Properties,
) => ({ type: 'object', additionalProperties: false, required, properties }) as const;

export const NO_OPTIONS = bodyOf({});

/**
 * For changes that need a recent sign-in: in the console, the person must have just signed in, so that an unlocked browser or a
 * stolen session cannot make them.
 * @throws ApiError forbidden_action
 */
export function requireRecentSignIn({
  caller,
  services,
  signedInAt,
}: Pick<PostCall, 'caller' | 'services' | 'signedInAt'>): void {
  if (caller.kind !== 'console') return;
  if (signedInAt !== undefined && isRecent({ signedInAt }, services.clock.now())) return;
  throw new ApiError('forbidden_action', {
    message: 'In the console, this change is made within 10 minutes after signing in. Sign in again.',
  });
}

/** @throws ApiError `invalid_body` without a field */
export function requireChange(body: Readonly<Record<string, unknown>>): void {
  if (Object.values(body).every((value) => value === undefined))
    throw new ApiError('invalid_body', { message: 'The body must contain at least one field to change.' });
}
