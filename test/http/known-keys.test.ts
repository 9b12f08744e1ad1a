import { KnownKey, KnownKeys } from '#http/limits/known-keys.ts';
import type { Caller } from '#metering/charge.ts';
import { test } from '#test/test.ts';

const MINUTE = 60_000;
const CALLER = { organization_id: 1 } as Caller;

test('the account of a key is used for a minute after its last admission, until the key is refused', (t) => {
  const key = new KnownKey(CALLER, 10, 1_000, 0);
  t.is(key.admitted(0), null);
  key.admit(CALLER, 1_000);
  t.is(key.admitted(1_000 + MINUTE), CALLER);
  t.is(key.admitted(1_001 + MINUTE), null);
  key.admit(CALLER, 2_000);
  key.revoke();
  t.is(key.admitted(2_000), null);
});

test('calls that cost no units are limited, and after a failed call all calls', (t) => {
  const key = new KnownKey(CALLER, 60, 1_000, 0);
  for (let call = 0; call < 60; call++) {
    t.is(key.wait(0, false), 0);
    key.countUncharged(0, false);
  }
  t.is(key.wait(0, false), 1);
  t.is(key.wait(0, true), 0);
  key.countUncharged(1_000, true);
  t.is(key.wait(1_000, true), 1);
  t.is(key.wait(1_001 + MINUTE, true), 0);
});

test('if too many keys are cached, the least recently used one is evicted', (t) => {
  const keys = new KnownKeys(10, 1_000);
  for (let n = 0; n < 20_000; n++) keys.recognize(`key ${n}`, CALLER);
  keys.recognize('key 0', CALLER);
  keys.recognize('key 20000', CALLER);
  t.truthy(keys.get('key 0'));
  t.is(keys.get('key 1'), undefined);
});
