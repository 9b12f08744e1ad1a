import { PRICES } from '#metering/prices.ts';

/** Common properties of all endpoints of administration. */
export const ADMINISTRATION = { area: 'Administration', scope: null, price: PRICES.administration } as const;
