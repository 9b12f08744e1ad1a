import { ApiError } from '#http/errors/api-error.ts';
import { PRICES } from '#metering/prices.ts';

export const ADMINISTRATION = {
  area: 'Administration',
  audience: 'admin',
  scope: null,
  price: PRICES.administration,
} as const;

/** Field of the grace period in which a rotated secret works, up to 30 days. */
export const graceSeconds = (description: string) =>
  ({ type: 'integer', minimum: 0, maximum: 2_592_000, default: 86_400, description }) as const;

/**
 * Schema of a request body without options. Unknown fields are rejected, because clients could assume that an ignored
 * field has an effect.
 */
export const NO_OPTIONS = { type: 'object', additionalProperties: false, properties: {} } as const;

/** @throws ApiError `invalid_body` if the body of a change has no field */
export function requireChange(body: Readonly<Record<string, unknown>>): void {
  if (Object.values(body).every((value) => value === undefined))
    throw new ApiError('invalid_body', { message: 'The body must contain at least one field to change.' });
}
