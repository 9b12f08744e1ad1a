import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { seeded } from '#test/random.ts';
import { ad } from '../../ingest/run/pipeline.ts';

/** Times at which the sources of the simulated market are read. Two of them are the first moment of a month. */
export const TIMES = [
  '2026-03-09T03:00:00Z',
  '2026-03-25T03:00:00Z',
  '2026-04-01T00:00:00Z',
  '2026-04-20T03:00:00Z',
  '2026-05-02T03:00:00Z',
  '2026-05-20T03:00:00Z',
  '2026-07-01T00:00:00Z',
  '2026-07-15T03:00:00Z',
] as const;

/** An ad over time: its content at each of `TIMES`; null if its source does not list it. */
export interface Life {
  id: string;
  listingType: 'rent' | 'sale';
  bedrooms: number;
  area: number;
  /** Years; null if the ad states none. */
  age: number | null;
  days: ({ price: number | null } | null)[];
}

/** Prices below this amount in SAR are typing errors in the simulated market, and are implausible. */
export const SLIP = 2_000;

/** Generates ads that appear, disappear, return, change their price, lose it, or have an absurd price for a while. */
export function invent(count: number, seed: number): Life[] {
  const random = seeded(seed);
  const price = (): number => 40_000 + Math.floor(random() * 200) * 100;
  return Array.from({ length: count }, (_, index) => {
    let now: number | null = random() < 0.08 ? null : price();
    let listed = random() < 0.75;
    const days = TIMES.map(() => {
      if (random() < 0.15) listed = !listed;
      const event = random();
      if (event < 0.2) now = price();
      else if (event < 0.24) now = null;
      else if (event < 0.28) now = 400 + Math.floor(random() * 1_000);
      else if (event < 0.45 && now !== null && now < SLIP) now = price();
      return listed ? { price: now } : null;
    });
    const listingType = random() < 0.85 ? 'rent' : 'sale';
    const bedrooms = 1 + Math.floor(random() * 4);
    const age = index % 7 === 0 ? null : index % 12;
    return { id: `life${index}`, listingType, bedrooms, area: 90 + (index % 60), age, days };
  });
}

/** Returns the feed at one of `TIMES`. Ads are more than a kilometer apart, so that none are merged. */
export function feedOf(lives: readonly Life[], time: number): FeedRow[] {
  return lives.flatMap((life, index) => {
    const day = life.days[time];
    if (!day) return [];
    return ad(life.id, {
      purpose: life.listingType,
      price: day.price,
      price_period: life.listingType === 'rent' ? 'yearly' : null,
      bedrooms: life.bedrooms,
      area: life.area,
      age_years: life.age,
      lat: 24.6 + Math.floor(index / 15) * 0.013,
      lng: 46.6 + (index % 15) * 0.013,
    });
  });
}
