import test from 'ava';
import { outcomesOf, resultFaults, tableOf } from './suite.ts';

/** Kinds that miss their target in at least one draw. Entries may only be removed: see docs/STATUS.md. */
const BELOW_TARGET: ReadonlySet<string> = new Set([
  'area doubled, in text',
  'area with a digit missing, in text',
  'bait 55% below',
  'bait 65% below',
  'bargain of 25 to 35%',
  'ordinary homes',
  'price in dollars',
  'several units, lowest price',
]);

const kindOf = (fault: string): string => fault.split(': ')[0] as string;

/**
 * Kinds that missed their target in any draw. A draw runs planted anomalies and look-alikes in a market of comparable homes
 * through the pipeline and the API.
 */
const missed = new Set<string>();
for (const seed of [26, 2_026]) {
  test.serial(
    `ads with planted anomalies are no deals and are not shown as posted, and correct ads are shown (draw ${seed})`,
    async (t) => {
      const result = await outcomesOf(seed);
      console.log(tableOf(result));
      const faults = resultFaults(result);
      for (const fault of faults) missed.add(kindOf(fault));
      t.deepEqual(
        faults.filter((fault) => !BELOW_TARGET.has(kindOf(fault))),
        [],
      );
    },
  );
}

test.serial('every kind of anomaly that is listed as below target still misses its target', (t) => {
  t.deepEqual([...BELOW_TARGET].sort(), [...missed].sort());
});
