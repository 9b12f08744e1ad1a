// A benchmark for any duplicate detection method: `ads` prints the ads without ground truth, `score` evaluates clusters of
// them.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { judgeAds } from './judge.ts';
import { type ThirdAd, thirdAds } from './third-feeds.ts';

/** Fixed, so that the figures of all methods refer to the same ads. */
const ADS = thirdAds({ seed: 2_700, homes: 1_000 });

/** The ad without ground truth. Its id does not identify the home. */
function withoutTruth({ truth: _, ...ad }: ThirdAd, at: number): object {
  return { ...ad, id: String(at + 1) };
}

/** Parses lines of an ad id and a cluster name, separated by a comma. Ads that are left out form single clusters. */
function clustersOf(csv: string): (number | null)[] {
  const clusters: (number | null)[] = ADS.map(() => null);
  const numbers = new Map<string, number>();
  for (const line of csv.split('\n').filter(Boolean)) {
    const [id, cluster] = line.split(',').map((cell) => cell.trim());
    const at = Number(id) - 1;
    if (cluster === undefined || !(at in clusters))
      throw new Error(`expected an ad's id and its cluster, not "${line}"`);
    const number = numbers.get(cluster) ?? numbers.size;
    numbers.set(cluster, number);
    clusters[at] = number;
  }
  return clusters;
}

const program = new Command('node bench/dedupe/benchmark.ts').description('Compares methods of duplicate detection.');
program
  .command('ads')
  .description('print the ads, one JSON object per line')
  .action(() => {
    for (const [at, ad] of ADS.entries()) process.stdout.write(`${JSON.stringify(withoutTruth(ad, at))}\n`);
  });
program
  .command('score')
  .argument('<file>', 'lines of an ad id and its cluster, separated by a comma')
  .action((file: string) => {
    const { ordinary, units, found, ordinaryFound, neighbors } = judgeAds(ADS, clustersOf(readFileSync(file, 'utf8')));
    const share = (part: number, of: number): string => (of === 0 ? '-' : (part / of).toFixed(3));
    console.table({
      'recall of ordinary homes': share(ordinary.joined, ordinary.pairs),
      'precision of ordinary homes': share(ordinaryFound.right, ordinaryFound.pairs),
      'recall of units of compounds': share(units.joined, units.pairs),
      'precision of all pairs': share(found.right, found.pairs),
      'different units of one compound merged': share(neighbors.joined, neighbors.pairs),
    });
  });
program.parse();
