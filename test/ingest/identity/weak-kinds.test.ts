import { judgeAds, type Share } from '#bench/dedupe/judge.ts';
import { matchOffline } from '#bench/dedupe/offline.ts';
import { featuresOf } from '#ingest/normalize/features.ts';
import type { NormalizedListing } from '#ingest/normalize/listing.ts';
import { test } from '#test/test.ts';
import { KINDS, weakAds } from './weak-kinds.ts';

/** Recall of each kind that is required. */
const LEAST = { 'plot area': 0.55, 'other language': 0.9, 'other words': 0.9, 'other photos': 0.7, 'broker card': 0.8 };

const shareOf = ({ joined, pairs }: Share): number => joined / pairs;

test('ads that share neither words, language nor photos are matched by their facts', (t) => {
  const ads = weakAds(1, 4_000);
  const clusters = matchOffline(ads);
  for (const kind of KINDS) {
    const recall = shareOf(
      judgeAds(
        ads.filter((ad) => ad.kind === kind),
        clusters.filter((_, at) => ads[at]?.kind === kind),
      ).ordinary,
    );
    t.log(`${kind}: ${recall.toFixed(2)}`);
    t.true(recall >= LEAST[kind], kind);
  }
  const { ordinary, ordinaryFound } = judgeAds(ads, clusters);
  t.true(shareOf(ordinary) >= 0.8);
  t.true(shareOf(ordinaryFound) >= 0.985);
});

test('the side that a home faces is read in both languages, unless a text states several', (t) => {
  const of = (description: string) =>
    featuresOf({ amenities: [], title: null, description } as unknown as NormalizedListing);
  t.not(of('الواجهة شمالية'), 0);
  t.is(of('الواجهة شمالية'), of('north facing'));
  t.is(of('واجهة: الشرقية'), of('Facing east'));
  t.not(of('north facing'), of('facing south'));
  t.is(of('واجهة شرقية و واجهة غربية'), 0);
  t.is(of('شمال الرياض'), 0);
});
