import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { RentFrequency } from '#domain/listing-vocabulary.ts';
import { exampleHomes } from './examples.ts';
import { FEEDS, type FeedLayout, feedOf } from './feeds.ts';
import { type Ad, advertiser, homesOfGroup, marketOf, moved, type Property, posted } from './homes.ts';
import { homePicture, streetPicture } from './pictures.ts';
import { hashText, Random, Weighted } from './random.ts';
import { type AdText, writeText } from './texts.ts';
import { type Step, timeline } from './timeline.ts';
import { feedWriter } from './writer.ts';

export interface SampleOptions {
  dir: string;
  /** Approximate number of live ads on the last day. */
  listings: number;
  seed: number;
  /** Consecutive days with feeds, 1 to 60. */
  days: number;
  until: string;
  /** First day of monthly feeds before the daily ones. */
  since?: string | undefined;
  hostUrl: string;
  signal?: AbortSignal;
}

export type SampleSummary = Awaited<ReturnType<typeof generateSample>>;

const RATES = { copied: 0.25, noPhotos: 0.06, noPrice: 0.01 } as const;
/** Number of copies of a property that has any. */
const COPY_COUNTS = new Weighted([1, 2, 3].map((count) => [count, 65 / count ** 1.6]));

/**
 * Writes a sample. Each group of homes is generated, written to the feeds of all days and discarded, so that memory
 * does not grow with the number of listings. Returns the number of valid ads, of those in the feeds of the last day
 * (`live`), and of rows in all feeds.
 */
export async function generateSample(options: SampleOptions, onProgress?: (done: number, total: number) => void) {
  const { dir, listings, seed, hostUrl, signal } = options;
  const steps = timeline(options.until, options.days, options.since);
  rmSync(join(dir, 'feeds'), { recursive: true, force: true });
  const days = steps.map(({ day }) => day);
  const { ads: total, firstStep } = planOf(listings, steps);
  const { counts, write, close } = feedWriter(dir, steps, firstStep);
  let properties = 0;
  const nextId = (): number => ++properties;
  let lastAd = 1_000_000;
  const nextAd = (): string => String(++lastAd);
  const market = marketOf(listings);
  try {
    const exampleRandom = new Random(seed, 0xffff_ffff);
    for (const example of exampleHomes(exampleRandom, nextId)) {
      const layout = feedOf(example.source);
      const text = writeText(exampleRandom, example.property, 0);
      const ad = {
        ...plainAd(layout, example.property, text, nextAd()),
        photos: picturesOf(example.property, 0, hostUrl),
      };
      write(exampleRandom, layout, ad, example);
    }
    for (let group = 0; counts.ads < total; group++) {
      const random = new Random(seed, group);
      for (const property of homesOfGroup(random, nextId, market))
        for (const [layout, ad] of adsOf(random, property, hostUrl, nextAd)) write(random, layout, ad);
      if (group % 500 !== 499) continue;
      onProgress?.(Math.min(counts.ads, total), total);
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
  } finally {
    close();
  }
  onProgress?.(total, total);
  const manifest = { seed, days, host_url: hostUrl, ...counts, properties };
  writeFileSync(join(dir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return { dir, ...manifest };
}

/** Computes how many ads to generate, and the cumulative share of ads first seen up to each step. */
function planOf(live: number, steps: readonly Step[]): { ads: number; firstStep: number[] } {
  const growth = steps.slice(1).reduce((product, { newAds, withdrawn }) => product * (1 + newAds - withdrawn), 1);
  let stock = live / growth;
  const made = steps.map(({ newAds, withdrawn }, at) => {
    if (at === 0) return stock;
    const fresh = stock * newAds;
    stock += fresh - stock * withdrawn;
    return fresh;
  });
  const ads = made.reduce((sum, each) => sum + each, 0);
  let upTo = 0;
  const firstStep = made.map((each) => {
    upTo += each;
    return upTo / ads;
  });
  return { ads: Math.round(ads), firstStep };
}

function adsOf(random: Random, property: Property, hostUrl: string, nextId: () => string): [FeedLayout, Ad][] {
  const used = new Set<FeedLayout>();
  const ads: [FeedLayout, Ad][] = [];
  const copies = random.chance(RATES.copied) ? COPY_COUNTS.pick(random) : 0;
  const rent = property.listing_type === 'rent';
  for (let at = 0; at <= copies; at++) {
    // Copies of a stay with a second price would be detected as another home.
    const free = FEEDS.filter((feed) => !used.has(feed) && !(feed.stays && at > 0) && (feed.takes?.(property) ?? true));
    const layout = new Weighted(free.map((feed) => [feed, feed.weight])).pick(random);
    used.add(layout);
    const copy = at > 0;
    const first = ads[0]?.[1];
    const text = first && random.chance(0.25) ? first : writeText(random, property, layout.english ?? 0);
    const frequency = rent
      ? random.chance(0.65)
        ? (layout.periods[0] as RentFrequency)
        : random.pick(layout.periods)
      : null;
    const price = copy && random.chance(0.6) ? property.price * random.between(0.97, 1.03) : property.price;
    const ad: Ad = {
      ...plainAd(layout, property, text, nextId()),
      price: random.chance(RATES.noPrice) ? null : posted(price, frequency, layout.stays),
      frequency,
      area: copy && random.chance(0.5) ? Math.max(5, Math.round(property.area / 5) * 5) : property.area,
      point: pointOf(random, property, layout, copy),
      photos: random.chance(RATES.noPhotos) ? [] : picturesOf(property, copy && random.chance(0.3) ? at : 0, hostUrl),
      advertiser: copy && random.chance(0.55) ? advertiser(random, property.city.slug) : property.advertiser,
      verified: random.chance(0.4),
      pay_later_monthly: rent && random.chance(0.3) ? Math.round((property.price / 12) * 1.08) : null,
    };
    ads.push([layout, ad]);
    if (layout.stays) break;
  }
  return ads;
}

/** Creates an ad that states the true facts of a property, without photos and dates. */
export function plainAd({ english }: FeedLayout, property: Property, text: AdText, id: string): Ad {
  const { price, area, bedrooms, lat, lng, advertiser, listing_type } = property;
  const frequency = listing_type === 'rent' ? ('yearly' as const) : null;
  const { title, description } = text;
  const description_en = english === undefined ? null : text.description_en;
  const facts = { id, property, title, description, description_en, price, frequency, area, bedrooms, advertiser };
  return { ...facts, point: { lat, lng }, photos: [], verified: true, pay_later_monthly: null, created: 0, updated: 0 };
}

function pointOf(random: Random, { lat, lng }: Property, { points }: FeedLayout, copy: boolean): Ad['point'] {
  if (points < 1 && (random.chance(1 - points) || (copy && random.chance(0.2)))) return null;
  return copy ? moved(random, { lat, lng }, random.between(0, 60)) : { lat, lng };
}

function picturesOf(property: Property, copy: number, hostUrl: string): string[] {
  const { id, neighborhood, property_type } = property;
  const street = hashText(`${neighborhood.id} ${property_type}`) + id + copy * 21;
  return [homePicture(hostUrl, property, copy), streetPicture(hostUrl, street)];
}
