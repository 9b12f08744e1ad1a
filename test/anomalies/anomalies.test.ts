import { normalize } from '#ingest/normalize/normalize.ts';
import { Market } from '#ingest/quality/market.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { type Home, type Kind, makeHome, NEIGHBORHOODS, SEGMENTS, type Segment, UNUSUAL, WRONG } from './kinds.ts';

/** Number of ads per kind in each draw. */
const EACH = 12;

interface Ad {
  home: Home;
  posted: Pick<Home, 'price' | 'area' | 'bedrooms'>;
  /** Null for an ordinary home. */
  kind: string | null;
}

/** Draws a market of comparable homes, and planted ads. */
function draw(seed: number, kinds: Readonly<Record<string, Kind>>): Ad[] {
  const random = seeded(seed);
  const ordinary = Object.entries(SEGMENTS).flatMap(([segment, { count }]) =>
    Array.from({ length: count * NEIGHBORHOODS.length }, (_, at): Ad => {
      const home = makeHome(random, segment as Segment, at);
      return { home, posted: home, kind: null };
    }),
  );
  const planted = Object.entries(kinds).flatMap(([kind, { of, home: changes, post }]) =>
    Array.from({ length: EACH }, (_, at): Ad => {
      const place = Math.floor(random() * NEIGHBORHOODS.length);
      const home = makeHome(random, of[at % of.length] as Segment, place, changes);
      return { home, posted: { ...home, ...post?.(home, random) }, kind };
    }),
  );
  return [...ordinary, ...planted];
}

const isNear = (a: number | null, b: number, share: number): boolean => a !== null && Math.abs(a - b) <= share * b;

/** Returns the facts of an ad as read. */
function readAd({ home, posted: { price, area, bedrooms } }: Ad, id: number) {
  const { segment, neighborhood, age: age_years } = home;
  const { type: property_type, purpose } = SEGMENTS[segment];
  const place = { city: 'Riyadh', neighborhood };
  const stated = { purpose, property_type, price, price_period: 'yearly', area, bedrooms, age_years };
  const result = normalize({ name: 'ads' }, { source_listing_id: String(id), ...place, ...stated });
  if (!result.ok) throw new Error(`${segment}: ${result.reason}`);
  return { ...result.listing, id, price: result.listing.price_yearly_sar };
}

/** Reads and judges the ads as a run does. Figures within 5% of the true values are `corrected`, all others `wrong`. */
function outcomesOf(ads: readonly Ad[]): (Ad & { shown: 'hidden' | 'posted' | 'corrected' | 'wrong' })[] {
  const read = ads.map(readAd);
  const market = new Market();
  for (const ad of read) {
    const { city, listing_type, listing_category, property_type, neighborhood_id, bedrooms } = ad;
    const judged = { city, listing_type, listing_category, property_type, neighborhood_id, bedrooms };
    const key = Object.values(judged).join();
    market.add(ad.id, key, () => ({ ...judged, price: null, area_sqm: null }), ad.price, ad.area_sqm);
  }
  for (const { id, price } of market.correctPricesPerSqm()) Object.assign(read[id] ?? {}, { price });
  const searched = new Set<number>();
  market.forEach(market.fences(), (_, id, _typed, pooled) => {
    if (pooled) searched.add(id);
  });
  return ads.map((ad, id) => {
    const { price, area_sqm: area } = read[id] as (typeof read)[number];
    const { home, posted } = ad;
    const isPosted = isNear(price, posted.price, 0.001) && isNear(area, posted.area, 0.01);
    const isTrue = isNear(price, home.price, 0.05) && isNear(area, home.area, 0.05);
    const shown = price === null || !searched.has(id) ? 'hidden' : isPosted ? 'posted' : isTrue ? 'corrected' : 'wrong';
    return { ...ad, shown };
  });
}

test('ads with wrong numbers are hidden or corrected, and ads with unusual but right numbers are shown', (t) => {
  for (const seed of [26, 2_026]) {
    const outcomes = outcomesOf(draw(seed, { ...WRONG, ...UNUSUAL }));
    const shownAs = (wanted: 'posted' | 'wrong', name: string | null): number =>
      outcomes.filter(({ kind, shown }) => kind === name && shown === wanted).length;
    for (const name of Object.keys(WRONG)) {
      t.true(shownAs('posted', name) <= 2, `${seed}: ${shownAs('posted', name)} of ${name}`);
      t.is(shownAs('wrong', name), 0, `${seed}: ${name}`);
    }
    for (const name of Object.keys(UNUSUAL)) t.is(shownAs('posted', name), EACH, `${seed}: ${name}`);
    const ordinary = outcomes.filter(({ kind }) => kind === null).length;
    t.true(shownAs('posted', null) / ordinary >= 0.985);
  }
});
