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

test('if too many keys are cached, the least recently used one is evicted', (t) => {
  for (let n = 0; n < 20_000; n++) limits.recognize(`key ${n}`, CALLER, true);
  limits.recognize('key 0', CALLER, true);
  limits.recognize('key 20000', CALLER, true);
  t.truthy(limits.account('key 0'));
  t.is(limits.account('key 1'), null);
});
