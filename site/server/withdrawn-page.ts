import type { Listing } from '#domain/listings/listing.ts';
import { TEXTS } from '#site/text/index.ts';
import { type Html, html, section } from '#src/documents/html.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import type { UnservedListing } from '#src/site-data/site-data.ts';
import type { Api } from './api-client.ts';
import { homeCards, resultsPath, wordsOf } from './listing-words.ts';
import type { Page, Site } from './page.ts';

const SIMILAR = 3;

/** Returns 410 with similar listings if the listing was withdrawn or merged into another one, otherwise 404. */
export async function missingPage({ api, data }: Site, language: Language, id: number): Promise<Page> {
  const texts = TEXTS[language];
  const found = await data.unservedListing(id);
  if (!found?.gone) {
    const { missing: title, missing_text: text } = texts;
    const search = html`<a class="button" href="${pathIn(language, '/explorer')}">${texts.search_listings}</a>`;
    return { title, path: `/listings/${id}`, status: 404, body: html`<h1>${title}</h1><p>${text}</p><p>${search}</p>` };
  }
  const cities = await api.cities();
  const city = cities.find(({ slug }) => slug === found.city);
  const name = city?.[language === 'ar' ? 'name_ar' : 'name_en'] ?? found.city;
  const cards = (listings: readonly Listing[]): Html => homeCards(listings, name, wordsOf(language, texts));
  const [same, similar] = await Promise.all([
    found.duplicate_of === null ? null : api.data<Listing>(`/v1/listings/${found.duplicate_of}`),
    findSimilar(api, found),
  ]);
  return {
    title: texts.gone,
    path: `/listings/${id}`,
    status: 410,
    body: html`<h1>${texts.gone}</h1><p>${texts.gone_text}</p>${same && html`<p>${texts.merged_into}</p>${cards([same])}`}
${similar.length > 0 && section('similar', texts.similar_listings, cards(similar))}
<p><a class="button" href="${resultsPath(found, language)}">${texts.similar_results}</a></p>`,
  };
}

/** Returns listings from the neighborhood if it has enough, or the city. */
async function findSimilar(api: Api, gone: UnservedListing): Promise<readonly Listing[]> {
  const { city, listing_type, property_type, neighborhood_id, bedrooms: beds } = gone;
  const filters = { city, listing_type, property_type, beds, sort: 'newest', limit: SIMILAR };
  const search = async (place: number | null): Promise<readonly Listing[]> =>
    (await api.data<Listing[]>('/v1/listings', { ...filters, neighborhood_id: place })) ?? [];
  const near = neighborhood_id === null ? [] : await search(neighborhood_id);
  return near.length >= SIMILAR ? near : search(null);
}
