import test from 'ava';
import { faultsOf, outcomesOf, tableOf } from './suite.ts';

/** Planted anomalies and look-alikes in a market of like homes, through the whole pipeline and the API. */
for (const seed of [26, 2_026]) {
  test.serial(
    `planted anomalies are no deals and are not shown as posted, and what is right is shown: draw ${seed}`,
    async (t) => {
      const result = await outcomesOf(seed);
      t.log(tableOf(result));
      t.deepEqual(result.outcomes.flatMap(faultsOf), []);
      const { count, shown, flagged, deals } = result.ordinary;
      t.true(shown >= 0.985 * count, `${count - shown} of ${count} ordinary homes are not shown`);
      t.true(flagged <= 0.01 * count, `${flagged} of ${count} ordinary homes have a flag`);
      t.true(deals <= 0.02 * count, `${deals} of ${count} ordinary homes are deals`);
    },
  );
}
