import { test } from '#test/test.ts';
import { type Day, stateAfter } from './days.ts';

const WHOLE: Day = {};
const FOLLOWED: Day = { followed: true };

test('runs that are stopped, or that leave index writes to the next run, end in the same state as whole runs', async (t) => {
  const whole = await stateAfter(t, 'interrupted-none', [WHOLE, WHOLE, WHOLE, WHOLE, WHOLE, WHOLE]);
  t.true(whole.documents.length > 100);
  t.true(whole.deals.length > 0);
  t.true(whole.events.some(({ type }) => type === 'listing.delisted'));
  const plans: Readonly<Record<string, readonly Day[]>> = {
    followed: [FOLLOWED, FOLLOWED, FOLLOWED, FOLLOWED, FOLLOWED, WHOLE],
    // The index contains documents that must be deleted.
    mixed: [WHOLE, FOLLOWED, { stopAt: 'comparison' }, FOLLOWED, { followed: true, stopAt: 'index' }, WHOLE],
    stopped: [
      { stopAt: 'identity' },
      { stopAt: 'fetch' },
      { stopAt: 'quality' },
      { stopAt: 'fetch' },
      { stopAt: 'index' },
      WHOLE,
    ],
  };
  for (const [name, days] of Object.entries(plans))
    t.deepEqual(await stateAfter(t, `interrupted-${name}`, days), whole, name);
});
