import { PROPERTY_TYPES } from '#domain/listings/vocabulary.ts';
import { loadSources } from '#ingest/load-sources.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import type { Judged } from '#ingest/quality/fences.ts';
import { Market } from '#ingest/quality/market.ts';
import { seeded } from '#test/random.ts';
import { publicData, testWith } from './public-data.ts';

/** Numbers of ads of the installations: all ads, and draws in which most types have too few prices for a fence. */
const SIZES = [Number.POSITIVE_INFINITY, 5_000, 1_000, 300, 100];
const DRAWS = 20;

async function publicAds(): Promise<Judged[]> {
  const at = new Date('2026-01-01');
  const ads: Judged[] = [];
  for (const source of await loadSources({ dataDir: publicData() })) {
    for await (const row of source.rows({ at, signal: AbortSignal.timeout(60_000) })) {
      const read = row.ok ? normalize(source, row.raw, at) : row;
      if (read.ok && 'listing' in read) ads.push({ ...read.listing, price: read.listing.price_yearly_sar });
    }
  }
  return ads;
}

function marketOf(ads: readonly Judged[]): Market {
  const market = new Market();
  for (const [id, ad] of ads.entries()) {
    const { city, listing_type, listing_category, property_type, neighborhood_id, bedrooms } = ad;
    const profile = { city, listing_type, listing_category, property_type, neighborhood_id, bedrooms };
    market.add(id, JSON.stringify(profile), () => ({ ...profile, area_sqm: null, price: null }), ad.price, ad.area_sqm);
  }
  return market;
}

/** Counts the listings that searches of one type, and of all types, show in each city. */
function countsOf(ads: readonly Judged[]) {
  const cities = new Map<string, { byType: Map<string, number>; all: number }>();
  const verdicts = { lost: 0, added: 0 };
  const market = marketOf(ads);
  market.forEach(market.fences(), (index, _, typed, pooled) => {
    const ad = ads[index];
    if (ad === undefined || ad.price === null) return;
    const place = `${ad.city} ${ad.listing_type}`;
    const counts = cities.get(place) ?? { byType: new Map<string, number>(), all: 0 };
    cities.set(place, counts);
    if (typed) counts.byType.set(ad.property_type, (counts.byType.get(ad.property_type) ?? 0) + 1);
    if (pooled) counts.all++;
    if (typed && !pooled) verdicts.lost++;
    if (pooled && !typed) verdicts.added++;
  });
  return { cities, verdicts };
}

testWith('listings')('among public ads, a search of all types shows what a search of any of them shows', async (t) => {
  const ads = await publicAds();
  t.true(ads.length > 10_000, `${ads.length} ads`);
  const random = seeded(47);
  for (const size of SIZES) {
    const sum = { lost: 0, added: 0 };
    for (let draw = 0; draw < (Number.isFinite(size) ? DRAWS : 1); draw++) {
      const { cities, verdicts } = countsOf(ads.filter(() => random() < size / ads.length));
      for (const [place, { byType, all }] of cities) {
        const ofTypes = PROPERTY_TYPES.reduce((total, type) => total + (byType.get(type) ?? 0), 0);
        t.true(all >= ofTypes, `${place}: ${all}, of types ${ofTypes}`);
      }
      sum.lost += verdicts.lost;
      sum.added += verdicts.added;
    }
    t.log({ size, ...sum });
    t.is(sum.lost, 0);
  }
});
