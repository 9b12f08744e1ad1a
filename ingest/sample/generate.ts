import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { PAYMENTS_PER_YEAR, type RentFrequency } from '#domain/listings/vocabulary.ts';
import type { Ad, Property } from './ad.ts';
import { brokenLine, FAULTS, mistyped } from './faults.ts';
import { csvHeader, feedFile, feedLine, TextFile } from './feed-files.ts';
import { FEEDS, type FeedLayout } from './feeds.ts';
import { advertiser, homesOfGroup, moved } from './market.ts';
import { Random, Weighted } from './random.ts';
import { type AdText, writeText } from './text.ts';
import { TRUTH_FILE, type TruthRow } from './truth.ts';

export interface SampleOptions {
  /** Folder of the sample; what an earlier sample left in it is replaced. */
  dir: string;
  /** Approximate number of ads live on the last day, over all sources. */
  listings: number;
  /** An unsigned 32-bit integer. */
  seed: number;
  /** Days of feeds, 1 to 60. */
  days: number;
  /** The last day, `YYYY-MM-DD`. */
  until: string;
  /** Where the photos will be served, without a slash at the end. */
  hostUrl: string;
  signal?: AbortSignal;
}

export interface FeedSummary {
  source: string;
  kind: FeedLayout['kind'];
  /** By day: all data rows, and how many of them are broken or repeat an id. */
  days: Record<string, { rows: number; broken: number; repeated: number }>;
}

export interface SampleSummary {
  dir: string;
  seed: number;
  days: string[];
  host_url: string;
  ads: number;
  properties: number;
  /** Good ads in the feeds of the last day. */
  live: number;
  feeds: FeedSummary[];
}

const DAY_S = 86_400;
const STOCK_SPREAD_DAYS = 120;
const RATES = {
  newAds: 0.03,
  withdrawn: 0.02,
  repriced: 0.03,
  bumped: 0.02,
  copied: 0.25,
  outliers: 0.015,
  noPhotos: 0.06,
  noPrice: 0.01,
  broken: 0.003,
  repeated: 0.0005,
} as const;
const COPY_COUNTS = new Weighted([
  [1, 65],
  [2, 25],
  [3, 10],
]);
const FEED_WEIGHTS = new Weighted(FEEDS.map((_, at) => [at, FEEDS[at]?.weight ?? 0] as const));

interface OpenFeed {
  layout: FeedLayout;
  summary: FeedSummary;
  files: (TextFile | null)[];
  lastId: number;
}

/**
 * Writes the feeds, the truth file and `manifest.json`. Each group of homes is generated, written to the feeds of all its
 * days and discarded, so memory does not grow with the number of listings.
 */
export async function generateSample(
  options: SampleOptions,
  onProgress?: (done: number, total: number) => void,
): Promise<SampleSummary> {
  const days = daysUntil(options.until, options.days);
  if (!(Number.isInteger(options.listings) && options.listings >= 1)) throw new Error('listings must be 1 or more');
  if (options.seed >>> 0 !== options.seed) throw new Error('seed must be a whole number of 32 bits');
  const plan = planOf(options.listings, days.length);
  rmSync(join(options.dir, 'feeds'), { recursive: true, force: true });
  const truth = new TextFile(join(options.dir, TRUTH_FILE));
  const feeds = FEEDS.map(
    (layout): OpenFeed => ({
      layout,
      summary: emptySummary(layout, days),
      files: days.map(() => null),
      lastId: 1_000_000,
    }),
  );
  const totals = { ads: 0, properties: 0, live: 0 };
  const nextId = (): number => ++totals.properties;
  try {
    for (let group = 0; totals.ads < plan.ads; group++) {
      const random = new Random(options.seed, group);
      for (const property of homesOfGroup(random, nextId)) {
        for (const [feed, ad] of adsOf(random, property, feeds, options.hostUrl)) {
          if (writeAd({ random, ad, feed, feeds, days, plan, options, truth })) totals.live++;
          totals.ads++;
        }
      }
      if (group % 500 === 499) {
        onProgress?.(Math.min(totals.ads, plan.ads), plan.ads);
        await breathe();
        options.signal?.throwIfAborted();
      }
    }
  } finally {
    truth.close();
    for (const feed of feeds) for (const file of feed.files) file?.close();
  }
  onProgress?.(plan.ads, plan.ads);
  const summary: SampleSummary = {
    dir: options.dir,
    seed: options.seed,
    days,
    host_url: options.hostUrl,
    ...totals,
    feeds: feeds.map((feed) => feed.summary),
  };
  const { dir: _, ...manifest } = summary;
  writeFileSync(join(options.dir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return summary;
}

interface Plan {
  ads: number;
  /** Running share of ads first seen up to each day. */
  firstDay: number[];
}

/** How many ads to generate, and when they first appear, so that the requested number is live at the end. */
function planOf(live: number, days: number): Plan {
  const growth = 1 + RATES.newAds - RATES.withdrawn;
  let stock = live / growth ** (days - 1);
  const made = [stock];
  for (let day = 1; day < days; day++) {
    made.push(stock * RATES.newAds);
    stock *= growth;
  }
  const ads = Math.round(made.reduce((sum, count) => sum + count, 0));
  let sum = 0;
  return {
    ads,
    firstDay: made.map((count) => {
      sum += count / ads;
      return sum;
    }),
  };
}

function daysUntil(until: string, count: number): string[] {
  const last = Date.parse(`${until}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(until) || Number.isNaN(last)) throw new Error(`not a day: ${until}`);
  if (!(Number.isInteger(count) && count >= 1 && count <= 60)) throw new Error('days must be 1 to 60');
  return Array.from({ length: count }, (_, at) =>
    new Date(last - (count - 1 - at) * DAY_S * 1000).toISOString().slice(0, 10),
  );
}

/** The ads of one property: the first, and perhaps copies of it on other sources. */
function adsOf(random: Random, property: Property, feeds: OpenFeed[], hostUrl: string): [OpenFeed, Ad][] {
  const used = new Set<OpenFeed>();
  const ads: [OpenFeed, Ad][] = [];
  const copies = random.chance(RATES.copied) ? COPY_COUNTS.pick(random) : 0;
  let first: AdText | null = null;
  for (let at = 0; at <= copies; at++) {
    const feed = pickFeed(random, property, feeds, used);
    if (feed === null) break;
    used.add(feed);
    const { layout } = feed;
    const text: AdText =
      first !== null && random.chance(0.25) ? first : writeText(random, property, layout.english ?? 0);
    first ??= text;
    const frequency = property.listing_type === 'rent' ? pickPeriod(random, layout) : null;
    const copy = at > 0;
    const ad: Ad = {
      id: String(++feed.lastId),
      property,
      title: text.title,
      description: text.description,
      description_en: layout.english === undefined ? null : text.description_en,
      price: random.chance(RATES.noPrice)
        ? null
        : posted(copy && random.chance(0.6) ? property.price * random.between(0.97, 1.03) : property.price, frequency),
      frequency,
      area: copy && random.chance(0.5) ? Math.max(5, Math.round(property.area / 5) * 5) : property.area,
      bedrooms: property.bedrooms,
      point: pointOf(random, property, layout, copy),
      photos: photosOf(random, property, at, hostUrl),
      advertiser: copy && random.chance(0.55) ? advertiser(random, property.city.slug) : property.advertiser,
      verified: random.chance(0.4),
      pay_later_monthly:
        property.listing_type === 'rent' && random.chance(0.3) ? Math.round((property.price / 12) * 1.08) : null,
      created: 0,
      updated: 0,
    };
    ads.push([feed, ad]);
  }
  return ads;
}

function pickFeed(random: Random, property: Property, feeds: OpenFeed[], used: Set<OpenFeed>): OpenFeed | null {
  for (let tries = 0; tries < 40; tries++) {
    const feed = feeds[FEED_WEIGHTS.pick(random)];
    if (feed !== undefined && !used.has(feed) && (feed.layout.takes?.(property) ?? true)) return feed;
  }
  return null;
}

function pickPeriod(random: Random, layout: FeedLayout): RentFrequency {
  const usual = layout.periods[0] as RentFrequency;
  return random.chance(0.65) ? usual : random.pick(layout.periods);
}

/** The amount for a period, rounded as people do. */
function posted(price: number, frequency: RentFrequency | null): number {
  const amount = frequency === null ? price : price / PAYMENTS_PER_YEAR[frequency];
  const step = amount > 400_000 ? 5_000 : amount > 40_000 ? 500 : amount > 8_000 ? 100 : amount > 1_000 ? 10 : 1;
  return Math.max(step, Math.round(amount / step) * step);
}

function pointOf(random: Random, property: Property, layout: FeedLayout, copy: boolean): Ad['point'] {
  const { lat, lng } = property;
  if (layout.points < 1 && (random.chance(1 - layout.points) || (copy && random.chance(0.2)))) return null;
  return copy ? moved(random, { lat, lng }, random.between(0, 60)) : { lat, lng };
}

/** A copy has some of the same photos, or its own. */
function photosOf(random: Random, property: Property, copy: number, hostUrl: string): string[] {
  if (random.chance(RATES.noPhotos)) return [];
  const numbers = Array.from({ length: property.photos }, (_, at) => at + 1);
  if (copy === 0) return numbers.map((number) => photo(hostUrl, property, number));
  if (random.chance(0.7)) {
    const kept = numbers
      .slice(random.int(0, Math.floor(property.photos / 2)))
      .filter((_, at) => at === 0 || random.chance(0.8));
    return kept.map((number) => photo(hostUrl, property, number));
  }
  return numbers.slice(random.int(0, 2)).map((number) => photo(hostUrl, property, copy * 100 + number));
}

function photo(hostUrl: string, property: Property, number: number): string {
  return `${hostUrl}/photos/${property.id}-${number}.jpg`;
}

interface Writing {
  random: Random;
  ad: Ad;
  feed: OpenFeed;
  feeds: OpenFeed[];
  days: string[];
  plan: Plan;
  options: SampleOptions;
  truth: TextFile;
}

/** Writes an ad to the feeds of its days. @returns whether it is in the feed of the last one */
function writeAd({ random, ad: made, feed, days, plan, options, truth }: Writing): boolean {
  const { layout } = feed;
  const mark = random.next();
  const first = Math.max(
    0,
    plan.firstDay.findIndex((share) => mark < share),
  );
  const outlier = random.chance(RATES.outliers);
  const broken = random.chance(RATES.broken) ? random.pick(FAULTS) : null;
  const repeated = random.chance(RATES.repeated);
  let ad = dated(random, outlier ? mistyped(random, made) : made, startOf(days[first]), first > 0);
  const brokenText = broken === null ? '' : brokenLine(layout, { ...ad, id: String(++feed.lastId) }, broken);
  let row = layout.row(ad);
  let line = feedLine(layout, row);
  let last: number | null = null;
  for (let day = first; day < days.length; day++) {
    if (day > first) {
      if (random.chance(RATES.withdrawn)) {
        last = day - 1;
        break;
      }
      const changed = nextDay(random, ad, startOf(days[day]));
      if (changed !== ad) {
        ad = changed;
        row = layout.row(ad);
        line = feedLine(layout, row);
      }
    }
    const count = feed.summary.days[days[day] as string];
    if (count === undefined) continue;
    const file = openFeedFile(feed, day, days, options.dir, row);
    file.write(repeated ? line + line + brokenText : line + brokenText);
    count.rows += 1 + (broken === null ? 0 : 1) + (repeated ? 1 : 0);
    count.broken += broken === null ? 0 : 1;
    count.repeated += repeated ? 1 : 0;
  }
  const fact: TruthRow = {
    source: layout.source,
    source_listing_id: String(row[layout.fields.id]),
    property: ad.property.id,
    city: ad.property.city.slug,
    neighborhood_id: ad.property.neighborhood.id,
    listing_type: ad.property.listing_type,
    property_type: ad.property.property_type,
    first_day: days[first] as string,
    last_day: last === null ? null : (days[last] as string),
    outlier,
    photos: ad.photos.length,
  };
  truth.write(`${JSON.stringify(fact)}\n`);
  return last === null;
}

/** The ads of the first day were posted over the months before it; an ad that is new on a day, on the day before. */
function dated(random: Random, ad: Ad, start: number, isNew: boolean): Ad {
  const created = Math.floor(start - (isNew ? random.next() : random.next() ** 1.6 * STOCK_SPREAD_DAYS) * DAY_S) - 60;
  const updated = Math.floor(start + Math.max(-35, 8 * Math.log(1 - random.next())) * DAY_S) - 60;
  return { ...ad, created, updated: isNew ? created : Math.max(created, updated) };
}

function nextDay(random: Random, ad: Ad, start: number): Ad {
  const what = random.next();
  if (what >= RATES.repriced + RATES.bumped) return ad;
  const updated = start - random.int(60, DAY_S - 60);
  if (what >= RATES.repriced || ad.price === null) return { ...ad, updated };
  const factor = random.chance(0.7) ? random.pick([0.9, 0.93, 0.95, 0.97]) : random.pick([1.03, 1.05, 1.1]);
  return { ...ad, price: posted(ad.price * factor, null), updated };
}

/** Opened with the first row, whose fields make the header. */
function openFeedFile(
  feed: OpenFeed,
  day: number,
  days: string[],
  dir: string,
  row: Record<string, unknown>,
): TextFile {
  const open = feed.files[day];
  if (open != null) return open;
  const file = new TextFile(feedFile(dir, feed.layout, days[day] as string));
  if (feed.layout.kind === 'csv') file.write(csvHeader(feed.layout, row));
  feed.files[day] = file;
  return file;
}

function emptySummary(layout: FeedLayout, days: string[]): FeedSummary {
  const counts = Object.fromEntries(days.map((day) => [day, { rows: 0, broken: 0, repeated: 0 }]));
  return { source: layout.source, kind: layout.kind, days: counts };
}

function startOf(day: string | undefined): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}
