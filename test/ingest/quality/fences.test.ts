import test from 'ava';
import fc from 'fast-check';
import { CAPS } from '#domain/listings/caps.ts';
import { type Judged, judge } from '#ingest/quality/fences.ts';
import { Market } from '#ingest/quality/market.ts';

type Ad = Judged & { id: number };

/** The rules once more, as plainly as can be and from nothing but the ads. */
function oracle(ads: readonly Ad[], ad: Ad, typed: boolean): boolean {
  const {
    bedrooms,
    area: [least, most],
  } = CAPS[ad.property_type as keyof typeof CAPS];
  if (ad.bedrooms !== null && ad.bedrooms > bedrooms) return false;
  if (ad.area_sqm !== null && (ad.area_sqm < least || ad.area_sqm > most)) return false;
  if (ad.price === null) return true;
  const price = ad.price;
  const like = (...same: ((one: Ad) => unknown)[]) =>
    ads.filter(
      (one) =>
        one.price !== null &&
        one.listing_type === ad.listing_type &&
        (typed ? one.property_type === ad.property_type : one.listing_category === ad.listing_category) &&
        same.every((field) => field(one) === field(ad)),
    );
  // Land has no rooms, and no bedrooms say something of a home of one room alone.
  const rooms = ({ property_type: type, bedrooms: stated }: Ad) =>
    type === 'land' || stated === null || (stated === 0 && type !== 'apartment') ? null : Math.min(stated, 10);
  const hasRooms = (one: Ad) => typed || rooms(one) === null;
  const city = (one: Ad) => one.city;
  const tiers = [like(city, rooms), like(city, hasRooms), like(hasRooms)];
  const byArea = plausibleForArea(ads, ad);
  if (byArea !== null) return byArea;
  if (!isWithin(price, fenceOf(tiers.map((tier) => tier.map((one) => one.price as number))))) return false;
  if (ad.neighborhood_id === null) return true;
  const near = (one: Ad) => one.neighborhood_id;
  const band = (one: Ad) => {
    const count = rooms(one);
    return count === null ? null : [1, 3, 5, 99].findIndex((most) => count <= most);
  };
  const neighbors = (typed ? [like(near)] : [like(near, rooms), like(near, band), like(near, hasRooms)]).find(
    (one) => one.length >= 10,
  );
  return neighbors === undefined || price >= 0.3 * median(neighbors.map((one) => one.price as number)) - 1e-9;
}

/** Middle and half-width, in log price, of the first tier that has one and spans less than a thousandfold, or else of the narrowest. */
function fenceOf(tiers: number[][]): [middle: number, half: number] | null {
  const fences = tiers
    .filter((prices) => prices.length >= 30)
    .map((prices): [number, number] => {
      const middle = Math.log(median(prices));
      const spread = median(prices.map((price) => Math.abs(Math.log(price) - middle)));
      return [middle, Math.max(4 * 1.4826 * spread, Math.log(3))];
    });
  const narrow = fences.find(([, half]) => 2 * half <= Math.log(1_000));
  return narrow ?? [...fences].sort((a, b) => a[1] - b[1])[0] ?? null;
}

const isWithin = (price: number, fence: ReturnType<typeof fenceOf>): boolean =>
  fence === null || Math.abs(Math.log(price) - fence[0]) <= fence[1] + 1e-9;

/**
 * Land, farms and whole buildings are judged by their price for each square meter, among their own type; null where the
 * area is not known, or that price is not known of enough others.
 */
function plausibleForArea(ads: readonly Ad[], ad: Ad): boolean | null {
  const rateOf = (one: Ad) => (one.price === null || !one.area_sqm ? null : one.price / one.area_sqm);
  const rate = rateOf(ad);
  if (ad.property_type !== 'land' || rate === null) return null;
  const country = ads.filter(
    (one) => one.property_type === 'land' && one.listing_type === ad.listing_type && rateOf(one) !== null,
  );
  const tiers = [country.filter((one) => one.city === ad.city), country];
  const fence = fenceOf(tiers.map((tier) => tier.map((one) => rateOf(one) as number)));
  if (fence === null) return null;
  const near = country.filter((one) => ad.neighborhood_id !== null && one.neighborhood_id === ad.neighborhood_id);
  const floor = near.length < 10 ? 0 : 0.3 * median(near.map((one) => rateOf(one) as number));
  return isWithin(rate, fence) && rate >= floor - 1e-9;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] as number;
}

const anyAd = fc.record({
  city: fc.constantFrom('riyadh', 'abha'),
  listing_type: fc.constantFrom('rent', 'sale'),
  property_type: fc.constantFrom('apartment', 'villa', 'land', 'office'),
  neighborhood_id: fc.constantFrom(null, 1001, 1002),
  bedrooms: fc.constantFrom(null, 0, 2, 3, 5, 12, 40),
  area_sqm: fc.constantFrom(null, 1, 120, 400, 99_999),
  // Mostly a market, with a tail on either side.
  price: fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 12, arbitrary: fc.integer({ min: 30_000, max: 90_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 10_000_000 }) },
  ),
});

const category = (type: string) => (type === 'office' ? 'commercial' : 'residential');

test('flags are what the rules say, for any market', (t) => {
  fc.assert(
    fc.property(fc.array(anyAd, { minLength: 1, maxLength: 400, size: 'max' }), (rows) => {
      const ads = rows.map(
        (row, index): Ad => ({ ...row, id: index + 1, listing_category: category(row.property_type) }),
      );
      const market = new Market();
      for (const ad of ads) {
        const { id, price, area_sqm, ...rest } = ad;
        market.add(id, JSON.stringify(rest), () => ({ ...rest, price: null, area_sqm: null }), price, area_sqm);
      }
      let wrong = 0;
      market.forEach(market.fences(), (index, id, typed, pooled) => {
        const ad = ads[index] as Ad;
        if (ad.id !== id || typed !== oracle(ads, ad, true) || pooled !== oracle(ads, ad, false)) wrong++;
      });
      return wrong === 0;
    }),
    { numRuns: 60 },
  );
  t.pass();
});

/** Apartments of one cell at these prices. */
function marketOf(prices: readonly number[]) {
  const market = new Market();
  const judged: Judged = {
    city: 'riyadh',
    listing_type: 'rent',
    listing_category: 'residential',
    property_type: 'apartment',
    neighborhood_id: 1001,
    bedrooms: 3,
    area_sqm: 120,
    price: null,
  };
  for (const [index, price] of prices.entries()) market.add(index, 'one', () => judged, price, 120);
  const fences = market.fences();
  return (price: number | null, changes: Partial<Judged> = {}) =>
    judge('typed', { ...judged, ...changes, price }, fences)?.rule ?? null;
}

const usual = Array.from({ length: 60 }, (_, index) => 50_000 + (index % 20) * 1_000);

test('a price too many or too few digits long is hidden, a cheap one under 30% of the neighborhood too', (t) => {
  const rule = marketOf(usual);
  t.is(rule(55_000), null);
  t.is(rule(590_000), 'price_high');
  t.is(rule(5_900), 'price_low');
  t.is(rule(17_000), 'price_low');
  t.is(rule(null), null);
  t.is(rule(55_000, { bedrooms: 40 }), 'bedrooms');
  t.is(rule(55_000, { area_sqm: 99_999 }), 'area');
  // Wide market: the fence lets through what the floor of the neighborhood does not.
  const wide = marketOf(Array.from({ length: 60 }, (_, index) => 20_000 * 1.06 ** index));
  t.is(wide(12_000, { neighborhood_id: null }), null);
  t.is(wide(12_000), 'neighborhood_floor');
});

test('where all prices are equal, others are still believed', (t) => {
  const rule = marketOf(usual.map(() => 50_000));
  t.is(rule(80_000), null);
  t.is(rule(500_000), 'price_high');
});

test('what is no home of its type is hidden among all types too', (t) => {
  const fences = marketOfAds(plots).fences();
  const flat = (changes: Partial<Ad>): Ad => ({
    ...plot(1, 50_000, 59, 'rent'),
    property_type: 'apartment',
    ...changes,
  });
  t.is(judge('pooled', flat({ bedrooms: 40 }), fences)?.rule, 'bedrooms');
  t.is(judge('pooled', flat({ area_sqm: 99_999 }), fences)?.rule, 'area');
  t.is(judge('pooled', flat({ bedrooms: 3 }), fences), null);
});

test('a neighborhood with few homes of as many bedrooms has a floor all the same', (t) => {
  const home = (id: number, bedrooms: number, price: number): Ad => ({
    ...plot(id, price, 300, 'rent'),
    property_type: 'villa',
    neighborhood_id: 1001,
    bedrooms,
  });
  const ads = Array.from({ length: 12 }, (_, index) => home(index + 1, 4, 100_000 + 1_000 * index));
  const rule = (ad: Ad) => judge('pooled', ad, marketOfAds(ads).fences())?.rule ?? null;
  t.is(rule(home(99, 5, 20_000)), 'neighborhood_floor', 'about as many');
  t.is(rule(home(99, 9, 20_000)), 'neighborhood_floor', 'any number');
  t.is(rule(home(99, 9, 40_000)), null);
});

test('land that states no bedrooms is compared with all land; a fence that says nothing gives way to a wider one', (t) => {
  const wide = Array.from({ length: 40 }, (_, index) => ({
    ...plot(index + 1, 100 * 1.6 ** index, 500),
    area_sqm: null,
  }));
  const usualPlots = Array.from({ length: 200 }, (_, index) => ({
    ...plot(index + 100, 900_000 + 1_000 * index, 500),
    city: 'abha',
    area_sqm: null,
  }));
  const fences = marketOfAds([...wide, ...usualPlots]).fences();
  const rule = (price: number, bedrooms: number | null) =>
    judge('typed', { ...plot(999, price, 500), area_sqm: null, bedrooms }, fences)?.rule ?? null;
  for (const bedrooms of [null, 0]) {
    t.is(rule(1_000_000, bedrooms), null);
    t.is(rule(5_000, bedrooms), 'price_low');
    t.is(rule(5e9, bedrooms), 'price_high');
  }
});

test('few prices make no fence', (t) => {
  t.is(marketOf(usual.slice(0, 5))(5_000_000), null);
});

test('doubling every price changes no verdict', (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1_000, max: 1_000_000 }), { minLength: 30, maxLength: 80 }), (prices) => {
      const [single, double] = [marketOf(prices), marketOf(prices.map((price) => price * 2))];
      return prices.every((price) => single(price) === double(price * 2));
    }),
  );
  t.pass();
});

const plot = (id: number, price: number, area: number, listing_type = 'sale'): Ad => ({
  id,
  city: 'riyadh',
  listing_type,
  listing_category: 'residential',
  property_type: 'land',
  neighborhood_id: null,
  bedrooms: null,
  price,
  area_sqm: area,
});

function marketOfAds(ads: readonly Ad[]): Market {
  const market = new Market();
  for (const { id, price, area_sqm, ...rest } of ads)
    market.add(id, JSON.stringify(rest), () => ({ ...rest, price: null, area_sqm: null }), price, area_sqm);
  return market;
}

/** Plots of all sizes, at 2,000 to 4,360 SAR for each square meter. */
const plots = Array.from({ length: 60 }, (_, index) => {
  const area = Math.round(100 * 1.08 ** ((index * 37) % 60));
  return plot(index + 1, (2_000 + 40 * index) * area, area);
});

test('land at the price of its area is plausible, at a tenth or ten times of it not', (t) => {
  const ads = [...plots, plot(100, 900_000, 3_000), plot(101, 900_000, 300), plot(102, 900_000, 30)];
  const market = marketOfAds(ads);
  const fences = market.fences();
  const judged = new Map(ads.map((ad) => [ad.id, judge('typed', ad, fences)?.rule ?? null]));
  t.is(judged.get(100), 'price_per_sqm_low');
  t.is(judged.get(101), null);
  t.is(judged.get(102), 'area');
  t.is(judge('pooled', plot(103, 6_000_000, 100), fences)?.rule, 'price_per_sqm_high');
});

test('a large plot and a small one are plausible at the usual price of a square meter', (t) => {
  const alike = Array.from({ length: 60 }, (_, index) => ({
    ...plot(index + 1, (2_000 + 40 * index) * (400 + index), 400 + index),
    neighborhood_id: index < 20 ? 1001 : null,
  }));
  const fences = marketOfAds(alike).fences();
  const rule = (ad: Ad) => judge('typed', ad, fences)?.rule ?? judge('pooled', ad, fences)?.rule ?? null;
  t.is(rule(plot(100, 2_500 * 90_000, 90_000)), null);
  t.is(rule({ ...plot(101, 2_500 * 60, 60), neighborhood_id: 1001 }), null);
  t.is(rule({ ...plot(102, 650 * 900, 900), neighborhood_id: null }), 'price_per_sqm_low');
  t.is(rule({ ...plot(103, 450_000_000, 450), neighborhood_id: null }), 'price_per_sqm_high');
  // Where the market is wide, the neighborhood has a floor of the price of a square meter.
  const wide = Array.from({ length: 60 }, (_, index) => plot(index + 200, 300 * 1.08 ** index * 500, 500));
  const cheap = { ...plot(104, 700 * 500, 500), neighborhood_id: 1001 };
  const both = marketOfAds([...alike, ...wide]).fences();
  t.is(judge('typed', cheap, both)?.rule, 'neighborhood_floor');
  t.is(judge('typed', { ...cheap, neighborhood_id: null }, both), null);
});

test('a sale posted at the price of a square meter is found by its market, and nothing else is', (t) => {
  const ads = [
    ...plots,
    plot(100, 3_000, 360),
    plot(101, 1_900, 500),
    // Neither a price of the whole nor of a square meter.
    plot(102, 40_000, 360),
    plot(103, 12, 360),
    // Small, and plausible as it is.
    plot(104, 250_000, 100),
    // Rents are not looked at.
    plot(105, 3_000, 360, 'rent'),
  ];
  const market = marketOfAds(ads);
  t.deepEqual(market.correctPricesPerSqm(), [
    { id: 100, price: 3_000 * 360 },
    { id: 101, price: 1_900 * 500 },
  ]);
  t.deepEqual(market.correctPricesPerSqm(), []);
  const judged = new Map<number, boolean>();
  market.forEach(market.fences(), (_, id, typed) => judged.set(id, typed));
  t.deepEqual(
    [100, 101, 102, 103, 104].map((id) => judged.get(id)),
    [true, true, false, false, true],
  );
});

test('a market too small to know has no price for each square meter', (t) => {
  t.deepEqual(marketOfAds([...plots.slice(0, 20), plot(100, 3_000, 360)]).correctPricesPerSqm(), []);
});
