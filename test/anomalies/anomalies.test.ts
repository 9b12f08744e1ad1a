import { test } from '#test/test.ts';
import { outcomesOf, type Result, resultFaults } from './suite.ts';

/** Kinds that miss their target in at least one draw. Entries may only be removed: see docs/STATUS.md. */
const BELOW_TARGET: ReadonlySet<string> = new Set([
  'area doubled, in text',
  'bait 55% below',
  'bait 65% below',
  'bargain of 25 to 35%',
  'ordinary homes',
  'price in dollars',
]);

const kindOf = (fault: string): string => fault.split(': ')[0] as string;

/** A draw runs planted anomalies and look-alikes in a market of comparable homes through the pipeline and the API. */
const SEEDS = [26, 2_026];
let draws: Result[];
test.before(async () => {
  draws = await Promise.all(SEEDS.map(outcomesOf));
});

for (const [index, seed] of SEEDS.entries()) {
  test(`ads with planted anomalies are no deals and are not shown as posted, and correct ads are shown (draw ${seed})`, (t) => {
    const faults = resultFaults(draws[index] as Result);
    t.log(faults);
    t.deepEqual(
      faults.filter((fault) => !BELOW_TARGET.has(kindOf(fault))),
      [],
    );
  });
}

test('every kind of anomaly that is listed as below target still misses its target', (t) => {
  const missed = new Set(draws.flatMap(resultFaults).map(kindOf));
  t.deepEqual([...BELOW_TARGET].sort(), [...missed].sort());
});
