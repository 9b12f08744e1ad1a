import fc from 'fast-check';
import { CAPS } from '#domain/listings/caps.ts';
import { Market } from '#ingest/quality/ad-market.ts';
import { boundsOf, judgeWithin, type PlausibilityFacts } from '#ingest/quality/fences.ts';
import { test } from '#test/test.ts';

type Ad = PlausibilityFacts & { id: number };

/** Reference implementation: evaluates an ad directly from all ads in the market. */
function oracle(ads: readonly Ad[], ad: Ad, typed: boolean): boolean {
  const {
    bedrooms,
    area: [least, most],
  } = CAPS[ad.property_type as keyof typeof CAPS];
  if (ad.bedrooms !== null && ad.bedrooms > bedrooms) return false;
  if (ad.area_sqm !== null && (ad.area_sqm < least || ad.area_sqm > most)) return false;
  if (ad.price === null) return true;
  const price = ad.price;
  const byArea = plausibleForArea(ads, ad);
  if (byArea === 'implausible' || (byArea !== null && ad.property_type === 'land')) return byArea !== 'implausible';
  if (byArea !== 'vouched') {
    // In searches across all types, the fence of the home's own type is widened. Without one there are no bounds.
    const own = priceFence(ads, ad, true);
    const shown = own === null ? [] : [own, typed ? null : priceFence(ads, ad, false)].filter((one) => one !== null);
    const ends = shown.flatMap(([middle, half]) => [middle - half, middle + half]);
    const place = Math.log(price);
    if (ends.length > 0 && (place < Math.min(...ends) - 1e-9 || place > Math.max(...ends) + 1e-9)) return false;
  }
  if (ad.neighborhood_id === null) return true;
  const near = ads.filter(
    (one) =>
      one.price !== null &&
      one.neighborhood_id === ad.neighborhood_id &&
      one.listing_type === ad.listing_type &&
      one.property_type === ad.property_type,
  );
  const neighbors = [near.filter((one) => roomsOf(one) === roomsOf(ad)), near].find((one) => one.length >= 10);
  return neighbors === undefined || price >= 0.3 * median(neighbors.map((one) => one.price as number)) - 1e-9;
}

/** Land has no rooms, and zero bedrooms are meaningful only for homes of one room. */
const roomsOf = ({ property_type: type, bedrooms: stated }: Ad) =>
  type === 'land' || stated === null || (stated === 0 && type !== 'apartment') ? null : Math.min(stated, 10);

/** Returns the tiers of ads to compare an ad's total price with, from narrowest to widest. */
function tiersOf(ads: readonly Ad[], ad: Ad, typed: boolean): Ad[][] {
  const like = (...same: ((one: Ad) => unknown)[]) =>
    ads.filter(
      (one) =>
        one.price !== null &&
        one.listing_type === ad.listing_type &&
        (typed ? one.property_type === ad.property_type : one.listing_category === ad.listing_category) &&
        same.every((field) => field(one) === field(ad)),
    );
  const hasRooms = (one: Ad) => typed || roomsOf(one) === null;
  const city = (one: Ad) => one.city;
  return [like(city, roomsOf), like(city, hasRooms), like(hasRooms)];
}

const priceFence = (ads: readonly Ad[], ad: Ad, typed: boolean) =>
  fenceOf(tiersOf(ads, ad, typed).map((tier) => tier.map((one) => one.price as number)));

/**
 * Returns center and half-width, in log price, of the first tier with a fence that spans less than a factor of 1,000, or of
 * the narrowest.
 */
function fenceOf(
  tiers: number[][],
  narrowest = 3,
  enough = (_tier: number) => 30,
): [middle: number, half: number] | null {
  const fences = tiers
    .filter((prices, tier) => prices.length >= enough(tier))
    .map((prices): [number, number] => {
      const middle = Math.log(median(prices));
      const spread = median(prices.map((price) => Math.abs(Math.log(price) - middle)));
      return [middle, Math.max(4 * 1.4826 * spread, Math.log(narrowest))];
    });
  const narrow = fences.find(([, half]) => 2 * half <= Math.log(1_000));
  return narrow ?? [...fences].sort((a, b) => a[1] - b[1])[0] ?? null;
}

const isWithin = (price: number, fence: ReturnType<typeof fenceOf>): boolean =>
  fence === null || Math.abs(Math.log(price) - fence[0]) <= fence[1] + 1e-9;

/**
 * The result for the price per square meter within a type: homes are compared with the neighborhood first, and land has a floor
 * there; null if the area or enough comparable prices are missing.
 */
function plausibleForArea(ads: readonly Ad[], ad: Ad): 'implausible' | 'plausible' | 'vouched' | null {
  const rateOf = (one: Ad) => (one.price === null || !one.area_sqm ? null : one.price / one.area_sqm);
  const rate = rateOf(ad);
  if (rate === null) return null;
  const country = ads.filter(
    (one) => one.property_type === ad.property_type && one.listing_type === ad.listing_type && rateOf(one) !== null,
  );
  const isLand = ad.property_type === 'land';
  const near = country.filter((one) => ad.neighborhood_id !== null && one.neighborhood_id === ad.neighborhood_id);
  const tiers = [isLand ? [] : near, country.filter((one) => one.city === ad.city), country];
  const fence = fenceOf(
    tiers.map((tier) => tier.map((one) => rateOf(one) as number)),
    4,
    (tier) => (tier === 0 ? 10 : 30),
  );
  if (fence === null) return null;
  const floor = !isLand || near.length < 10 ? 0 : 0.3 * median(near.map((one) => rateOf(one) as number));
  if (!isWithin(rate, fence) || rate < floor - 1e-9) return 'implausible';
  return Math.abs(Math.log(rate) - fence[0]) <= Math.log(4) + 1e-9 ? 'vouched' : 'plausible';
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] as number;
}

const anyAd = fc.record({
  city: fc.constantFrom('riyadh' as const, 'abha' as const),
  listing_type: fc.constantFrom('rent', 'rent', 'rent', 'rent', 'sale'),
  property_type: fc.constantFrom('apartment', 'apartment', 'apartment', 'villa', 'villa', 'land', 'office'),
  neighborhood_id: fc.constantFrom(null, 1001, 1002),
  bedrooms: fc.constantFrom(null, 0, 3, 3, 3, 5, 12, 40),
  area_sqm: fc.constantFrom(null, null, 1, 120, 400, 99_999),
  // Most ads belong to one market, with tails of low and high prices.
  price: fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 12, arbitrary: fc.integer({ min: 30_000, max: 90_000 }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 160 }).map((log) => Math.round(Math.exp(log / 10))) },
  ),
});

/** Villas may cost many times as much as other homes, and prices in a city may be almost equal or very different. */
const anyMarket = fc.record({
  villas: fc.constantFrom(1, 20),
  spread: fc.record({ riyadh: fc.constantFrom(0.2, 1, 3), abha: fc.constantFrom(0.2, 1, 3) }),
});

const category = (type: string) => (type === 'office' ? 'commercial' : 'residential');

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

test('plausibility flags follow the rules in any market', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(
        fc.array(anyAd, { minLength: 1, maxLength: 400, size: 'max' }),
        anyMarket,
        (rows, { villas, spread }) => {
          const ads = rows.map((row, index): Ad => {
            const level = 50_000 * (row.property_type === 'villa' ? villas : 1);
            const price = row.price && Math.max(1, Math.round(level * (row.price / 50_000) ** spread[row.city]));
            return { ...row, id: index + 1, listing_category: category(row.property_type), price };
          });
          const market = marketOfAds(ads);
          let wrong = 0;
          for (const [{ id }, flags] of market.verdicts(market.fences())) {
            const ad = ads[id - 1] as Ad;
            if (flags !== (oracle(ads, ad, true) ? 1 : 0) + (oracle(ads, ad, false) ? 2 : 0)) wrong++;
          }
          return wrong === 0;
        },
      ),
      { numRuns: 60, endOnFailure: true },
    ),
  );
});

function marketOfAds(ads: readonly Ad[]): Market {
  const market = new Market();
  for (const { id, price, area_sqm, ...rest } of ads)
    market.add(JSON.stringify(rest), () => ({ ...rest, price: null, area_sqm: null }), { id, price, area: area_sqm });
  return market;
}

test('homes with wrong numbers are hidden, and those with unusual but possible ones are shown', (t) => {
  // Flats of 100 to 159 m², for sale and for a yearly rent of 6%.
  const flats = Array.from({ length: 120 }, (_, index): Ad => {
    const area = 100 + (index % 60);
    const rate = 6_000 * (1 + (index % 7) / 20) * (index % 2 === 1 ? 0.06 : 1);
    const ad = plot(index, Math.round(rate * area), area, index % 2 === 1 ? 'rent' : 'sale');
    return { ...ad, property_type: 'apartment', neighborhood_id: 1001, bedrooms: 3 };
  });
  const fences = marketOfAds(flats).fences();
  for (const [name, isShown, listing_type, price, area_sqm] of [
    ['price per m² as total', false, 'sale', 6_900, 130],
    ['price in halalas', false, 'sale', 90_000_000, 130],
    ['a placeholder', false, 'sale', 1_234, 130],
    ['a yearly rent posted as sale', false, 'sale', 54_000, 130],
    ['the area in square feet', false, 'sale', 900_000, 1_399],
    ['price and area swapped', false, 'sale', 130, 900_000],
    ['a monthly rent as yearly', false, 'rent', 4_500, 130],
    ['a sale price posted as rent', false, 'rent', 900_000, 130],
    ['a bait, 60% below', true, 'sale', 360_000, 130],
    ['luxury, 70% above', true, 'sale', 1_530_000, 130],
    ['a flat of twice the size', true, 'sale', 1_800_000, 260],
    ['a usual rent', true, 'rent', 54_000, 130],
  ] as const) {
    const home = { ...(flats[0] as Ad), listing_type, price, area_sqm };
    for (const kind of ['typed', 'pooled'] as const)
      t.is(judgeWithin(home, boundsOf(kind, home, fences)) === null, isShown, name);
  }
});

/** Plots of all sizes, at 2,000 to 4,360 SAR per square meter. */
const plots = Array.from({ length: 60 }, (_, index) => {
  const area = Math.round(100 * 1.08 ** ((index * 37) % 60));
  return plot(index + 1, (2_000 + 40 * index) * area, area);
});

test('market prices correct only sales that were posted at a price per square meter', (t) => {
  const ads = [
    ...plots,
    plot(100, 3_000, 360),
    plot(101, 1_900, 500),
    // A price that is implausible both as a total and per square meter.
    plot(102, 40_000, 360),
    plot(103, 12, 360),
    // A small plot with a plausible total price.
    plot(104, 250_000, 100),
    // Rents are not checked.
    ...plots.map((ad) => ({ ...ad, id: ad.id + 200, listing_type: 'rent' })),
    plot(105, 3_000, 360, 'rent'),
  ];
  const market = marketOfAds(ads);
  t.deepEqual(market.correctPricesPerSqm(), [
    { id: 100, price: 3_000 * 360 },
    { id: 101, price: 1_900 * 500 },
  ]);
  t.deepEqual(market.correctPricesPerSqm(), []);
  const judged = new Map([...market.verdicts(market.fences())].map(([{ id }, flags]) => [id, (flags & 1) === 1]));
  t.deepEqual(
    [100, 101, 102, 103, 104].map((id) => judged.get(id)),
    [true, true, false, false, true],
  );
  t.deepEqual(marketOfAds([...plots.slice(0, 20), plot(100, 3_000, 360)]).correctPricesPerSqm(), [], 'a small market');
});
