import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import type { Listing, StoredListing } from '#domain/listings/listing.ts';
import { sphericalMeters } from '#test/distance.ts';

/**
 * A test oracle that implements every filter and sort order in plain code over served listings. It is based on the
 * documentation and independent of the query builders: if results differ, one of the two is wrong.
 */
export interface OracleListing {
  /** The listing as served by detail or batch requests on a plan with all fields. */
  served: Listing;
  /** Private fields used by filters: the advertiser type and the plausibility of price and size. */
  hidden: Pick<StoredListing['private'], 'advertiser_type' | 'plausible_typed' | 'plausible_pooled'>;
  /** Score for `sort=recommended`, which only the indexed document contains. */
  score: number;
}

/** Query parameters as strings, without `limit` and `cursor`. */
export type Query = Readonly<Record<string, string>>;

/** Returns the order of a query's results. Zero: both orders are right. */
export function orderOf(query: Query): (a: OracleListing, b: OracleListing) => number {
  const sort = query.sort === 'distance' ? byDistance(query.near ?? '') : SORTED[query.sort ?? 'newest'];
  if (!sort) throw new Error(`unknown sort: ${query.sort}`);
  return sort;
}

/** Returns all results of a search over all its pages, in order. */
export function searchOracle(all: readonly OracleListing[], query: Query): OracleListing[] {
  const sort = orderOf(query);
  const rows = all.filter((known) => matches(known, query) && (query.sort !== 'price_drop' || drop(known) > 0));
  return rows.sort((a, b) => sort(a, b));
}

/** Returns the expected count. */
export function countOracle(all: readonly OracleListing[], query: Query): number {
  return all.filter((known) => matches(known, query)).length;
}

function matches(known: OracleListing, query: Query): boolean {
  if (known.served.price.yearly_sar === null) return false;
  const types = new Set(split(query.property_type ?? ''));
  const oneType = query.property_type !== undefined && types.size === 1;
  if (!(oneType ? known.hidden.plausible_typed : known.hidden.plausible_pooled)) return false;
  return Object.entries(query).every(([name, text]) => {
    if (['sort', 'exclude_own'].includes(name)) return true;
    const meaning = MEANING[name];
    if (!meaning) throw new Error(`unknown filter: ${name}`);
    return meaning(known, text, query);
  });
}

/**
 * Returns whether a minimum exceeds its maximum, or a parameter lacks the one that it requires or excludes, which causes an
 * `invalid_value` error instead of an empty result.
 */
export const contradicts = (query: Query): boolean =>
  (query.near === undefined && query.near_any === undefined && query.radius_m !== undefined) ||
  (query.near === undefined && query.sort === 'distance') ||
  (query.near !== undefined && query.near_any !== undefined) ||
  Object.entries(query).some(([name, least]) => {
    const most = name.endsWith('_min') ? query[name.replace(/_min$/, '_max')] : undefined;
    return most !== undefined && Number(latinDigits(least)) > Number(latinDigits(most));
  });

type Meaning = (known: OracleListing, text: string, query: Query) => boolean;

const split = (text: string): string[] => text.split(',').map((part) => part.trim());
const numbers = (text: string): number[] => split(text).map((part) => Number(latinDigits(part)));
const within = (value: number | null, low: number, high: number): boolean =>
  value !== null && value >= low && value <= high;
const atLeast =
  (read: (listing: Listing) => number | null): Meaning =>
  ({ served }, text) =>
    within(read(served), Number(latinDigits(text)), Number.POSITIVE_INFINITY);
const atMost =
  (read: (listing: Listing) => number | null): Meaning =>
  ({ served }, text) =>
    within(read(served), Number.NEGATIVE_INFINITY, Number(latinDigits(text)));
const sourcesOf = ({ source, also_listed_on }: OracleListing['served']): string[] => [source.name, ...also_listed_on];

const isOneOf =
  (read: (known: OracleListing) => string | null): Meaning =>
  (known, text) => {
    const value = read(known);
    return value !== null && split(text).includes(value);
  };
const exact =
  (read: (listing: Listing) => number | null): Meaning =>
  ({ served }, text) => {
    const value = read(served);
    return value !== null && numbers(text).includes(value);
  };

/** The documented behavior of each filter. */
export const MEANING: Readonly<Record<string, Meaning>> = {
  city: isOneOf(({ served }) => served.location.city),
  listing_type: ({ served }, text) => served.listing_type === text,
  neighborhood_id: exact(({ location }) => location.neighborhood_id),
  neighborhood_id_exclude: ({ served }, text) =>
    served.location.neighborhood_id === null || !numbers(text).includes(served.location.neighborhood_id),
  direction_id: exact(
    ({ location }) => NEIGHBORHOODS.find(({ id }) => id === location.neighborhood_id)?.direction_id ?? null,
  ),
  bbox: ({ served }, text) => {
    const [west, south, east, north] = numbers(text) as [number, number, number, number];
    return within(served.location.lng, west, east) && within(served.location.lat, south, north);
  },
  near: ({ served: { location } }, text, { radius_m = '2000' }) => {
    const [lat, lng] = numbers(text) as [number, number];
    return within(metersApart(location, { lat, lng }), 0, Number(latinDigits(radius_m)));
  },
  near_any: (known, text, query) => text.split(';').some((point) => MEANING.near?.(known, point, query)),
  radius_m: () => true,
  polygon: ({ served: { location } }, text) => isInPolygon(location, text),
  compound: ({ served: { compound_name: name } }, text) => {
    if (text === 'true' || text === 'false') return String(name !== null) === text;
    return name !== null && plainName(name) === plainName(text);
  },
  in_compound: ({ served }, text) => String(served.compound_name !== null) === text,
  listing_category: ({ served }, text) => served.listing_category === text,
  property_type: isOneOf(({ served }) => served.property_type),
  price_min: atLeast(({ price }) => price.yearly_sar),
  price_max: atMost(({ price }) => price.yearly_sar),
  rent_frequency: isOneOf(({ served }) => served.price.as_posted?.frequency ?? null),
  area_min: atLeast(({ area_sqm }) => area_sqm),
  area_max: atMost(({ area_sqm }) => area_sqm),
  beds: exact(({ bedrooms }) => bedrooms),
  bathrooms: exact(({ bathrooms }) => bathrooms),
  beds_min: atLeast(({ bedrooms }) => bedrooms),
  beds_max: atMost(({ bedrooms }) => bedrooms),
  bathrooms_min: atLeast(({ bathrooms }) => bathrooms),
  bathrooms_max: atMost(({ bathrooms }) => bathrooms),
  livings_min: atLeast(({ livings }) => livings),
  amenities: ({ served }, text) => split(text).every((name) => served.amenities.some((has) => has === name)),
  amenities_exclude: ({ served }, text) => !split(text).some((name) => served.amenities.some((has) => has === name)),
  furnished: ({ served }, text) => served.furnished !== null && String(served.furnished) === text,
  floor: ({ served }, text) => split(text).some((name) => onFloor(served.floor, name)),
  max_age: atMost(({ age_years }) => age_years),
  verified: ({ served }, text) => (text === 'true') === (served.verified_by_source === true),
  updated_since: ({ served }, text) => new Date(served.updated_at) >= new Date(text),
  modified_since: ({ served }, text) => micros(served.modified_at) >= micros(text),
  days_on_market_min: atLeast(({ days_on_market }) => days_on_market),
  days_on_market_max: atMost(({ days_on_market }) => days_on_market),
  source: ({ served }, text) => split(text).some((name) => sourcesOf(served).includes(name)),
  source_exclude: ({ served }, text) => !split(text).some((name) => sourcesOf(served).includes(name)),
  advertiser: isOneOf(({ served }) => served.advertiser.ref ?? null),
  advertiser_type: isOneOf(({ hidden }) => hidden.advertiser_type),
  quality: ({ served }, text) => split(text).some((flag) => served.quality.some((has) => has === flag)),
  quality_exclude: ({ served }, text) => !split(text).some((flag) => served.quality.some((has) => has === flag)),
  q: ({ served }, text) => says([served.title ?? '', served.description], text),
};

/**
 * Returns whether a home is on a floor. `floor` is a list of `ground`, `upper`, `roof`, `basement` and storey numbers,
 * where 0 is the ground floor. A roof counts as upper.
 */
function onFloor(floor: string | null, name: string): boolean {
  const parts = floor === null ? [] : split(floor);
  const storey = (from: number, to: number): boolean =>
    parts.some((part) => /^-?\d+$/.test(part) && within(Number(part), from, to));
  if (parts.includes(name)) return true;
  if (name === 'ground') return storey(0, 0);
  if (name === 'upper') return parts.includes('roof') || storey(1, 200);
  return name === 'basement' && storey(-20, -1);
}

const newest = (a: OracleListing, b: OracleListing): number => b.served.id - a.served.id;
const oldest = (a: OracleListing, b: OracleListing): number => a.served.id - b.served.id;
const time = (text: string): number => new Date(text).getTime();
/** Converts a timestamp in any time zone to microseconds since 1970. */
function micros(text: string): bigint {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  return BigInt(time(text.replace(/\.\d+/, ''))) * 1_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}
const price = ({ served }: OracleListing): number => served.price.yearly_sar ?? Number.NaN;
function drop({ served }: OracleListing): number {
  const { yearly_sar: now, previous_yearly_sar: before } = served.price;
  return now === null || before === null ? 0 : ((before - now) / before) * 100;
}

const byDistance = (near: string) => {
  const [lat, lng] = numbers(near) as [number, number];
  const meters = ({ served }: OracleListing): number => metersApart(served.location, { lat, lng }) ?? Number.NaN;
  return (a: OracleListing, b: OracleListing): number => {
    const [{ lat, lng }, other] = [a.served.location, b.served.location];
    if (lat === other.lat && lng === other.lng) return oldest(a, b);
    const difference = meters(a) - meters(b);
    // Indexed coordinates are rounded to about a centimeter, which decides the order of different points at one distance.
    return Math.abs(difference) < 0.03 ? 0 : difference;
  };
};

interface Place {
  lat: number | null;
  lng: number | null;
}

function metersApart({ lat, lng }: Place, center: { lat: number; lng: number }): number | null {
  return lat === null || lng === null ? null : sphericalMeters({ lat, lng }, center);
}

/** Returns whether a ray from the place crosses the outline an odd number of times. */
function isInPolygon({ lat, lng }: Place, text: string): boolean {
  if (lat === null || lng === null) return false;
  const points = text.split(';').map((point) => numbers(point) as [number, number]);
  let isInside = false;
  for (const [index, [toLat, toLng]] of points.entries()) {
    const [fromLat, fromLng] = points.at(index - 1) as [number, number];
    if (fromLat > lat !== toLat > lat && lng < fromLng + ((lat - fromLat) / (toLat - fromLat)) * (toLng - fromLng))
      isInside = !isInside;
  }
  return isInside;
}

const SORTED: Readonly<Record<string, (a: OracleListing, b: OracleListing) => number>> = {
  newest: (a, b) => time(b.served.first_seen_at) - time(a.served.first_seen_at) || newest(a, b),
  updated_asc: (a, b) => time(a.served.updated_at) - time(b.served.updated_at) || oldest(a, b),
  modified_asc: (a, b) => Number(micros(a.served.modified_at) - micros(b.served.modified_at)) || oldest(a, b),
  price_drop: (a, b) => drop(b) - drop(a) || newest(a, b),
  recommended: (a, b) => b.score - a.score || newest(a, b),
  price_asc: (a, b) => price(a) - price(b) || oldest(a, b),
  price_desc: (a, b) => price(b) - price(a) || newest(a, b),
};

// Text search. Only valid for words that no stemmer shortens and that are in no list of synonyms or stop words.

/**
 * Returns whether all terms occur. A `|` between two terms accepts either one; a quoted phrase must occur completely in
 * a single text.
 */
function says(texts: readonly string[], q: string): boolean {
  const bodies = texts.map(tokens);
  const has = (term: string): boolean =>
    term.startsWith('"')
      ? bodies.some((body) => ` ${body.join(' ')} `.includes(` ${tokens(term).join(' ')} `))
      : tokens(term).every((word) => bodies.some((body) => body.includes(word)));
  const alternatives = q.replace(/\s*\|\s*/g, '|').match(/(?:"[^"]*"|[^"\s|])(?:"[^"]*"|[^"\s])*/g) ?? [];
  return alternatives.every((group) => (group.match(/"[^"]*"|[^"|]+/g) ?? []).some(has));
}

/** Splits a text into folded words and numbers. A number next to Arabic letters is a separate token. */
function tokens(text: string): string[] {
  const plain = plainName(text).replace(/(\d)([ء-ي])/g, '$1 $2');
  return plain.replace(/([ء-ي])(\d)/g, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns a query with Latin digits, except in words. */
export const latin = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).map(([name, text]) => [name, name === 'q' ? text : latinDigits(text)]));

const ARABIC_DIGITS = '٠١٢٣٤٥٦٧٨٩';
const PERSIAN_DIGITS = '۰۱۲۳۴۵۶۷۸۹';
function latinDigits(text: string): string {
  return [...text]
    .map((char) => {
      const digit = Math.max(ARABIC_DIGITS.indexOf(char), PERSIAN_DIGITS.indexOf(char));
      return digit === -1 ? char : String(digit);
    })
    .join('');
}

/**
 * Folds spelling variants of a name: case, white space, digits, vowel marks, tatweel, forms of alef and final letters.
 */
function plainName(text: string): string {
  return latinDigits(text)
    .toLowerCase()
    .replace(/[\u064b-\u0652ـ]/g, '')
    .replace(/[أإآ]/g, 'ا')
    .replaceAll('ة', 'ه')
    .replaceAll('ى', 'ي')
    .trim()
    .replace(/\s+/g, ' ');
}
