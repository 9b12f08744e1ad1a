import { readFileSync } from 'node:fs';

/** The SQL function that authenticates, authorizes and charges a call. `migrate` creates it after the tables. */
export const CHARGE_FUNCTION = readFileSync(new URL('charge-function.sql', import.meta.url), 'utf8');
