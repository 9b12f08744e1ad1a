import { test } from '#test/test.ts';
import { checkLaw } from './law.ts';

// One round. `long-law.test.ts` checks more.
test('rows of any content reach every output or are rejected with a reason, and affect no other row', (t) =>
  checkLaw(t, 'law', 0));
