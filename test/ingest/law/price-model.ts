import type { RawListing } from '#ingest/normalize/listing.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { ad } from '../run/pipeline.ts';

export const SOURCES = ['law_a', 'law_b'] as const;
/** So far above the market that search excludes the listing. */
const IMPLAUSIBLE = 100;
/** One home in twenty is in a city whose events a webhook endpoint receives: at most 500 of a run. */
const isWatchedHome = (number: number): boolean => Math.floor(number / 10) % 20 === 0;

export interface LoggedChange {
  listing: string;
  type: string;
  price: number;
  previous: number | null;
  reason: string | null;
}

/** What search has returned of one ad, which is a listing if no older ad of its home is listed. */
interface Listing {
  key: string;
  listed: boolean;
  /** Order in which ids are assigned; null before the ad is first listed. */
  order: number | null;
  shown: boolean;
  delisted: boolean;
  prices: { at: number; price: number }[];
  /** Price by month, as `monthOf`. */
  months: Map<number, number>;
}

interface Home {
  number: number;
  price: number;
  state: 'priced' | 'no_price' | 'implausible';
  photos: boolean;
  ads: Listing[];
}

const listing = (key: string): Listing => {
  const none = { listed: false, order: null, shown: false, delisted: false };
  return { key, ...none, prices: [], months: new Map() };
};

const monthOf = (time: number): number => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth();

/** Homes whose feeds change at random, and in plain code what readers of their history return. */
export class PriceModel {
  readonly homes: readonly Home[];
  readonly #random: () => number;
  #order = 0;
  #before = 0;

  constructor(count: number, random: () => number) {
    this.#random = random;
    this.homes = Array.from({ length: count }, (_, number) => ({
      number,
      price: this.#price(),
      state: 'priced',
      photos: true,
      // One home in ten is on both sources.
      ads: SOURCES.slice(0, number % 10 === 3 ? 2 : 1).map((source) => listing(`${source}/h${number}`)),
    }));
  }

  #price = (): number => 40_000 + Math.floor(this.#random() * 4_000) * 5;
  #chance = (share: number): boolean => this.#random() < share;

  /** Changes prices, gaps, photos and presence in feeds. */
  change(): void {
    for (const home of this.homes) {
      if (home.state !== 'priced') {
        if (this.#chance(0.5)) home.state = 'priced';
      } else if (this.#chance(0.05)) home.state = this.#chance(0.5) ? 'no_price' : 'implausible';
      if (this.#chance(0.06)) home.price = this.#price();
      home.photos = this.#chance(home.photos ? 0.98 : 0.5);
      for (const each of home.ads) each.listed = this.#chance(each.listed ? 0.96 : each.order === null ? 0.6 : 0.4);
    }
  }

  feed(source: number): FeedRow[] {
    return this.homes.flatMap((home) => (home.ads[source]?.listed ? [rowOf(home)] : []));
  }

  /** Applies a run to the model. @returns the changes that it logs */
  run(at: number): LoggedChange[] {
    for (const source of SOURCES.keys())
      for (const { ads } of this.homes) if (ads[source]?.listed) ads[source].order ??= this.#order++;
    const changes = this.homes.flatMap((home) => {
      const [leader] = home.ads.filter(({ listed }) => listed).sort((a, b) => Number(a.order) - Number(b.order));
      return home.ads.flatMap((each) => this.#apply(home, each, each === leader, at) ?? []);
    });
    this.#before = at;
    return changes;
  }

  #apply(home: Home, each: Listing, leads: boolean, at: number): LoggedChange | null {
    const wasShown = each.shown;
    const wasListed = each.prices.length > 0 && !each.delisted;
    const last = each.prices.at(-1)?.price ?? null;
    each.shown = leads && home.photos && home.state === 'priced';
    if (wasShown)
      for (let month = monthOf(this.#before); month <= monthOf(at - 1); month++) each.months.set(month, last as number);
    if (each.shown) each.months.set(monthOf(at), home.price);
    const moved = each.shown && last !== home.price;
    if (moved) each.prices.push({ at, price: home.price });
    const log = (type: string, previous: number | null = null, reason: string | null = null): LoggedChange => {
      if (type === 'listing.created' || type === 'listing.delisted') each.delisted = type === 'listing.delisted';
      return { listing: each.key, type, price: each.prices.at(-1)?.price as number, previous, reason };
    };
    if (!wasListed) return each.shown ? log('listing.created') : null;
    if (!leads) return log('listing.delisted', null, each.listed ? 'merged' : 'removed_at_source');
    if (moved) return log('listing.price_changed', last, wasShown ? null : 'relisted');
    if (wasShown && !each.shown) return log('listing.hidden', null, home.photos ? home.state : 'without_photos');
    return each.shown && !wasShown ? log('listing.relisted') : null;
  }

  /** The fields of a served price. Null if search does not return the listing. */
  static served({ shown, prices }: Listing) {
    const [now, before] = [prices.at(-1), prices.at(-2)];
    if (!shown || now === undefined) return null;
    return { yearly: now.price, previous: before?.price ?? null, changed: before === undefined ? null : now.at };
  }
}

export const isWatched = (key: string): boolean => isWatchedHome(Number(key.split('/h')[1]));

/**
 * Equal on both sources, so that the ads are merged; homes are far apart. Offices, because comparing dwellings takes a third
 * of a run.
 */
function rowOf({ number, price, state, photos }: Home): FeedRow {
  const [city, south, west] = isWatchedHome(number)
    ? (['Jeddah', 21.3, 39.1] as const)
    : (['Riyadh', 24.4, 46.4] as const);
  const posted = { priced: price, no_price: null, implausible: price * IMPLAUSIBLE };
  const changes: Partial<RawListing> = {
    title: `مكتب رقم ${number} للإيجار`,
    property_type: 'office',
    description: `مكتب رقم ${number} في حي هادئ`,
    price: posted[state],
    area: 110 + (number % 41),
    bedrooms: null,
    bathrooms: null,
    floor: String(number % 7),
    city,
    lat: south + (number % 100) * 0.006,
    lng: west + Math.floor(number / 100) * 0.006,
    ...(photos ? {} : { photos: [] }),
  };
  return ad(`h${number}`, changes);
}
