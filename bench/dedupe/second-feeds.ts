import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { PAYMENTS_PER_YEAR, type RentFrequency } from '#domain/listings/vocabulary.ts';
import type { Ad, Advertiser } from '#ingest/sample/ad.ts';
import { csvHeader, feedFile, feedLine, TextFile } from '#ingest/sample/feed-files.ts';
import { FEEDS, type FeedLayout } from '#ingest/sample/feeds.ts';
import { hashText, Random, Weighted } from '#ingest/sample/random.ts';
import { TRUTH_FILE } from '#ingest/sample/truth.ts';
import { advertiserOf, type EstateKind, type Home, nextEstate, ring, rounded } from './estates.ts';
import { describe, describeInEnglish, type Words } from './wording.ts';

/** In what an ad of a home differs from the first ad of it. */
const NOISE = [
  'bedrooms_off',
  'no_neighborhood',
  'no_point',
  'wrong_point',
  'rounded_area',
  'other_period',
  'moved_price',
  'reworded',
  'template',
  'placeholder',
  'other_photos',
  'repost',
  'repost_later',
] as const;
/** Kinds that nothing was ever worked out on: written when asked for, and reported apart. */
const UNSEEN_NOISE = ['other_type', 'no_text', 'english_only', 'no_price'] as const;
export type Noise = (typeof NOISE)[number] | (typeof UNSEEN_NOISE)[number];

/** What an ad of these feeds really is. */
export interface SecondTruth {
  source: string;
  source_listing_id: string;
  /** Equal for the ads of one home. */
  property: number;
  /** Equal for the homes of one building, for villas built alike side by side, and for strangers that look alike. */
  estate: number;
  estate_kind: EstateKind;
  noise: readonly Noise[];
  /** Whose ad it is, whatever key the source gives. */
  advertiser: string;
  area: number;
  floor: number;
  /** Whether the ad says on which floor and which unit it is. */
  states_floor: boolean;
  unit: string | null;
  states_unit: boolean;
  placeholder: boolean;
  first_day: string;
  /** Null while the newest feed has it. */
  last_day: string | null;
}

export interface SecondOptions {
  dir: string;
  /** Approximate number of ads. */
  ads: number;
  seed: number;
  /** The last of two days, `YYYY-MM-DD`. */
  until: string;
  hostUrl: string;
  /** With the kinds of `UNSEEN_NOISE` among the others. */
  unseen: boolean;
  signal?: AbortSignal;
}

interface OpenFeed {
  layout: FeedLayout;
  /** Of each day; opened with its first row, whose fields make the header. */
  files: (TextFile | null)[];
  lastId: number;
}

/** An ad, and what is known of it. */
interface Posted {
  feed: OpenFeed;
  ad: Ad;
  words: Words;
  home: Home;
  noise: Noise[];
  /** As in `SecondTruth.advertiser`. */
  by: Advertiser;
  days: readonly [first: number, last: number];
}

const COPIED = 0.36;
const COPIES = new Weighted([
  [1, 70],
  [2, 20],
  [3, 10],
]);
/** How often a copy has so many kinds of noise beside its wording and photos. */
const AT_ONCE = new Weighted([
  [0, 25],
  [1, 50],
  [2, 25],
]);
/** Of the units of one building that a second advertiser takes over. */
const TAKEN_OVER = 0.3;
const DAY_S = 86_400;
const TYPE_TAKEN_FOR = {
  apartment: 'floor',
  floor: 'apartment',
  villa: 'duplex',
  duplex: 'villa',
  townhouse: 'villa',
} as const;

/** Writes feeds of two days in the layouts of the sample's sources, and their truth. */
export async function writeSecondFeeds(
  options: SecondOptions,
): Promise<{ ads: number; properties: number; days: string[] }> {
  const lastDay = Date.parse(`${options.until}T00:00:00Z`);
  const days = [1, 0].map((back) => new Date(lastDay - back * DAY_S * 1000).toISOString().slice(0, 10));
  rmSync(join(options.dir, 'feeds'), { recursive: true, force: true });
  const truth = new TextFile(join(options.dir, TRUTH_FILE));
  const feeds = FEEDS.filter(({ storyOnly, stays }) => !storyOnly && !stays).map(
    (layout): OpenFeed => ({ layout, files: days.map(() => null), lastId: 5_000_000 }),
  );
  const weights = new Weighted(feeds.map((feed) => [feed, Math.sqrt(feed.layout.weight)] as const));
  const totals = { ads: 0, properties: 0 };
  const nextId = (): number => ++totals.properties;
  try {
    for (let estate = 1; totals.ads < options.ads; estate++) {
      const random = new Random(options.seed, estate);
      const homes = nextEstate(random, estate, nextId);
      const building = homes.length > 1 && homes[0]?.estate_kind !== 'lookalikes';
      // The advertiser of a building posts its units on one source.
      const usual = building ? pickFeed(random, homes[0] as Home, weights, new Set()) : null;
      for (const home of homes)
        for (const posted of adsOf(random, home, usual, weights, options)) {
          write(posted, days, options, truth);
          totals.ads++;
        }
      if (estate % 500 === 0) {
        await breathe();
        options.signal?.throwIfAborted();
      }
    }
  } finally {
    truth.close();
    for (const { files } of feeds) for (const file of files) file?.close();
  }
  return { ...totals, days };
}

function adsOf(
  random: Random,
  home: Home,
  usual: OpenFeed | null,
  weights: Weighted<OpenFeed>,
  options: SecondOptions,
): Posted[] {
  const used = new Set<OpenFeed>();
  const feed = usual ?? pickFeed(random, home, weights, used);
  if (feed === null) return [];
  used.add(feed);
  const first = firstAd(random, home, feed, options);
  const posted = [first];
  const copies = random.chance(usual === null ? COPIED : TAKEN_OVER) ? COPIES.pick(random) : 0;
  for (let copy = 1; copy <= copies; copy++) {
    const made = copyOf(random, first, copy, weights, used, options);
    if (made !== null) posted.push(made);
  }
  return posted;
}

function firstAd(random: Random, home: Home, feed: OpenFeed, { hostUrl }: SecondOptions): Posted {
  const inUnits = home.estate_kind === 'tower' || home.estate_kind === 'block';
  const words = describe(random, home, home.advertiser.key, inUnits && random.chance(0.5));
  const placeholder = random.chance(0.04);
  const own = Array.from({ length: home.photos }, (_, at) => `${hostUrl}/photos/${home.id}-${at + 1}.jpg`);
  // The front of a building is on the ads of all its units.
  if (inUnits && random.chance(0.6)) own.push(`${hostUrl}/photos/${7_000_000 + home.estate}-1.jpg`);
  const monthly = random.chance(0.2) && feed.layout.periods.includes('monthly');
  const frequency = home.listing_type === 'rent' ? (monthly ? 'monthly' : 'yearly') : null;
  return {
    feed,
    home,
    words,
    by: home.advertiser,
    noise: placeholder ? ['placeholder'] : [],
    days: [0, 1],
    ad: {
      id: String(++feed.lastId),
      property: home,
      title: words.title,
      description: words.description,
      description_en: null,
      price: amountOf(home.price, frequency),
      frequency,
      area: home.area,
      bedrooms: home.bedrooms,
      point: feed.layout.points > 0 && random.chance(0.92) ? { lat: home.lat, lng: home.lng } : null,
      photos: placeholder ? [placeholderOf(feed, hostUrl)] : own,
      advertiser: { ...home.advertiser, key: keyOn(home.advertiser.key, feed) },
      verified: random.chance(0.5),
      pay_later_monthly: null,
      created: 0,
      updated: 0,
    },
  };
}

/** Another ad of the same home: posted again, on another source by the same advertiser, or by someone else. */
function copyOf(
  random: Random,
  first: Posted,
  copy: number,
  weights: Weighted<OpenFeed>,
  used: Set<OpenFeed>,
  options: SecondOptions,
): Posted | null {
  const { home } = first;
  const way = random.next();
  if (way < 0.14) return repost(random, first, options);
  const feed = pickFeed(random, home, weights, used);
  if (feed === null) return null;
  used.add(feed);
  const same = way < 0.48;
  const by = same ? home.advertiser : advertiserOf(random, home.city);
  const noise = new Set<Noise>();
  for (let count = AT_ONCE.pick(random); count > 0; count--) noise.add(random.pick(noisesOf(first, options.unseen)));
  if (!same) noise.add(random.chance(0.25) ? 'template' : 'reworded');
  else if (random.chance(0.2)) noise.add('template');
  const words = wordsOf(random, home, by, noise, first, same);
  const photos = photosOf(random, first, copy, feed, same, noise, options.hostUrl);
  const shown = changedHome(random, home, noise);
  const moved = noise.has('moved_price')
    ? 1 + random.pick([-1, 1]) * random.between(0.025, 0.07)
    : random.chance(0.7)
      ? 1
      : 1 + random.between(-0.012, 0.012);
  const paid: RentFrequency | null =
    first.ad.frequency === null || !noise.has('other_period')
      ? first.ad.frequency
      : first.ad.frequency === 'yearly'
        ? 'monthly'
        : 'yearly';
  const frequency =
    feed.layout.periods.includes(paid ?? 'yearly') || paid === null ? paid : (feed.layout.periods[0] ?? 'yearly');
  // By the month it is dearer.
  const monthly =
    noise.has('other_period') && frequency === 'monthly' && random.chance(0.5) ? random.between(1.01, 1.06) : 1;
  return {
    feed,
    home,
    words,
    by,
    noise: [...noise],
    days: [0, 1],
    ad: {
      ...first.ad,
      id: String(++feed.lastId),
      property: shown,
      title: words.title,
      description: words.description,
      description_en: null,
      price: noise.has('no_price') ? null : amountOf(rounded(home.price * moved) * monthly, frequency),
      frequency,
      area: areaOf(random, home.area, noise),
      bedrooms: shown.bedrooms,
      point: pointOf(random, home, feed, noise),
      photos,
      advertiser: { ...by, key: keyOn(by.key, feed) },
    },
  };
}

/** The same advertiser on the same source under a new id: the old one goes, or the two stand side by side. */
function repost(random: Random, first: Posted, { hostUrl }: SecondOptions): Posted {
  const later = random.chance(0.6);
  const { feed, ad, home } = first;
  if (later) first.days = [0, 0];
  const anew = later && random.chance(0.4);
  const words = anew ? describe(random, home, first.by.key, false) : first.words;
  const price = later && random.chance(0.4) ? rounded(home.price * random.between(0.93, 0.99)) : home.price;
  return {
    ...first,
    words,
    noise: [...first.noise, later ? 'repost_later' : 'repost'],
    days: later ? [1, 1] : [0, 1],
    ad: {
      ...ad,
      id: String(++feed.lastId),
      title: words.title,
      description: words.description,
      price: amountOf(price, ad.frequency),
      photos: anew && !first.noise.includes('placeholder') ? reloaded(home, 9, hostUrl) : ad.photos,
    },
  };
}

function noisesOf({ home, ad }: Posted, unseen: boolean): Noise[] {
  const kinds: Noise[] = ['no_neighborhood', 'no_point', 'wrong_point', 'rounded_area', 'moved_price', 'placeholder'];
  if (home.bedrooms !== null && home.bedrooms > 1) kinds.push('bedrooms_off');
  if (ad.frequency !== null) kinds.push('other_period');
  if (unseen) {
    const others: Noise[] = ['no_text', 'english_only', 'no_price'];
    if (home.property_type in TYPE_TAKEN_FOR) others.push('other_type');
    kinds.push(...others, ...others);
  }
  return kinds;
}

function wordsOf(
  random: Random,
  home: Home,
  by: Advertiser,
  noise: ReadonlySet<Noise>,
  first: Posted,
  same: boolean,
): Words {
  if (noise.has('no_text')) return { title: '', description: '', states_floor: false, states_unit: false };
  if (noise.has('english_only')) return describeInEnglish(home);
  // The same advertiser mostly copies its own text.
  if (same && !noise.has('template') && random.chance(0.7)) return first.words;
  return describe(random, home, by.key, noise.has('template'));
}

function photosOf(
  random: Random,
  first: Posted,
  copy: number,
  feed: OpenFeed,
  same: boolean,
  noise: Set<Noise>,
  hostUrl: string,
): string[] {
  if (noise.has('placeholder')) return [placeholderOf(feed, hostUrl)];
  const { home } = first;
  const shared = !first.noise.includes('placeholder') && random.chance(same ? 0.7 : 0.4);
  if (!shared) {
    noise.add('other_photos');
    return reloaded(home, copy, hostUrl);
  }
  // Some of them, in an order of their own, among new ones.
  const kept = first.ad.photos.filter(() => random.chance(0.6));
  const photos = kept.length > 0 ? kept.toReversed() : first.ad.photos.slice(0, 1);
  return random.chance(0.3) ? [...photos, ...reloaded(home, copy, hostUrl).slice(0, 2)] : photos;
}

/** Pictures of their own: taken anew, or stored anew with other bytes. */
const reloaded = (home: Home, copy: number, hostUrl: string): string[] =>
  Array.from({ length: home.photos }, (_, at) => `${hostUrl}/photos/${home.id}-${copy * 100 + at + 1}.jpg`);

/** One picture stands on all ads of a feed that have none. */
const placeholderOf = ({ layout }: OpenFeed, hostUrl: string): string =>
  `${hostUrl}/photos/${8_000_000 + (hashText(layout.source) % 100_000)}-1.jpg`;

function changedHome(random: Random, home: Home, noise: ReadonlySet<Noise>): Home {
  const changed = { ...home };
  if (noise.has('bedrooms_off') && home.bedrooms !== null) changed.bedrooms = home.bedrooms + random.pick([-1, 1]);
  if (noise.has('no_neighborhood')) changed.neighborhood = { ...home.neighborhood, name_ar: '', name_en: '' };
  if (noise.has('other_type') && home.property_type in TYPE_TAKEN_FOR)
    changed.property_type = TYPE_TAKEN_FOR[home.property_type as keyof typeof TYPE_TAKEN_FOR];
  return changed;
}

function areaOf(random: Random, area: number, noise: ReadonlySet<Noise>): number {
  if (!noise.has('rounded_area')) return random.chance(0.85) ? area : area + random.pick([-1, 1]);
  const step = area < 60 ? 5 : area < 150 ? 10 : random.pick([10, 25]);
  return Math.max(step, Math.round(area / step) * step);
}

function pointOf(random: Random, home: Home, feed: OpenFeed, noise: ReadonlySet<Noise>): Ad['point'] {
  if (feed.layout.points === 0 || (noise.has('no_point') && feed.layout.points < 1)) return null;
  if (noise.has('wrong_point')) return ring(random, home, random.between(130, 600));
  return random.chance(0.08) && feed.layout.points < 1 ? null : ring(random, home, random.between(0, 35));
}

function amountOf(price: number, frequency: RentFrequency | null): number {
  if (frequency === null || frequency === 'yearly') return Math.round(price);
  return Math.max(1, Math.round(price / PAYMENTS_PER_YEAR[frequency] / 10) * 10);
}

/** Large advertisers use their license number everywhere, others have an account a source. */
const keyOn = (key: string, { layout }: OpenFeed): string =>
  hashText(key) % 5 < 2 ? key : `${layout.source.slice(0, 2)}${hashText(`${key} ${layout.source}`) % 10_000_000}`;

function pickFeed(
  random: Random,
  home: Home,
  weights: Weighted<OpenFeed>,
  used: ReadonlySet<OpenFeed>,
): OpenFeed | null {
  for (let tries = 0; tries < 40; tries++) {
    const feed = weights.pick(random);
    if (!used.has(feed) && (feed.layout.takes?.(home) ?? true)) return feed;
  }
  return null;
}

function write(posted: Posted, days: readonly string[], { dir }: SecondOptions, truth: TextFile): void {
  const { feed, ad, words, home, noise, by } = posted;
  const { layout } = feed;
  const [first, last] = posted.days;
  // The field of the floor says what the words say: nothing, when the ad does not state it.
  const property = { ...ad.property, floor: words.states_floor ? ad.property.floor : null };
  const created = Math.floor(Date.parse(`${days[first]}T00:00:00Z`) / 1000) - 7_200 - (hashText(ad.id) % (40 * DAY_S));
  const row = layout.row({ ...ad, property, created, updated: created });
  for (let day = first; day <= last; day++) {
    let file = feed.files[day];
    if (file == null) {
      file = new TextFile(feedFile(dir, layout, days[day] as string));
      if (layout.kind === 'csv') file.write(csvHeader(layout, row));
      feed.files[day] = file;
    }
    file.write(feedLine(layout, row));
  }
  const fact: SecondTruth = {
    source: layout.source,
    source_listing_id: String(row[layout.fields.id]),
    property: home.id,
    estate: home.estate,
    estate_kind: home.estate_kind,
    noise,
    advertiser: by.key,
    area: home.area,
    floor: home.floor ?? 0,
    states_floor: words.states_floor,
    unit: home.unit,
    states_unit: words.states_unit,
    placeholder: noise.includes('placeholder'),
    first_day: days[first] as string,
    last_day: last === days.length - 1 ? null : (days[last] as string),
  };
  truth.write(`${JSON.stringify(fact)}\n`);
}
