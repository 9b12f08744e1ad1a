import { readFrozen } from '#bench/dedupe/frozen.ts';
import { type HomeTruth, judgeAds, type Share } from '#bench/dedupe/judge.ts';
import { matchOffline, type OfflineAd } from '#bench/dedupe/offline.ts';
import { featuresOf } from '#ingest/normalize/features.ts';
import type { NormalizedListing } from '#ingest/normalize/listing.ts';
import { test } from '#test/test.ts';
import { judgeProjects } from './judge-projects.ts';

/** Data with known truth from other generators. `npm run bench -- dedupe` reports more figures. */
const shareOf = ({ joined, pairs }: Share): number => joined / pairs;

test('ads for one home that differ in words, language, photos or stated area are matched', (t) => {
  const ads = readFrozen<OfflineAd & { truth: HomeTruth }>('third-27');
  const { ordinary, ordinaryFound, neighbors } = judgeAds(ads, matchOffline(ads));
  t.true(shareOf(ordinary) >= 0.89, `recall ${shareOf(ordinary)}`);
  t.true(shareOf(ordinaryFound) >= 0.998, `precision ${shareOf(ordinaryFound)}`);
  t.true(shareOf(neighbors) <= 0.007, `units of one compound ${shareOf(neighbors)}`);
});

test('project copies from an independent generator are merged', (t) => {
  // Reported in docs/BENCHMARKS.md. Not used for tuning.
  const unseen = judgeProjects(20_261);
  t.true(shareOf(unseen.found) >= 0.99 && shareOf(unseen.same) >= 0.95, JSON.stringify(unseen));
  const { same, found, companies, negatives } = judgeProjects(1);
  t.true(same.pairs > 600);
  t.true(shareOf(found) >= 0.99, `precision: ${found.pairs - found.joined} of ${found.pairs} wrong`);
  t.true(shareOf(same) >= 0.92, `recall: ${same.pairs - same.joined} of ${same.pairs} missed`);
  t.true(companies.found <= companies.stated * 1.1 && companies.mixed <= 2, JSON.stringify(companies));
  for (const [kind, { joined, pairs }] of negatives) t.true(joined <= pairs * 0.02, `${kind}: ${joined} of ${pairs}`);
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
