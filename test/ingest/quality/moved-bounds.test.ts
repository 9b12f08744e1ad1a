import fc from 'fast-check';
import {
  cellName,
  FENCE_KINDS,
  type Fence,
  fenceKey,
  type Judged,
  judge,
  KINDS,
  TIERS,
} from '#ingest/quality/fences.ts';
import { movedBounds, movedFences } from '#ingest/quality/moved-bounds.ts';
import { test } from '#test/test.ts';

const anyAd = fc.record({
  city: fc.constantFrom('riyadh', 'abha'),
  listing_type: fc.constantFrom('rent', 'sale'),
  property_type: fc.constantFrom('apartment', 'land'),
  neighborhood_id: fc.constantFrom(null, 1001),
  bedrooms: fc.constantFrom(null, 2, 3),
  area_sqm: fc.constantFrom(null, 100, 250),
});
type AnyAd = Omit<Judged, 'price' | 'listing_category'>;

const judgedOf = (ad: AnyAd, price: number | null): Judged => ({ ...ad, listing_category: 'residential', price });

/** Fences for some of an ad's cells. They are drawn from few values, so that some bounds stay equal. */
const fencesOf = (ad: AnyAd) => {
  const cells = FENCE_KINDS.flatMap((kind) =>
    TIERS.flatMap((tier) => {
      const fence = cellName(kind, tier, judgedOf(ad, null));
      return fence === null ? [] : [{ kind, tier, fence }];
    }),
  );
  const end = fc.constantFrom(1, 100, 120, 300, 40_000);
  return fc
    .subarray(cells)
    .chain((chosen) => fc.tuple(...chosen.map((cell) => fc.tuple(fc.constant(cell), end, fc.option(end)))))
    .map(
      (made) =>
        new Map(
          made.map(([cell, low, high]): [string, Fence] => [
            fenceKey(cell.kind, cell.tier, cell.fence),
            { ...cell, sample: 40, median: low, mad: null, low, high: high === null ? null : Math.max(low, high) },
          ]),
        ),
    );
};

test('the plausibility of a price changes only if the price is between the old and the new value of a bound', (t) => {
  let changed = 0;
  let kept = 0;
  const markets = anyAd.chain((ad) =>
    fc.tuple(fc.constant(ad), fencesOf(ad), fencesOf(ad), fc.integer({ min: 1, max: 200_000 })),
  );
  fc.assert(
    fc.property(markets, ([ad, before, now, price]) => {
      const judged = judgedOf(ad, price);
      const bounds = movedBounds(judgedOf(ad, null), before, now, movedFences(before, now));
      const said = (fences: ReadonlyMap<string, Fence>) => KINDS.map((kind) => judge(kind, judged, fences) === null);
      if (String(said(before)) === String(said(now))) {
        if (bounds.length > 0) kept++;
        return true;
      }
      changed++;
      const rate = ad.area_sqm ? price / ad.area_sqm : Number.NaN;
      return bounds.some(({ perSqm, low, high }) => {
        const value = perSqm ? rate : price;
        return low <= value && value <= high;
      });
    }),
    { numRuns: 5_000 },
  );
  t.true(changed > 300 && kept > 300, `${changed} ${kept}`);
});

test('no price range is reevaluated if no fence has changed', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(
        anyAd.chain((ad) => fc.tuple(fc.constant(ad), fencesOf(ad))),
        ([ad, fences]) =>
          movedFences(fences, new Map(fences)).size === 0 &&
          movedBounds(judgedOf(ad, null), fences, fences, movedFences(fences, fences)).length === 0,
      ),
    ),
  );
});
