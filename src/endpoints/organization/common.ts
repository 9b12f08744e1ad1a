import { PRICES } from '#metering/prices.ts';

/** Properties common to all administration endpoints. */
export const ADMINISTRATION = {
  area: 'Administration',
  audience: 'admin',
  scope: null,
  price: PRICES.administration,
} as const;

/**
 * Schema of a request body without options. Unknown fields are rejected, because clients could assume that an ignored
 * field has an effect.
 */
export const NO_OPTIONS = { type: 'object', additionalProperties: false, properties: {} } as const;
