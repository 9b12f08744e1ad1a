import { test } from '#test/test.ts';
import { checkLaw } from './law.ts';
import { checkPriceLaw } from './price-law.ts';

/** Seconds for which each law is checked with new rows in every round. */
const SECONDS = Number(process.env.LAW_SECONDS ?? 120);

test('many rows of any content reach every output or are rejected with a reason, and affect no other row', (t) =>
  checkLaw(t, 'long_law', SECONDS));

test('all readers of price history return the prices with which search returned a listing, of many feeds', (t) =>
  checkPriceLaw(t, 'long_price_law', { homes: 1_500, runs: 12 }, SECONDS));
