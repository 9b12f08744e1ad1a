import test from 'ava';
import { RecentCallers } from '#http/recent-callers.ts';

const key = (n: number): Buffer => Buffer.from(`key ${n}`);

test('a caller is recent at the endpoint that admitted it, for a minute', (t) => {
  let now = 1_000;
  const recent = new RecentCallers(() => now);
  t.false(recent.has(key(1), 'searchListings'));
  recent.admit(key(1), 'searchListings');
  t.true(recent.has(key(1), 'searchListings'));
  t.false(recent.has(key(1), 'getMarketSummary'), 'its plan may not include another endpoint');
  t.false(recent.has(key(2), 'searchListings'));
  now += 60_000;
  t.true(recent.has(key(1), 'searchListings'));
  now += 1;
  t.false(recent.has(key(1), 'searchListings'));
});

test('a refused caller is no longer recent', (t) => {
  const recent = new RecentCallers(() => 0);
  recent.admit(key(1), 'searchListings');
  recent.admit(key(1), 'countListings');
  recent.refuse(key(1), 'searchListings');
  t.false(recent.has(key(1), 'searchListings'));
  t.true(recent.has(key(1), 'countListings'));
});

test('too many callers push out the one admitted longest ago', (t) => {
  const recent = new RecentCallers(() => 0);
  for (let n = 0; n < 10_000; n++) recent.admit(key(n), 'searchListings');
  recent.admit(key(0), 'searchListings');
  recent.admit(key(10_000), 'searchListings');
  t.true(recent.has(key(0), 'searchListings'));
  t.false(recent.has(key(1), 'searchListings'));
  t.true(recent.has(key(10_000), 'searchListings'));
});
