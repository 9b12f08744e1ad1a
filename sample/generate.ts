import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { PAYMENTS_PER_YEAR, type RentFrequency } from '#domain/listings/vocabulary.ts';
import type { Ad, Property } from './ad.ts';
import { brokenLine, FAULTS, mistyped } from './faults.ts';
import { FeedFiles, feedLine, TextFile } from './feed-files.ts';
import { FEEDS, type FeedLayout } from './feeds.ts';
import { advertiser, gatheredMarket, homesOfGroup, moved, SPREAD_MARKET } from './market.ts';
import { homePicture, streetPicture } from './pictures.ts';
import { hashText, Random, Weighted } from './random.ts';
import {
  EXAMPLE_PRICES,
  exampleHomes,
  exampleSource,
  fallingShare,
  levelBefore,
  likeHomes,
  stayPrice,
} from './story.ts';
import { type AdText, writeText } from './text.ts';
import { type Step, timeline } from './timeline.ts';
import { TRUTH_FILE, type TruthRow } from './truth.ts';

export interface SampleOptions {
  /** Folder for the sample. An earlier sample in it is replaced. */
  dir: string;
  /** Approximate number of live ads on the last day, across all sources. */
  listings: number;
  /** Random seed, an unsigned 32-bit integer. */
  seed: number;
  /** Number of consecutive days with feeds, 1 to 60. */
  days: number;
  /** The last day, `YYYY-MM-DD`. */
  until: string;
  /** First day of a story sample (`story.ts`), which has one feed per month before the final daily feeds. */
  since?: string | undefined;
  /** Public URL of the photos, without a trailing slash. */
  hostUrl: string;
  signal?: AbortSignal;
}

interface FeedSummary {
  source: string;
  kind: FeedLayout['kind'];
  /** Number of data rows by day, with the number of broken rows and of repeated rows. */
  days: Record<string, { rows: number; broken: number; repeated: number }>;
}

export interface SampleSummary {
  dir: string;
  seed: number;
  days: string[];
  host_url: string;
  ads: number;
  properties: number;
  /** Number of valid ads in the feeds of the last day. */
  live: number;
  feeds: FeedSummary[];
}

const DAY_S = 86_400;
/** Number of days before the first feed over which its ads were posted. */
const STOCK_SPREAD_DAYS = 120;
/** Share of price changes that are reductions. */
const FALLING = 0.7;
/** Maximum age in days of a repost between two feeds that are far apart. */
const RENEWAL_DAYS = 25;
const RATES = {
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
interface OpenFeed {
  layout: FeedLayout;
  summary: FeedSummary;
  lastId: number;
}

/**
 * Writes the feeds, the ground-truth file and `manifest.json`. Each group of homes is generated, written to the feeds
 * for all days and discarded, so that memory does not grow with the number of listings.
 */
export async function generateSample(
  options: SampleOptions,
  onProgress?: (done: number, total: number) => void,
): Promise<SampleSummary> {
  const steps = timeline(options.until, options.days, options.since);
  if (!(Number.isInteger(options.listings) && options.listings >= 1)) throw new Error('listings must be 1 or more');
  if (options.seed >>> 0 !== options.seed) throw new Error('seed must be a whole number of 32 bits');
  const plan = planOf(options.listings, steps);
  const days = steps.map(({ day }) => day);
  rmSync(join(options.dir, 'feeds'), { recursive: true, force: true });
  const truth = new TextFile(join(options.dir, TRUTH_FILE));
  const story = options.since !== undefined;
  const feeds = FEEDS.filter(({ storyOnly }) => story || !storyOnly).map(
    (layout): OpenFeed => ({
      layout,
      summary: emptySummary(layout, days),
      lastId: 1_000_000,
    }),
  );
  const totals = { ads: 0, properties: 0, live: 0 };
  const nextId = (): number => ++totals.properties;
  const market = story ? gatheredMarket() : SPREAD_MARKET;
  const making: GenerationContext = {
    story,
    feeds,
    weights: new Weighted(feeds.map((feed) => [feed, weightOf(feed.layout, story)] as const)),
    hostUrl: options.hostUrl,
    steps,
    plan,
    dir: options.dir,
    files: new FeedFiles(),
    truth,
  };
  const write = (random: Random, feed: OpenFeed, ad: Ad, example = false): void => {
    if (writeAd(making, { random, feed, ad, example })) totals.live++;
    totals.ads++;
  };
  try {
    if (story) {
      const random = new Random(options.seed, 0xffff_ffff);
      const examples = exampleHomes(nextId);
      for (const property of [...examples, ...likeHomes(random, nextId)]) {
        const feed = feeds.find(({ layout }) => layout.source === exampleSource(property));
        if (feed) write(random, feed, exampleAd(random, property, feed, making), examples.includes(property));
      }
    }
    for (let group = 0; totals.ads < plan.ads; group++) {
      const random = new Random(options.seed, group);
      for (const property of homesOfGroup(random, nextId, market)) {
        for (const [feed, ad] of adsOf(random, property, making)) write(random, feed, ad);
      }
      if (group % 500 === 499) {
        onProgress?.(Math.min(totals.ads, plan.ads), plan.ads);
        await yieldToEventLoop();
        options.signal?.throwIfAborted();
      }
    }
  } finally {
    truth.close();
    making.files.close();
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
  /** Cumulative share of ads first seen up to each step. */
  firstStep: number[];
}

/** Computes how many ads to generate and when they first appear, so that the requested number is live at the end. */
function planOf(live: number, steps: readonly Step[]): Plan {
  const growth = steps.slice(1).reduce((product, { newAds, withdrawn }) => product * (1 + newAds - withdrawn), 1);
  let stock = live / growth;
  const made = steps.map(({ newAds, withdrawn }, at) => {
    if (at === 0) return stock;
    const fresh = stock * newAds;
    stock += fresh - stock * withdrawn;
    return fresh;
  });
  const ads = Math.round(made.reduce((sum, count) => sum + count, 0));
  let sum = 0;
  return {
    ads,
    firstStep: made.map((count) => {
      sum += count / ads;
      return sum;
    }),
  };
}

/** Context that is shared while all ads are generated. */
interface GenerationContext {
  story: boolean;
  feeds: readonly OpenFeed[];
  weights: Weighted<OpenFeed>;
  hostUrl: string;
  steps: readonly Step[];
  plan: Plan;
  dir: string;
  files: FeedFiles;
  truth: TextFile;
}

/** Generates the ads for one property: the first ad, and possibly copies on other sources. */
function adsOf(random: Random, property: Property, making: GenerationContext): [OpenFeed, Ad][] {
  const { story } = making;
  const used = new Set<OpenFeed>();
  const ads: [OpenFeed, Ad][] = [];
  const copies = random.chance(RATES.copied) ? COPY_COUNTS.pick(random) : 0;
  let first: AdText | null = null;
  for (let at = 0; at <= copies; at++) {
    const feed = pickFeed(random, property, making.weights, used);
    if (feed === null) break;
    const { layout } = feed;
    // Copies with a second price would be detected as another home.
    if (story && layout.stays && at > 0) break;
    used.add(feed);
    const text: AdText =
      first !== null && random.chance(0.25) ? first : writeText(random, property, layout.english ?? 0);
    first ??= text;
    const frequency = property.listing_type === 'rent' ? pickPeriod(random, layout) : null;
    const copy = at > 0;
    const ad: Ad = {
      ...plainAd(feed, property, text),
      description_en: layout.english === undefined ? null : text.description_en,
      price: random.chance(RATES.noPrice)
        ? null
        : story && layout.stays && frequency !== null
          ? stayPrice(property.price, frequency, PAYMENTS_PER_YEAR[frequency])
          : posted(
              copy && random.chance(0.6) ? property.price * random.between(0.97, 1.03) : property.price,
              frequency,
            ),
      frequency,
      area: copy && random.chance(0.5) ? Math.max(5, Math.round(property.area / 5) * 5) : property.area,
      point: pointOf(random, property, layout, copy),
      photos: photosOf(random, property, at, making.hostUrl),
      advertiser: copy && random.chance(0.55) ? advertiser(random, property.city.slug) : property.advertiser,
      verified: random.chance(0.4),
      pay_later_monthly:
        property.listing_type === 'rent' && random.chance(0.3) ? Math.round((property.price / 12) * 1.08) : null,
    };
    ads.push([feed, ad]);
    if (story && layout.stays) break;
  }
  return ads;
}

/** Creates an ad that states the true facts of a property, without photos and dates. */
function plainAd(feed: OpenFeed, property: Property, text: AdText): Ad {
  const { price, area, bedrooms, lat, lng, advertiser, listing_type } = property;
  return {
    id: String(++feed.lastId),
    ...text,
    property,
    price,
    frequency: listing_type === 'rent' ? 'yearly' : null,
    area,
    bedrooms,
    point: { lat, lng },
    photos: [],
    advertiser,
    verified: true,
    pay_later_monthly: null,
    created: 0,
    updated: 0,
  };
}

function exampleAd(random: Random, property: Property, feed: OpenFeed, { hostUrl }: GenerationContext): Ad {
  return { ...plainAd(feed, property, writeText(random, property, 0)), photos: picturesOf(property, 0, hostUrl) };
}

const weightOf = ({ weight, storyWeight }: FeedLayout, story: boolean): number =>
  story ? (storyWeight ?? weight) : weight;

function pickFeed(
  random: Random,
  property: Property,
  weights: Weighted<OpenFeed>,
  used: ReadonlySet<OpenFeed>,
): OpenFeed | null {
  for (let tries = 0; tries < 40; tries++) {
    const feed = weights.pick(random);
    if (!used.has(feed) && (feed.layout.takes?.(property) ?? true)) return feed;
  }
  return null;
}

function pickPeriod(random: Random, layout: FeedLayout): RentFrequency {
  const usual = layout.periods[0] as RentFrequency;
  return random.chance(0.65) ? usual : random.pick(layout.periods);
}

/** Converts an annual price to an amount per period, rounded as advertisers do. */
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

/** Selects photos: most ads have the home and its street. Some copies have another picture of the home. */
function photosOf(random: Random, property: Property, copy: number, hostUrl: string): string[] {
  if (random.chance(RATES.noPhotos)) return [];
  return picturesOf(property, copy > 0 && !random.chance(0.7) ? copy : 0, hostUrl);
}

function picturesOf(property: Property, copy: number, hostUrl: string): string[] {
  const { id, neighborhood, property_type } = property;
  const street = hashText(`${neighborhood.id} ${property_type}`) + id + copy * 21;
  return [homePicture(hostUrl, property, copy), streetPicture(hostUrl, street)];
}

/** Writes an ad to the feeds for the days on which it is listed. @returns whether the last feed lists it */
function writeAd(
  { story, steps, plan, dir, files, truth }: GenerationContext,
  { random, feed, ad: made, example }: { random: Random; feed: OpenFeed; ad: Ad; example: boolean },
): boolean {
  const { layout } = feed;
  const mark = random.next();
  const first = example
    ? 0
    : Math.max(
        0,
        plan.firstStep.findIndex((share) => mark < share),
      );
  const outlier = !example && random.chance(RATES.outliers);
  const broken = !example && random.chance(RATES.broken) ? random.pick(FAULTS) : null;
  const repeated = !example && random.chance(RATES.repeated);
  let ad = dated(random, outlier ? mistyped(random, made) : made, steps[first] as Step, first > 0);
  if (story && !example) ad = atLevelOf(ad, steps[first] as Step, steps.at(-1) as Step);
  const brokenText = broken === null ? '' : brokenLine(layout, { ...ad, id: String(++feed.lastId) }, broken);
  const falling = story ? fallingShare(ad.property) : FALLING;
  // The ad as each feed lists it, from the first on.
  const states = [ad];
  for (const [after, step] of steps.slice(first + 1).entries()) {
    if (!example && random.chance(step.withdrawn)) break;
    ad = example ? exampleStep(ad, step, first + 1 + after) : nextStep(random, ad, step, falling);
    states.push(ad);
  }
  const last = first + states.length - 1;
  const stays = last === steps.length - 1;
  // A withdrawn ad has only the picture of the street, because no page shows the home and each picture takes time.
  const photos = stays ? ad.photos : ad.photos.slice(-1);
  let row: Record<string, unknown> = {};
  let line = '';
  for (const [after, state] of states.entries()) {
    if (state !== states[after - 1]) {
      row = layout.row({ ...state, photos });
      line = feedLine(layout, row);
    }
    const { day } = steps[first + after] as Step;
    const count = feed.summary.days[day];
    if (count === undefined) continue;
    files.write(join(dir, 'feeds', layout.source), layout, day, row, (repeated ? line + line : line) + brokenText);
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
    first_day: steps[first]?.day as string,
    last_day: stays ? null : (steps[last]?.day as string),
    outlier,
    photos: photos.length,
  };
  truth.write(`${JSON.stringify(fact)}\n`);
  return stays;
}

/** Sets an ad's dates: over the months before the first feed, or since the previous one. */
function dated(random: Random, ad: Ad, { day, gap }: Step, isNew: boolean): Ad {
  const start = startOf(day);
  const created =
    Math.floor(start - (isNew ? random.next() * gap : random.next() ** 1.6 * STOCK_SPREAD_DAYS) * DAY_S) - 60;
  const updated = Math.floor(start + Math.max(-35, 8 * Math.log(1 - random.next())) * DAY_S) - 60;
  return { ...ad, created, updated: isNew ? created : Math.max(created, updated) };
}

/** Converts an ad's price from the market level on the last day to the level on the day of posting. */
function atLevelOf(ad: Ad, first: Step, last: Step): Ad {
  if (ad.price === null) return ad;
  const days = (startOf(last.day) - startOf(first.day)) / DAY_S;
  return { ...ad, price: posted(ad.price * levelBefore(ad.property, days), null) };
}

function nextStep(random: Random, ad: Ad, { day, gap, repriced, bumped }: Step, falling: number): Ad {
  const what = random.next();
  if (what >= repriced + bumped) return ad;
  const updated = startOf(day) - random.int(60, Math.min(gap, RENEWAL_DAYS) * DAY_S - 60);
  if (what >= repriced || ad.price === null) return { ...ad, updated };
  const factor = random.chance(falling) ? random.pick([0.9, 0.93, 0.95, 0.97]) : random.pick([1.03, 1.05, 1.1]);
  return { ...ad, price: posted(ad.price * factor, null), updated };
}

function exampleStep(ad: Ad, { day, bumped }: Step, at: number): Ad {
  const factor = EXAMPLE_PRICES[at];
  if (factor === undefined && bumped < 0.5) return ad;
  const price = factor === undefined || ad.price === null ? ad.price : posted(ad.price * factor, null);
  return { ...ad, price, updated: startOf(day) - DAY_S / 2 };
}

function emptySummary(layout: FeedLayout, days: string[]): FeedSummary {
  const counts = Object.fromEntries(days.map((day) => [day, { rows: 0, broken: 0, repeated: 0 }]));
  return { source: layout.source, kind: layout.kind, days: counts };
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}
