import { PRICES } from '#metering/prices.ts';

/** Common properties of all endpoints of reference data. */
export const REFERENCE = { area: 'Reference data', scope: null, price: PRICES.reference } as const;
