import { PRICES } from '#metering/prices.ts';

/** Properties common to all administration endpoints. */
export const ADMINISTRATION = { area: 'Administration', scope: null, price: PRICES.administration } as const;
