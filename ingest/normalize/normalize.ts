import { withoutInvisible } from '#domain/file-text.ts';
import { type Boundaries, NO_BOUNDARIES } from '#domain/geography/boundaries.ts';
import {
  AMENITIES,
  LAND_TYPES,
  type ListingType,
  PROPERTY_TYPE_TABLE,
  type PropertyType,
} from '#domain/listing-vocabulary.ts';
import type { Financing } from '#domain/listings/listing.ts';
import { publicLink } from '#stores/outbound/address.ts';
import { readDate } from './ad-dates.ts';
import {
  type AdState,
  readAdvertiserType,
  readAmenities,
  readEnd,
  readPropertyType,
  readPurpose,
  readState,
} from './ad-words.ts';
import { readArea, readWidth } from './area.ts';
import { readFlag } from './flags.ts';
import { readFloor } from './floor.ts';
import {
  type NormalizedListing,
  type NormalizeResult,
  type PriceAsPosted,
  type ProjectReference,
  RAW_FIELDS,
  type RawListing,
  type ReadSettings,
  type RejectReason,
} from './listing.ts';
import { isBlank } from './numbers.ts';
import { readPlace } from './place.ts';
import { feedId, plainValues } from './plain-values.ts';
import { type ReadPrice, readPrice } from './price.ts';
import { readAge, readCount } from './room-counts.ts';
import { foldedLines } from './stated-amounts.ts';
import { cleanDescription, cleanEnglish, cleanName, cleanTitle } from './text.ts';
import { judgeArea } from './text-area.ts';
import { readTextFacts } from './text-facts.ts';
import { judgeKind } from './text-kind.ts';
import { findUnread, MAX_PHOTOS } from './unread-values.ts';
import { isWanted, isWantedPurpose } from './wanted-ads.ts';

const NO_LATEST = Date.UTC(2100, 0, 1);
/** Host clocks differ, so an update time up to this many milliseconds after the run is accepted. */
const CLOCK_TOLERANCE = 10 * 60 * 1_000;

/**
 * Converts a row to the service's vocabulary, units and places. Pure.
 * @param at time of the run; later dates are ignored
 * @returns the listing, or the reason for rejecting the row. Implausible but readable values are checked by the quality
 * stage.
 */
export function normalize(
  source: ReadSettings & { name: string },
  row: RawListing,
  at?: Date,
  boundaries: Boundaries = NO_BOUNDARIES,
): NormalizeResult {
  const { row: raw, unread: misshapen } = plainValues(row, RAW_FIELDS);
  const offer = readOffer(raw);
  if ('ok' in offer) return offer;
  const { id, state, listingType, propertyType } = offer;
  const title = cleanTitle(raw.title);
  const description = cleanDescription(raw.description);
  const text = `${title ?? ''}\n${description}`;
  const lines = foldedLines(text);
  const { fieldArea, areas, price: read } = readAmounts(raw, lines, offer);
  const reading = 'unreadable' in read ? { price: null, doubt: null, implausible: null, readings: [] } : read;
  const english = cleanEnglish(raw.description_en);
  const place = readPlace(raw, boundaries, title, english === null ? description : `${description}\n${english}`);
  if (place === null) return rejected('unknown_city', `${quoted(raw.city)} at ${quoted(raw.lat)}, ${quoted(raw.lng)}`);
  const stated = statedFacts(raw, at);
  const facts = factsOf(stated, raw.amenities, text, propertyType);
  const latest = at === undefined ? NO_LATEST : at.getTime() + CLOCK_TOLERANCE;
  const updatedAt = readDate(raw.updated_at, latest, source.timeZone, source.dateOrder);
  const bedrooms = readCount(raw.bedrooms, 'bedrooms');
  const bathrooms = readCount(raw.bathrooms, 'bathrooms');
  const ofKind = judgeKind(lines, { listingType, type: propertyType, bedrooms, city: place.city });
  const { price, doubt } = reading;
  const listing: NormalizedListing = {
    source: source.name,
    source_listing_id: id,
    url: adLink(raw.url),
    title,
    description,
    description_en: english,
    listing_type: listingType,
    listing_category: PROPERTY_TYPE_TABLE[propertyType].category,
    property_type: propertyType,
    price_yearly_sar: price === null ? null : price.yearly,
    price_as_posted: price === null ? null : asPosted(price),
    financing: financingFrom(raw.financing),
    bedrooms,
    bathrooms,
    area_sqm: areas.corrected ?? fieldArea ?? null,
    ...facts,
    from_text: place.neighborhood_from_text ? [...facts.from_text, 'neighborhood_id'] : facts.from_text,
    text_readings: [...areas.readings, ...reading.readings, ...(ofKind === null ? [] : [ofKind])],
    city: place.city,
    neighborhood_id: place.neighborhood_id,
    neighborhood_stated: place.neighborhood_stated,
    lat: place.lat,
    lng: place.lng,
    compound_name: cleanName(raw.compound_name, 120),
    project: projectReference(raw.project),
    photos: photoAddresses(raw.photos),
    advertiser_wording: cleanName(raw.advertiser_type, 60),
    advertiser_type: isBlank(raw.advertiser_type) ? null : readAdvertiserType(String(raw.advertiser_type)),
    advertiser_key: cleanName(raw.advertiser_key, 120),
    verified_by_source: readFlag(raw.verified),
    source_updated_at: updatedAt,
  };
  return {
    ok: true,
    doubt,
    implausible: reading.implausible ?? ofKind?.flag ?? null,
    areas: { home: areas.inText, plot: areas.plotInText },
    unread: findUnread(
      raw,
      misshapen,
      { listing, stated, state, price: read, fieldArea, isCityNamed: place.city_named },
      source.dateOrder,
    ),
    listing,
  };
}

type Rejection = Extract<NormalizeResult, { ok: false }>;

/** What the ad offers: a row without an id or a known offer is rejected. */
interface Offer {
  id: string;
  /** Null if the source's word is unknown. */
  state: AdState | null;
  listingType: ListingType;
  propertyType: PropertyType;
}

function readOffer(raw: RawListing): Offer | Rejection {
  const id = isBlank(raw.source_listing_id) ? '' : feedId(raw.source_listing_id);
  if (id === '') return rejected('missing_id', 'the row has no id');
  if (ROUNDED_ID.test(id)) return rejected('source_listing_id_unreadable', `${quoted(id)} ${ROUNDED}`);
  if (id.length > MAX_ID_CHARACTERS) return rejected('malformed_row', `an id of ${id.length} characters`);
  // Words such as `غير متوفر`, which state nothing in other fields, state that the ad is not offered.
  const state = readState(raw.status);
  if (state === 'not_offered') return { ...rejected('not_offered', quoted(raw.status)), ended: readEnd(raw.status) };
  const wanted = wantedBy(raw);
  if (wanted !== null) return rejected('wanted', quoted(wanted));
  const listingType = isBlank(raw.purpose) ? null : readPurpose(String(raw.purpose));
  if (listingType === null) return rejected('unknown_purpose', quoted(raw.purpose));
  const propertyType = isBlank(raw.property_type) ? null : readPropertyType(String(raw.property_type));
  if (propertyType === null) return rejected('unknown_property_type', quoted(raw.property_type));
  return { id, state, listingType, propertyType };
}

/** Reads area and price together: the text may correct the area, by which an implausible price is detected. */
function readAmounts(raw: RawListing, lines: ReturnType<typeof foldedLines>, { listingType, propertyType }: Offer) {
  const fieldArea = readArea(raw.area, propertyType, raw.area_unit);
  const areas = judgeArea(fieldArea ?? null, lines, propertyType);
  const price = readPrice(raw.price, raw.price_period, listingType, {
    area: areas.corrected ?? fieldArea ?? null,
    areaInText: areas.inText,
    currency: raw.currency,
    isLand: LAND_TYPES.has(propertyType),
    lines,
  });
  return { fieldArea, areas, price };
}

/**
 * An id as spreadsheets write long numbers (at most 15 significant digits, ids of at most 30), numbers in a narrow
 * column, and formulas that fail.
 */
const ROUNDED_ID = /^(?:\d(?:[.,]\d{1,14})?e\+[0-2]\d|#(?:#+|n\/a|(?:div\/0|name|null|num|ref|value)[!?]))$/i;
const ROUNDED =
  'is a number that a spreadsheet has rounded, or its error. Format the column of ids as text, enter the ids again, and export the file';

function asPosted({ amount, frequency, currency }: ReadPrice): PriceAsPosted {
  return { amount, frequency, ...(currency === undefined ? {} : { currency: currency.code }) };
}

function statedFacts(raw: RawListing, at: Date | undefined) {
  return {
    livings: readCount(raw.livings, 'livings'),
    floor: readFloor(raw.floor),
    age_years: readAge(raw.age_years, at?.getUTCFullYear()),
    furnished: readFlag(raw.furnished),
    street_width_m: readWidth(raw.street_width),
  };
}

/** Facts of the text fill missing fields, and override none. */
function factsOf(
  stated: ReturnType<typeof statedFacts>,
  amenities: RawListing['amenities'],
  text: string,
  type: PropertyType,
) {
  const read = readTextFacts(text, type);
  const listed = readAmenities(amenities);
  const added = read.amenities.filter((amenity) => !listed.includes(amenity));
  const filled = (Object.keys(stated) as (keyof typeof stated)[]).filter(
    (field) => stated[field] === null && read[field] !== null,
  );
  return {
    ...stated,
    ...Object.fromEntries(filled.map((field) => [field, read[field]])),
    amenities: added.length === 0 ? listed : AMENITIES.filter((one) => listed.includes(one) || added.includes(one)),
    from_text: [...filled, ...added],
  };
}

function wantedBy({ purpose, property_type, title, description }: RawListing): string | null {
  if (typeof purpose === 'string' && isWantedPurpose(purpose)) return purpose;
  for (const text of [property_type, title, description]) if (typeof text === 'string' && isWanted(text)) return text;
  return null;
}

const MAX_ID_CHARACTERS = 200;

function rejected(reason: RejectReason, detail: string): Rejection {
  return { ok: false, reason, detail };
}

export function quoted(value: unknown): string {
  return isBlank(value) ? 'nothing' : JSON.stringify(String(value).slice(0, 100));
}

function projectReference(raw: RawListing['project']): ProjectReference | null {
  const id = isBlank(raw?.id) ? null : cleanName(String(raw?.id), MAX_ID_CHARACTERS);
  const name = cleanName(raw?.name, 120);
  return id === null && name === null ? null : { id, name, developer: cleanName(raw?.developer, 120) };
}

/** Returns an absolute HTTP(S) URL; null for anything else, so that redirects never lead to a script or a file. */
function webAddress(address: unknown): string | null {
  const found = typeof address === 'string' ? address.trim() : '';
  return /^https?:\/\/[^\s/]/i.test(found) && found.length <= 2_000 ? found : null;
}

/** Null also for addresses that visitors must not follow, such as loopback addresses and URLs with a user name. */
function adLink(address: unknown): string | null {
  const found = webAddress(address);
  return found !== null && publicLink(found) !== null ? found : null;
}

/** A text may have several addresses, as a cell of a spreadsheet does, also as JSON. */
const BETWEEN_ADDRESSES =
  /(?<=\.(?:jpe?g|png|webp))(?: \/ |[^\w/?&=%]{0,4})(?=https?:\/\/)|(?<![\s|,;،؛"'])[\s|,;،؛"']+(?=https?:\/\/)/i;
/** `https://photos.example/1.jpg|Kitchen`. */
const CAPTIONED = /^([^?|]+)\|.*$/s;
const AROUND_ADDRESSES = /^[\s[{"']+|(?<![\s\]}"'|,;،؛])[\s\]}"'|,;،؛]+$/g;
/** After a name: `a.jpg (https://photos.example/1)`. */
const IN_BRACKETS = /(?<=\()https?:\/\/(?:[^\s()]|\([^\s()]*\))+(?=\))/gi;
/** In markup and quotes, such as those of HTML and PHP, which no address contains. */
const IN_QUOTES = /(?<=')https?:\/\/[^'"<>]+|https?:\/\/[^"<>]+/gi;

export function photoAddresses(addresses: readonly string[] | null | undefined): string[] {
  if (!Array.isArray(addresses) || addresses.length === 0) return [];
  const photos = new Set<string>();
  // A single text may be a list written as text.
  const seen = addresses.map(withoutInvisible);
  const cells = seen.length === 1 ? seen.map((cell) => cell.replace(AROUND_ADDRESSES, '')) : seen;
  const texts = cells.flatMap((cell) =>
    /["<>]/.test(cell)
      ? (cell.match(IN_QUOTES)?.map((text: string) => text.replace(AROUND_ADDRESSES, '')) ?? [])
      : /^(?!https?:).*\(https?:/is.test(cell)
        ? (cell.match(IN_BRACKETS) ?? [])
        : cell,
  );
  for (const address of texts.flatMap((text) => text.split(BETWEEN_ADDRESSES))) {
    const photo = webAddress(address.replace(CAPTIONED, '$1'));
    if (photo !== null && photos.size < MAX_PHOTOS) photos.add(photo);
  }
  return [...photos];
}

function financingFrom(raw: RawListing['financing']): Financing {
  const plans = raw?.landlord_payment_plans;
  const read = readPrice(raw?.rent_now_pay_later_monthly_sar, 'monthly', 'rent');
  const monthly = 'price' in read ? read.price : null;
  return {
    rent_now_pay_later_monthly_sar: monthly && !monthly.currency ? monthly.amount : null,
    accepts_bank_financing: readFlag(raw?.accepts_bank_financing),
    landlord_payment_plans: {
      monthly: readFlag(plans?.monthly),
      quarterly: readFlag(plans?.quarterly),
      semiannually: readFlag(plans?.semiannually),
    },
  };
}
