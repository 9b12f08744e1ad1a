import { PRICES } from '#metering/prices.ts';

/** Properties common to all reference data endpoints. */
export const REFERENCE = {
  area: 'Reference data',
  audience: 'data',
  scope: null,
  price: PRICES.reference,
  caching: 'fresh',
} as const;
