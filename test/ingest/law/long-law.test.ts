import { test } from '#test/test.ts';
import { checkLaw } from './law.ts';

/** Seconds for which the law is checked with new rows in every round. */
const SECONDS = Number(process.env.LAW_SECONDS ?? 120);

test('many rows of any content reach every output or are rejected with a reason, and affect no other row', (t) =>
  checkLaw(t, 'long_law', SECONDS));
