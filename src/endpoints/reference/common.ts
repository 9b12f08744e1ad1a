import { PRICES } from '#src/metering/prices.ts';

export const REFERENCE = {
  area: 'Reference data',
  audience: 'data',
  scope: null,
  price: PRICES.reference,
  caching: 'fresh',
} as const;
