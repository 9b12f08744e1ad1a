import { readFileSync } from 'node:fs';
import aqarSource from '#ingest/sources/aqar/source.ts';
import { type Bench, type Figure, figure, type PartResult } from '../bench.ts';
import { readFrozen } from '../dedupe/frozen.ts';
import { type HomeTruth, judgeAds, judgeLabelled, labelledPairs, type Share } from '../dedupe/judge.ts';
import { matchOffline, type OfflineAd, readAds } from '../dedupe/offline.ts';

const LABELS = new URL('../dedupe/data/aqar-pairs.csv', import.meta.url);
const shareOf = ({ joined, pairs }: Share): number => joined / pairs;

/** Compares detected duplicates with the ground truth. The seeds 20261 and 2027 were not used for tuning. */
export async function dedupe({ feedsDir }: Bench): Promise<PartResult> {
  const figures = [
    ...judgeHomes('second generator, seed 20261', 'ads'),
    ...judgeHomes('third generator, seed 2027', 'third-2027'),
    ...(await judgeAqar(feedsDir)),
  ];
  return { figures };
}

function judgeHomes(name: string, file: 'ads' | 'third-2027'): Figure[] {
  const ads = readFrozen<OfflineAd & { truth: HomeTruth }>(file);
  const { ordinary, ordinaryFound, neighbors } = judgeAds(ads, matchOffline(ads));
  return [
    figure(`recall of ordinary homes, ${name}`, shareOf(ordinary)),
    figure(`precision of ordinary homes, ${name}`, shareOf(ordinaryFound)),
    figure(`different units of one compound merged, ${name}`, shareOf(neighbors)),
  ];
}

/** Compares results for real ads with manually labelled pairs. Returns no figures if the feed is not available. */
async function judgeAqar(feedsDir: string): Promise<Figure[]> {
  const ads = await readAds(aqarSource, feedsDir);
  if (ads.length === 0) return [];
  const clusters = matchOffline(ads);
  const clusterOf = new Map(ads.map(({ raw }, at) => [raw.source_listing_id, clusters[at]]));
  const pairs = labelledPairs(readFileSync(LABELS, 'utf8'));
  return [false, true].flatMap((unseen) => {
    const { same, different } = judgeLabelled(
      pairs.filter(({ isUnseen }) => isUnseen === unseen),
      (id) => clusterOf.get(id),
    );
    const name = `labelled pairs of aqar, ${unseen ? 'held-out third' : 'tuning set'}`;
    const precision = same.joined / (same.joined + different.joined);
    return [
      figure(`recall, ${name} (${same.pairs})`, shareOf(same)),
      figure(`precision, ${name} (${different.pairs} of two homes)`, precision),
    ];
  });
}
