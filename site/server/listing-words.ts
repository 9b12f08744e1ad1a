import { NAMES } from '#domain/listing-vocabulary.ts';
import type { Listing } from '#domain/listings/listing.ts';
import type { Names } from '#domain/named.ts';
import type { SharedTexts } from '#site/text/index.ts';
import { type Html, html } from '#src/documents/html.ts';
import { type Language, nameIn, pathIn } from '#src/documents/language.ts';
import { urlOf } from './api-client.ts';
import { formatter, joined } from './format.ts';

export interface ListingPageData {
  estimateUrl: string;
  language: Language;
  texts: SharedTexts;
}

export type Words<T = SharedTexts> = ReturnType<typeof wordsOf<T>>;

export function wordsOf<T>(language: Language, texts: T) {
  const name = (names: Readonly<Record<string, Names>>, value: string): string =>
    names[value]?.[language === 'ar' ? 'name_ar' : 'name_en'] ?? value;
  return { texts, format: formatter(language), language, name };
}

export const cityOf = ({ location: { city_name_en, city_name_ar } }: Listing, language: Language): string =>
  nameIn(language, { name_en: city_name_en, name_ar: city_name_ar });

/** Returns the API's English `headline`, or an Arabic one from the same fields. */
export function headlineOf(listing: Listing, words: Words): string {
  if (words.language === 'en') return listing.headline;
  const { area_sqm, location } = listing;
  const area = area_sqm === null ? null : words.format.area(area_sqm);
  return describeHome(listing, [location.neighborhood_name_ar, cityOf(listing, words.language), area], words);
}

/** Names a home by type, offer, rooms and other facts. */
export const describeHome = (
  {
    property_type,
    listing_type,
    bedrooms,
  }: Record<'property_type' | 'listing_type', string> & Pick<Listing, 'bedrooms'>,
  others: readonly (string | null)[],
  { name, texts, format }: Words,
): string =>
  format.list([
    `${name(NAMES.property_types, property_type)} ${name(NAMES.listing_types, listing_type).toLowerCase()}`,
    bedrooms ? format.count(texts.rooms, bedrooms) : null,
    ...others,
  ]);

export const priceText = ({ listing_type, price }: Listing, { texts, format }: Words): string =>
  price.yearly_sar === null
    ? texts.price_not_stated
    : `${format.sar(price.yearly_sar)}${listing_type === 'rent' ? ` ${texts.a_year}` : ''}`;

export const perSqmText = ({ price_per_sqm_sar: price }: Listing, { texts, format }: Words): string | null =>
  price === null ? null : `${format.sar(Math.round(price))} ${texts.per_square_meter}`;

interface Filters {
  city: string;
  listing_type: string;
  property_type?: string;
  neighborhood_id: number | null;
}

export const resultsPath = (
  { city, listing_type, property_type, neighborhood_id }: Filters,
  language: Language,
): string => urlOf(pathIn(language, '/explorer'), { city, listing_type, property_type, neighborhood_id });

export const factLine = ({ bedrooms, bathrooms, area_sqm }: Listing, { texts, format }: Words): string =>
  joined(' · ', [
    bedrooms ? format.count(texts.rooms, bedrooms) : null,
    bathrooms ? format.count(texts.baths, bathrooms) : null,
    area_sqm === null ? null : format.area(area_sqm),
  ]);

export function homeCards(listings: readonly Listing[], words: Words): Html {
  const items = listings.map((listing) => {
    const [photo] = listing.images;
    return html`<li><a href="${pathIn(words.language, `/listings/${listing.id}`)}">${photo === undefined ? null : html`<img src="${photo}" alt="" loading="lazy" decoding="async" width="300" height="200">`}<strong>${priceText(listing, words)}</strong><span>${headlineOf(listing, words)}</span></a></li>`;
  });
  return html`<ul class="homes">${items}</ul>`;
}
