import test from 'ava';
import { outcomesOf, resultFaults, tableOf } from './suite.ts';

/** Planted anomalies and look-alikes in a market of like homes, through the whole pipeline and the API. */
for (const seed of [26, 2_026]) {
  test.serial(
    `planted anomalies are neither deals nor shown as posted, and right ads are shown: draw ${seed}`,
    async (t) => {
      const result = await outcomesOf(seed);
      console.log(tableOf(result));
      t.deepEqual(resultFaults(result), []);
    },
  );
}
