import { medianInterval } from '#domain/statistics/bootstrap.ts';
import { randomFrom } from '#domain/statistics/random.ts';
import { test } from '#test/test.ts';

interface Market {
  name: string;
  clusters: number;
  /** Maximum number of homes per cluster. */
  homes: number;
  /** Standard deviation of log prices between clusters and within a cluster. */
  between: number;
  within: number;
}

const MARKETS: readonly Market[] = [
  { name: 'few buildings', clusters: 6, homes: 3, between: 0.2, within: 0.2 },
  { name: 'uniform buildings', clusters: 12, homes: 4, between: 0.3, within: 0.1 },
  { name: 'a street of villas', clusters: 25, homes: 1, between: 0.25, within: 0 },
  { name: 'a dense quarter', clusters: 50, homes: 3, between: 0.15, within: 0.2 },
];
const EACH = 400;
const TRUE_MEDIAN = 50_000;

test('the 95% confidence interval covers the true median in 93% to 97% of markets', (t) => {
  const random = randomFrom('markets');
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let held = 0;
  for (const { name, clusters, homes, between, within } of MARKETS) {
    let own = 0;
    for (let market = 0; market < EACH; market++) {
      const homesOf: { price: number; cluster: number }[] = [];
      for (let cluster = 0; cluster < clusters; cluster++) {
        const level = normal() * between;
        const count = 1 + Math.floor(random() * homes);
        for (let home = 0; home < count; home++)
          homesOf.push({ price: TRUE_MEDIAN * Math.exp(level + normal() * within), cluster });
      }
      homesOf.sort((a, b) => a.price - b.price);
      const { low, high } = medianInterval(
        homesOf.map(({ price }) => price),
        homesOf.map(({ cluster }) => cluster),
        { random, rounds: 400 },
      );
      if (low <= TRUE_MEDIAN && TRUE_MEDIAN <= high) own++;
    }
    held += own;
    t.log(`${name}: ${((own / EACH) * 100).toFixed(1)} of 100`);
    // 400 markets estimate the share to within two percentage points.
    t.true(own / EACH > 0.91 && own / EACH < 0.985, name);
  }
  const share = held / (EACH * MARKETS.length);
  t.log(`all ${EACH * MARKETS.length}: ${(share * 100).toFixed(1)} of 100`);
  t.true(share >= 0.93 && share <= 0.97);
});
