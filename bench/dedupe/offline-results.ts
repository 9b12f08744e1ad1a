import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AdSet } from '#ingest/identity/ads.ts';
import aqarSource from '#ingest/sources/aqar/source.ts';
import type { Figure, PartResult } from '../bench.ts';
import { readFrozen } from './frozen.ts';
import { type HomeTruth, judgeAds, judgeLabelled, labelledPairs, type Share } from './judge.ts';
import { type Lesson, lessonOf, lessonsOfSet } from './learn-points.ts';
import { matchOffline, type OfflineAd, offlineSets } from './offline.ts';
import { type ThirdAd, thirdAds, thirdAsFed } from './third-feeds.ts';

const LABELS = new URL('./data/aqar-pairs.csv', import.meta.url);
/** Public files, stored outside of the project and optional. */
const DATA_DIR = fileURLToPath(new URL('../../../shared/data', import.meta.url));

/** The first seed was used for tuning, the second only for reports. */
const SEEDS = [27, 2_027] as const;
const HOMES = 3_000;
const QUICK_HOMES = 500;

const shareOf = ({ joined, pairs }: Share): number => joined / pairs;

/** The third generator, with perceptual photo hashes and with hashes of photo bytes only. */
export function judgeThirdGenerator(quick: boolean): PartResult[] {
  return SEEDS.flatMap((seed) => {
    const truth = thirdAds({ seed, homes: quick ? QUICK_HOMES : HOMES });
    return [true, false].map((perceptual) => {
      const ads = truth.map((ad, at) => thirdAsFed(ad, at, perceptual));
      const name = `third generator, seed ${seed}${perceptual ? '' : ', photos by bytes only'}`;
      return judgeSet(name, truth, ads, perceptual ? { recall: 0.8, precision: 0.95 } : null);
    });
  });
}

/** The second generator, frozen. */
export function judgeFrozen(): PartResult {
  const ads = readFrozen<OfflineAd & { truth: HomeTruth }>('ads');
  return judgeSet('second generator, frozen', ads, ads, { recall: 0.95, precision: null });
}

/** @param goals targets for the recall of ordinary homes and the precision of all pairs; null sets none */
function judgeSet(
  name: string,
  truth: readonly { truth: HomeTruth }[],
  ads: readonly OfflineAd[],
  goals: { recall: number; precision: number | null } | null,
): PartResult {
  const { ordinary, units, wholeHomes, found, ordinaryFound, neighbors } = judgeAds(
    truth,
    matchOffline(ads, offlineSets(ads)),
  );
  const figure = (what: string, value: number, target?: Figure['target'] | null): Figure => ({
    name: `${what}, ${name}`,
    value,
    unit: '',
    ...(goals && target && { target }),
  });
  return {
    tables: [],
    figures: [
      figure('recall of ordinary homes', shareOf(ordinary), goals && { atLeast: goals.recall }),
      figure('precision of ordinary homes', ordinaryFound.right / ordinaryFound.pairs, { atLeast: 0.985 }),
      figure('ordinary homes with all ads merged', shareOf(wholeHomes)),
      figure('recall of units of compounds', shareOf(units)),
      figure(
        'precision of all pairs',
        found.right / found.pairs,
        goals?.precision ? { atLeast: goals.precision } : null,
      ),
      figure('different units of one compound merged', shareOf(neighbors), { atMost: 0.02 }),
    ],
    notes: [`The ${name}: ${ads.length.toLocaleString('en')} ads.`],
  };
}

/** Compares results for real ads with pairs labelled by a person. */
export async function judgeAqar(): Promise<PartResult> {
  if (!aqarSource.isOffered({ dataDir: DATA_DIR }))
    return { tables: [], figures: [], notes: ['Skipped labelled pairs of aqar: the feed is not available.'] };
  const ads = await aqarAds();
  const clusters = matchOffline(ads, offlineSets(ads));
  const clusterOf = new Map(ads.map(({ raw }, at) => [raw.source_listing_id, clusters[at]]));
  const pairs = labelledPairs(readFileSync(LABELS, 'utf8'));
  const figures = [false, true].flatMap((unseen) => {
    const { same, different } = judgeLabelled(
      pairs.filter(({ isUnseen }) => isUnseen === unseen),
      (id) => clusterOf.get(id),
    );
    const name = `labelled pairs of aqar, ${unseen ? 'held-out third' : 'tuning set'}`;
    const precision = same.joined / (same.joined + different.joined);
    return [
      { name: `recall, ${name} (${same.pairs})`, value: shareOf(same), unit: '', target: { atLeast: 0.8 } },
      {
        name: `precision, ${name} (${different.pairs} of two homes)`,
        value: precision,
        unit: '',
        target: { atLeast: 0.97 },
      },
    ];
  });
  return { tables: [], figures, notes: [] };
}

/** A seed that is not used in reports. */
const LESSONS_SEED = 28;

export function thirdLessons(quick: boolean): Lesson[] {
  const truth = thirdAds({ seed: LESSONS_SEED, homes: quick ? QUICK_HOMES : HOMES });
  const { sets } = offlineSets(truth.map((ad, at) => thirdAsFed(ad, at, true)));
  const truthOf = (id: number) => (truth[id - 1] as ThirdAd).truth;
  return sets.flatMap((set) => lessonsOfSet(set, truthOf, 1));
}

/** Higher weight for labelled pairs, because they are few and the only real ones. */
const WEIGHT_OF_LABELS = 30;

/** The labelled pairs of the tuning set; empty if the feed is not available. */
export async function aqarLessons(): Promise<Lesson[]> {
  if (!aqarSource.isOffered({ dataDir: DATA_DIR })) return [];
  const ads = await aqarAds();
  const places = new Map<string, readonly [set: AdSet, at: number]>();
  for (const set of offlineSets(ads).sets)
    for (const [at, { id }] of set.ads.entries())
      places.set((ads[id - 1] as OfflineAd).raw.source_listing_id, [set, at]);
  return labelledPairs(readFileSync(LABELS, 'utf8')).flatMap(({ a, b, isSame, isUnseen }) => {
    const [left, right] = [places.get(a), places.get(b)];
    if (isUnseen || left === undefined || right === undefined || left[0] !== right[0]) return [];
    return lessonOf(left[0], left[1], right[1], isSame, WEIGHT_OF_LABELS) ?? [];
  });
}

async function aqarAds(): Promise<OfflineAd[]> {
  const ads: OfflineAd[] = [];
  const context = { at: new Date(), signal: new AbortController().signal };
  for await (const row of aqarSource.rows({ dataDir: DATA_DIR }, context))
    if (row.ok) ads.push({ source: aqarSource.name, raw: row.raw });
  return ads;
}
