import type { ListingType } from '#domain/listing-vocabulary.ts';
import { dateRemedy } from './ad-dates.ts';
import { type AdState, readAmenities, readPeriod, readPurpose, statesPayments, withoutAbsent } from './ad-words.ts';
import { unitSize } from './area.ts';
import { readCurrency } from './currencies.ts';
import {
  type NormalizedListing,
  type RawListing,
  REPORTED_AS,
  type ReadSettings,
  type UnreadValue,
} from './listing.ts';
import { isBlank, type Scalar } from './numbers.ts';
import { isStated } from './plain-values.ts';
import type { PriceReading } from './price.ts';

/** Maximum number of photos of an ad. */
export const MAX_PHOTOS = 60;

/** The values of a row that were read, before the text fills or corrects any, and the listing made of them. */
interface ReadValues {
  listing: NormalizedListing;
  stated: Readonly<Record<string, unknown>> & { street_width_m: number | null };
  state: AdState | null;
  price: PriceReading;
  /** Undefined if the area is unreadable. */
  fieldArea: number | null | undefined;
  isCityNamed: boolean;
}

/**
 * Returns the values of a row that are stated but not read. Words that mean "unknown" and zeros state nothing.
 * @param misshapen fields with values of a type that no row has
 */
export function findUnread(
  raw: RawListing,
  misshapen: readonly [field: string, value: unknown][],
  read: ReadValues,
  order: ReadSettings['dateOrder'],
): UnreadValue[] {
  const { stated, listing } = read;
  const isUnread: Partial<Record<string, boolean>> = unreadFields(raw, read);
  const found = [...misshapen];
  for (const field in raw) {
    const value: unknown = raw[field as keyof RawListing];
    if (value === null || value === undefined) continue;
    const result: unknown = field in stated ? stated[field] : listing[field as keyof NormalizedListing];
    const isStatedUnread = (isUnread[field] ?? result === null) && !isBlank(value) && Number(value) !== 0;
    if (isStatedUnread && isStated(value)) found.push([field, value]);
  }
  return found.map(([name, value]) => {
    const field: UnreadValue['field'] = REPORTED_AS[name as keyof typeof REPORTED_AS] ?? name;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const remedy = field === 'date' ? dateRemedy(text, order) : null;
    return { field, value: text, ...(remedy === null ? {} : { remedy }) };
  });
}

/** Whether fields are unread. Others are if they are null in the listing. */
function unreadFields(
  raw: RawListing,
  { listing, stated, state, price: read, fieldArea, isCityNamed }: ReadValues,
): Partial<Record<keyof RawListing, boolean>> {
  const { price, doubt } = 'unreadable' in read ? { price: null, doubt: null } : read;
  return {
    status: state === null,
    description: listing.description === '',
    price:
      'unreadable' in read ||
      (price === null &&
        (doubt === null ? statesNumber(raw.price) : doubt === 'area_missing' || isBlank(raw.price_period))),
    // The sale price of an ad that is only for rent.
    sale_price: true,
    price_period: doubt === 'unknown_period' || !isPeriod(raw.price_period, listing.listing_type),
    currency: isBlank(raw.currency) || !readCurrency(String(raw.currency))?.sar,
    area: fieldArea === undefined || (fieldArea === null && statesNumber(raw.area)),
    area_unit: isBlank(raw.area_unit) || unitSize(String(raw.area_unit)) === null,
    amenities: !raw.amenities?.some((words) => readAmenities([words]).length > 0 || withoutAbsent(words).trim() === ''),
    city: !isCityNamed,
    neighborhood: !listing.neighborhood_stated,
    lng: listing.lat === null && isBlank(raw.lat),
    street_width: stated.street_width_m === null,
    photos: listing.photos.length < Math.min(new Set(raw.photos).size, MAX_PHOTOS),
    verified: listing.verified_by_source === null,
    financing: countOf(raw.financing) > countOf(listing.financing),
    updated_at: listing.source_updated_at === null,
  };
}

const ADDRESS = 'State an address that begins with https://';
const COUNT = 'State one number, without a range';
const TEXT = 'State it as readable text';
const YES_OR_NO = 'State yes or no';

/** What a feed or its source can state instead, unless the value itself shows it. */
export const REMEDIES: Readonly<Record<UnreadValue['field'], string>> = {
  source_listing_id: TEXT,
  status: 'Map a word for available, reserved, sold, rented or hidden',
  url: ADDRESS,
  title: TEXT,
  description: TEXT,
  description_en: TEXT,
  purpose: 'Map a word for sale or rent',
  property_type: 'Map a word for one type',
  price: 'State one amount, without a range, in riyals or with its currency',
  sale_price: 'State one amount, without a range, for an ad for sale and rent',
  price_period: 'Map a word for a day, week, month, quarter, half a year or a year',
  currency: 'State SAR, USD, AED, QAR, BHD or OMR',
  area: 'State one number, without a range, in square meters or with its unit',
  area_unit: 'Map a unit such as m², sqft or hectare',
  bedrooms: COUNT,
  bathrooms: COUNT,
  livings: COUNT,
  floor: 'State one floor, as a number or a word such as ground',
  age: 'State one number of years, or the year of completion',
  furnished: YES_OR_NO,
  street_width: 'State one number of meters',
  amenities: 'State one amenity a value, or several separated by commas',
  city: 'State one city by its name',
  neighborhood: 'State one neighborhood of the city by its name',
  point: 'State degrees of latitude and longitude within the city, or both in this order',
  compound_name: TEXT,
  project: 'Map the id or name of the project',
  photos: ADDRESS,
  advertiser_type: 'Map a word for owner, agent or company',
  advertiser_key: TEXT,
  verified: YES_OR_NO,
  financing: 'State yes or no for plans, and an amount for the installment',
  date: 'State one Gregorian date, such as 2026-11-20',
};

const statesNumber = (value: Scalar): boolean => /[1-9١-٩۱-۹]/.test(String(value ?? ''));

const isPeriod = (period: string | null | undefined, listingType: ListingType): boolean =>
  !isBlank(period) &&
  (readPeriod(period as string) !== null ||
    statesPayments(period as string) ||
    readPurpose(period as string) === listingType);

/** Number of values in an object. */
const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, each) => sum + countOf(each), 0)
    : Number(!isBlank(value));
