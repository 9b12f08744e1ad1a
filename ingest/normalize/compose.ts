import type { City, Neighborhood } from '#domain/geography/places.ts';
import {
  type Amenity,
  NAMES,
  PER_SQM,
  type PostedFrequency,
  PROPERTY_TYPE_TABLE,
  SALE_FREQUENCY,
} from '#domain/listing-vocabulary.ts';
import { namesBedrooms } from '#domain/listings/derived.ts';
import type { NormalizedListing } from './listing.ts';

export interface PlaceNames {
  city: City['name_en'];
  neighborhood: Neighborhood['name_en'] | null;
}

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** `3-bedroom apartment for rent in Al Yasmin, Riyadh, 140 m²`. Pure. */
export function composeHeadline(listing: NormalizedListing, names: PlaceNames): string {
  const area = listing.area_sqm === null ? '' : `, ${number.format(listing.area_sqm)} m²`;
  return `${capitalized(subject(listing))} for ${listing.listing_type} in ${placeOf(names)}${area}`;
}

/** For a listing whose source has no English text. Pure. */
export function composeDescriptionEn(listing: NormalizedListing, names: PlaceNames): string {
  const sentences = [`${capitalized(withArticle(subject(listing)))} for ${listing.listing_type} in ${placeOf(names)}.`];
  const { compound_name: compound, price_as_posted: price, age_years: age } = listing;
  if (compound !== null && !/[\u0600-\u06ff]/.test(compound)) sentences.push(`It is in the ${compound} compound.`);
  const rooms = [
    namesBedrooms(listing) ? null : counted(listing.bedrooms, 'bedroom'),
    counted(listing.bathrooms, 'bathroom'),
    counted(listing.livings, 'living room'),
  ].filter((part) => part !== null);
  if (rooms.length > 0) sentences.push(`It has ${enumerated(rooms)}.`);
  if (listing.area_sqm !== null) sentences.push(`The area is ${number.format(listing.area_sqm)} m².`);
  const floor = floorPhrase(listing.floor);
  if (floor !== null) sentences.push(`It is on the ${floor}.`);
  if (age !== null) sentences.push(age === 0 ? 'The building is new.' : `The building is ${counted(age, 'year')} old.`);
  if (listing.furnished !== null) sentences.push(listing.furnished ? 'It is furnished.' : 'It is unfurnished.');
  if (listing.street_width_m !== null) sentences.push(`The street is ${number.format(listing.street_width_m)} m wide.`);
  if (listing.amenities.length > 0) {
    sentences.push(`Amenities: ${enumerated(listing.amenities.map(amenityName))}.`);
  }
  if (price !== null) {
    sentences.push(
      `The asking price is ${price.currency ?? 'SAR'} ${number.format(price.amount)}${pricePeriod(price.frequency)}.`,
    );
  }
  return sentences.join(' ');
}

function pricePeriod(frequency: PostedFrequency): string {
  if (frequency === SALE_FREQUENCY) return '';
  return frequency === PER_SQM ? ' per m²' : ` ${frequency}`;
}

/** Where they differ from the names of the filters. */
const NAMES_IN_SENTENCE: Partial<Record<Amenity, string>> = {
  kitchen: 'kitchen',
  pool: 'pool',
  roof: 'roof',
  smart_home: 'smart home system',
};
const amenityName = (amenity: Amenity): string =>
  NAMES_IN_SENTENCE[amenity] ?? NAMES.amenities[amenity].name_en.toLowerCase();

/** `3-bedroom apartment`; without bedrooms where they do not apply (land, a studio, a single room). */
function subject(listing: NormalizedListing): string {
  const name = PROPERTY_TYPE_TABLE[listing.property_type].name_en.toLowerCase();
  return namesBedrooms(listing) ? `${listing.bedrooms}-bedroom ${name}` : name;
}

function placeOf({ city, neighborhood }: PlaceNames): string {
  return neighborhood === null ? city : `${neighborhood}, ${city}`;
}

function withArticle(noun: string): string {
  if (noun === 'land' || noun === 'commercial land') return noun;
  // Eight, eleven and eighteen begin with a vowel sound.
  return /^[aeiou]|^(?:8|11|18)(?!\d)|^8\d/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function floorPhrase(floor: string | null): string | null {
  if (floor === null) return null;
  const names = floor.split(',').map((part) => (/^\d+$/.test(part) ? ordinal(Number(part)) : part));
  const single = names[0];
  if (names.length === 1) return single === 'basement' || single === 'roof' ? single : `${single} floor`;
  return `${enumerated(names)} floors`;
}

export function ordinal(count: number): string {
  const teen = count % 100 >= 11 && count % 100 <= 13;
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${ending}`;
}

function counted(count: number | null, noun: string): string | null {
  if (count === null || count === 0) return null;
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function enumerated(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
