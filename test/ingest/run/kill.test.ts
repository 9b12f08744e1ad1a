import { test } from '#test/test.ts';
import { stateAfter } from './days.ts';

/** Multiplies the ads of a feed, so that each stage takes long enough to be killed in it. */
const SIZE = 15;

test('runs whose process is killed at any point end in the same state as whole runs', async (t) => {
  t.timeout(170_000);
  const killed = { kills: 2 };
  const whole = await stateAfter(t, 'killed-never', [{}, {}, {}, {}], SIZE);
  t.true(whole.documents.length > 1_000);
  t.true(whole.deals.length > 0);
  for (const type of ['listing.price_changed', 'listing.delisted'])
    t.true(
      whole.events.some((event) => event.type === type),
      type,
    );
  t.deepEqual(await stateAfter(t, 'killed-often', [{}, killed, killed, killed], SIZE), whole);
});
