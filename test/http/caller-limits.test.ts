import { CallerLimits } from '#http/limits/caller-limits.ts';
import type { Caller } from '#metering/charge.ts';
import { test } from '#test/test.ts';

const MINUTE = 60_000;
const CALLER = { organization_id: 1 } as Caller;
const limits = new CallerLimits({
  unknownKeys: 10,
  unchargedCalls: 60,
  freeBytes: 1_000,
  pageViews: 10,
  explorerCalls: 10,
});

test('the account of a key is used for a minute after its last admission, until the key is refused', (t) => {
  t.is(limits.admitted('a', 0), null);
  limits.recognize('a', CALLER, null, 1_000);
  t.is(limits.admitted('a', 1_000), null);
  limits.recognize('a', CALLER, true, 1_000);
  t.is(limits.admitted('a', 1_000 + MINUTE), CALLER);
  t.is(limits.admitted('a', 1_001 + MINUTE), null);
  limits.recognize('a', CALLER, true, 2_000);
  limits.recognize('a', CALLER, false, 2_000);
  t.is(limits.admitted('a', 2_000), null);
});
