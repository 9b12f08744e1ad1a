import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import aqarSource from '#ingest/sources/aqar/source.ts';
import { type Figure, figure } from '../bench.ts';
import { readFrozen } from './frozen.ts';
import { type HomeTruth, judgeAds, judgeLabelled, labelledPairs, type Share } from './judge.ts';
import { matchOffline, type OfflineAd } from './offline.ts';

const LABELS = new URL('./data/aqar-pairs.csv', import.meta.url);
/** Folder of optional public files, which is outside the project. */
const DATA_DIR = fileURLToPath(new URL('../../../shared/data', import.meta.url));

/** The first seed was used for tuning, the second only for reports. */
const SEEDS = [27, 2_027] as const;

const shareOf = ({ joined, pairs }: Share): number => joined / pairs;

type FrozenAd = OfflineAd & { truth: HomeTruth };

export const judgeThirdGenerator = (): Figure[] =>
  SEEDS.flatMap((seed) => judgeSet(`third generator, seed ${seed}`, readFrozen(`third-${seed}`), 0.8));

export const judgeSecondGenerator = (): Figure[] => judgeSet('second generator, frozen', readFrozen('ads'), 0.95);

/** @param recall target for the recall on ordinary homes */
function judgeSet(name: string, ads: readonly FrozenAd[], recall: number): Figure[] {
  const { ordinary, units, wholeHomes, found, ordinaryFound, neighbors } = judgeAds(ads, matchOffline(ads));
  const all = `${name} (${ads.length.toLocaleString('en')} ads)`;
  return [
    figure(`recall of ordinary homes, ${all}`, shareOf(ordinary), '', { atLeast: recall }),
    figure(`precision of ordinary homes, ${name}`, shareOf(ordinaryFound), '', { atLeast: 0.985 }),
    figure(`ordinary homes with all ads merged, ${name}`, shareOf(wholeHomes)),
    figure(`recall of units of compounds, ${name}`, shareOf(units)),
    figure(`precision of all pairs, ${name}`, shareOf(found)),
    figure(`different units of one compound merged, ${name}`, shareOf(neighbors), '', { atMost: 0.02 }),
  ];
}

/** Compares results for real ads with manually labelled pairs. Returns no figures if the feed is not available. */
export async function judgeAqar(): Promise<Figure[]> {
  if (!aqarSource.isOffered({ dataDir: DATA_DIR })) return [];
  const ads: OfflineAd[] = [];
  const context = { at: new Date(), signal: new AbortController().signal };
  for await (const row of aqarSource.rows({ dataDir: DATA_DIR }, context))
    if (row.ok) ads.push({ source: aqarSource.name, raw: row.raw });
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
      figure(`recall, ${name} (${same.pairs})`, shareOf(same), '', { atLeast: 0.8 }),
      figure(`precision, ${name} (${different.pairs} of two homes)`, precision, '', { atLeast: 0.97 }),
    ];
  });
}
