import fc from 'fast-check';
import { flatMeters } from '#domain/geography/distance.ts';
import { NeighborhoodVote } from '#ingest/places/neighborhood-vote.ts';
import { test } from '#test/test.ts';

const AT = { lat: 24.8, lng: 46.6 };
/** Returns a point that is the given meters north and east of `AT`. */
const off = (north: number, east: number) => ({
  lat: AT.lat + north / 111_195,
  lng: AT.lng + east / (111_195 * Math.cos((AT.lat * Math.PI) / 180)),
});

test('the five nearest ads decide the neighborhood of a point; a tie clears it', (t) => {
  const meters = fc.integer({ min: -1_500, max: 1_500 });
  const ad = fc.record({ north: meters, east: meters, neighborhood: fc.integer({ min: 1, max: 3 }) });
  fc.assert(
    fc.property(fc.uniqueArray(ad, { maxLength: 40, selector: ({ north, east }) => `${north} ${east}` }), (ads) => {
      const vote = new NeighborhoodVote();
      const points = ads.map(({ north, east, neighborhood }) => ({ point: off(north, east), neighborhood }));
      for (const { point, neighborhood } of points) vote.add(point, neighborhood);
      const placed = points.map(({ point, neighborhood }) => ({ meters: flatMeters(AT, point), neighborhood }));
      // Rounding decides whether a point exactly at the maximum distance is included.
      if (placed.some(({ meters: m }) => Math.abs(m - 1_000) < 0.1)) return;
      const nearest = placed
        .filter(({ meters: m }) => m <= 1_000)
        .sort((a, b) => a.meters - b.meters || a.neighborhood - b.neighborhood)
        .slice(0, 5);
      const weights = [1, 2, 3].map((id) =>
        nearest.reduce((sum, ad) => sum + (ad.neighborhood === id ? 1 / (ad.meters + 10) : 0), 0),
      );
      const all = weights.reduce((sum, weight) => sum + weight, 0);
      const winner = weights.findIndex((weight) => weight >= all * 0.6) + 1;
      const margin = Math.max(...weights) / all - 0.6;
      if (Math.abs(margin) < 1e-3) return;
      t.deepEqual(vote.of(AT), nearest.length === 0 ? undefined : winner || null);
    }),
    { numRuns: 300 },
  );
});

test('many ads at one point have one vote, and an ad with a wrong point is outvoted', (t) => {
  const vote = new NeighborhoodVote();
  for (let repeat = 0; repeat < 1_000; repeat++) vote.add(off(60, 0), 2);
  for (const north of [-80, -90, -100, -110]) vote.add(off(north, 0), 1);
  t.is(vote.of(AT), 1);
});
