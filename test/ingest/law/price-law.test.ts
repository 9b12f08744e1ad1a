import { test } from '#test/test.ts';
import { checkPriceLaw } from './price-law.ts';

// One round. `long-law.test.ts` checks more.
test('all readers of price history return the prices with which search returned a listing, through gaps, merges and interrupted runs', (t) =>
  checkPriceLaw(t, 'price_law', { homes: 10_000, runs: 12 }));
