import { KnownKey, KnownKeys } from '#http/limits/known-keys.ts';
import { test } from '#test/test.ts';

const MINUTE = 60_000;
const SEARCH = 'searchListings';

test('for a minute after a key was admitted, its calls to the same endpoint are prefetched', (t) => {
  const key = new KnownKey(1, 10, 1_000, 0);
  t.is(key.claimPrefetch(SEARCH, 1), null);
  key.admit(SEARCH, 1_000);
  t.is(key.claimPrefetch('getMarketSummary', 1_000), null, 'its plan may not include another endpoint');
  for (const at of [1_000, 1_000 + MINUTE]) {
    const charged = key.claimPrefetch(SEARCH, at);
    t.truthy(charged);
    charged?.();
  }
  t.is(key.claimPrefetch(SEARCH, 1_001 + MINUTE), null);
});

test('a key can have one prefetch at a time', (t) => {
  const key = new KnownKey(1, 10, 1_000, 0);
  key.admit(SEARCH, 0);
  const charged = key.claimPrefetch(SEARCH, 0);
  t.truthy(charged);
  t.is(key.claimPrefetch(SEARCH, 0), null);
  charged?.();
  t.truthy(key.claimPrefetch(SEARCH, 0));
});

test('after a refused call, prefetching for the key is disabled for a minute, even if it is admitted meanwhile', (t) => {
  const key = new KnownKey(1, 10, 1_000, 0);
  key.admit(SEARCH, 0);
  key.refuse(1_000, true);
  key.admit(SEARCH, 2_000);
  t.is(key.claimPrefetch(SEARCH, 1_000 + MINUTE), null);
  t.truthy(key.claimPrefetch(SEARCH, 1_001 + MINUTE));
});

test('after too many calls that cost no units, or after a refused call, a key must wait before the next call', (t) => {
  const key = new KnownKey(1, 60, 1_000, 0);
  for (let call = 0; call < 60; call++) {
    t.is(key.wait(0, false), 0);
    key.countUnchargedCall(0);
  }
  t.is(key.wait(0, false), 1);
  t.is(key.wait(0, true), 0, 'others do not');
  t.is(key.wait(1_000, false), 0);
  key.countUnchargedCall(1_000);
  key.refuse(1_000, true);
  t.is(key.wait(1_000, true), 2, 'unless they were refused a moment ago');
  t.is(key.wait(1_001 + MINUTE, true), 0);
});

test('if too many keys are cached, the least recently used one is evicted', (t) => {
  const keys = new KnownKeys(10, 1_000);
  for (let n = 0; n < 20_000; n++) keys.recognize(`key ${n}`, 1, 0);
  keys.recognize('key 0', 1, 0);
  keys.recognize('key 20000', 1, 0);
  t.truthy(keys.get('key 0'));
  t.is(keys.get('key 1'), undefined);
  keys.delete('key 0');
  t.is(keys.get('key 0'), undefined);
});
