import fc from 'fast-check';
import { type Clustered, clustersOf } from '#domain/statistics/clusters.ts';
import { sphericalMeters } from '#test/distance.ts';
import { test } from '#test/test.ts';

/**
 * Points around one place on a grid of a few meters, so that many distances are close to 30 m, the limit for one building.
 */
const observation = fc.record({
  lat: fc.integer({ min: 0, max: 60 }).map((step) => 24.7 + step * 0.00009),
  lng: fc.integer({ min: 0, max: 60 }).map((step) => 46.7 + step * 0.00009),
  compound: fc.constantFrom(null, null, null, 'palm court'),
  advertiser: fc.constantFrom(null, null, null, null, 'a', 'b'),
});

/** Returns the distance in meters; infinite if coordinates are missing. */
function meters({ lat, lng }: Clustered, b: Clustered): number {
  if (lat === null || lng === null || b.lat === null || b.lng === null) return Number.POSITIVE_INFINITY;
  return sphericalMeters({ lat, lng }, { lat: b.lat, lng: b.lng });
}

/** Reference implementation: a brute-force pairwise comparison that numbers connected groups by their first members. */
function plainClusters(observations: readonly Clustered[]): number[] {
  const joined = (a: Clustered, b: Clustered): boolean =>
    meters(a, b) <= 30 ||
    (a.compound !== null && a.compound === b.compound) ||
    (a.advertiser !== null && a.advertiser === b.advertiser);
  const numbers = observations.map(() => -1);
  let next = 0;
  for (const [index] of observations.entries()) {
    if (numbers[index] !== -1) continue;
    const open = [index];
    numbers[index] = next;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const [other, candidate] of observations.entries()) {
        if (numbers[other] !== -1 || !joined(observations[at] as Clustered, candidate)) continue;
        numbers[other] = next;
        open.push(other);
      }
    }
    next += 1;
  }
  return numbers;
}

test('clusters match those of a brute-force pairwise comparison', (t) => {
  fc.assert(
    fc.property(fc.array(observation, { maxLength: 60, size: 'max' }), (observations) => {
      t.deepEqual([...clustersOf(observations)], plainClusters(observations));
    }),
    { numRuns: 300 },
  );
});
