import type { Listing } from '#domain/listings/listing.ts';
import type { EXPLORER_TEXTS } from '#site/text/index.ts';
import { type Html, html } from '#src/documents/html.ts';
import { type Language, nameIn } from '#src/documents/language.ts';
import { type Formatter, known, sourceName } from './format.ts';

/** Time for which a listing is new. */
const NEW_MS = 3 * 24 * 3_600_000;

export interface CardWords {
  texts: Pick<(typeof EXPLORER_TEXTS)['en'], 'no_price' | 'a_year' | 'beds' | 'price_cut' | 'is_new'>;
  format: Formatter;
  language: Language;
  typeName(type: string): string;
}

/** Renders a listing among results. Pure, for server and browser. */
export function listingCard(listing: Listing, photo: Html, now: number, words: CardWords): Html {
  const { texts, format, language } = words;
  const { price, listing_type, first_seen_at, location, source } = listing;
  const { yearly_sar: amount, previous_yearly_sar: before } = price;
  const period = amount !== null && listing_type === 'rent' ? ` ${texts.a_year}` : '';
  const cut = amount === null || before === null ? 0 : Math.round((100 * (amount - before)) / before);
  const badges = [
    ...(cut < 0 ? [`${texts.price_cut} ${format.percent(cut)}`] : []),
    ...(now - Date.parse(first_seen_at) < NEW_MS ? [texts.is_new] : []),
  ];
  const { neighborhood_name_en: name_en, neighborhood_name_ar: name_ar } = location;
  const place = nameIn(language, { name_en, name_ar });
  const facts = [...cardFacts(listing, words), ...(place === '' ? [] : [place])];
  return html`${photo}<span class="about"><strong>${cardPrice(listing, words)}${period}${badges.map((badge) => html`<span class="badge">${badge}</span>`)}</strong><span>${factSpans(facts)}</span><small>${sourceName(source.name)}</small></span>`;
}

export const cardPrice = ({ price: { yearly_sar } }: Listing, { texts, format }: CardWords): string =>
  yearly_sar === null ? texts.no_price : format.sar(yearly_sar);

export const cardFacts = (
  { property_type, bedrooms, area_sqm }: Listing,
  { texts, format, typeName }: CardWords,
): string[] =>
  known([
    typeName(property_type),
    bedrooms === null ? null : format.count(texts.beds, bedrooms),
    area_sqm === null ? null : format.area(area_sqm),
  ]);

/** A line ends after a fact, not within it or before a dot. */
export const factSpans = (facts: readonly string[]): Html =>
  html`${facts.map((fact, at) => html`${at > 0 && ' '}<span class="fact">${at === facts.length - 1 ? fact : `${fact} ·`}</span>`)}`;
