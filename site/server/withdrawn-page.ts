import type { Listing } from '#domain/listings/listing.ts';
import { TEXTS } from '#site/text/index.ts';
import { html, section } from '#src/documents/html.ts';
import { type Language, nameIn, pathIn } from '#src/documents/language.ts';
import type { UnservedListing } from '#src/site-data/site-data.ts';
import type { Api } from './api-client.ts';
import { describeHome, homeCards, resultsPath, wordsOf } from './listing-words.ts';
import type { Page, Site } from './page.ts';

const SIMILAR = 3;

/**
 * Returns 410 with what the listing was, since when and why it is gone, and similar ones, if it was withdrawn or merged
 * into another one; 404 with the reason if it is hidden, and without one for an unknown id. Of a taken down listing
 * nothing is said.
 */
export async function missingPage({ api, data }: Site, language: Language, id: number): Promise<Page> {
  const texts = TEXTS[language];
  const found = await data.unservedListing(id);
  if (!found?.gone) {
    const text = found?.why ? reasonText(found.why, language) : texts.missing_text;
    const search = html`<a class="button" href="${pathIn(language, '/explorer')}">${texts.search_listings}</a>`;
    const title = found?.why ? texts.hidden : texts.missing;
    return { title, path: `/listings/${id}`, status: 404, body: html`<h1>${title}</h1><p>${text}</p><p>${search}</p>` };
  }
  const isTakenDown = found.why?.reason === 'takedown';
  const cities = await api.cities();
  const city = cities.find(({ slug }) => slug === found.city);
  const words = wordsOf(language, texts);
  const [same, similar, neighborhoods] = await Promise.all([
    found.duplicate_of === null ? null : api.data<Listing>(`/v1/listings/${found.duplicate_of}`),
    isTakenDown ? [] : findSimilar(api, found),
    isTakenDown ? [] : api.neighborhoods(found.city),
  ]);
  const district = neighborhoods.find((each) => each.id === found.neighborhood_id);
  const places = [district ? nameIn(language, district) : null, city ? nameIn(language, city) : found.city];
  const what = isTakenDown ? texts.gone : describeHome(found, places, words);
  return {
    title: isTakenDown ? texts.gone : `${what}: ${texts.gone}`,
    path: `/listings/${id}`,
    status: 410,
    body: html`<h1>${what}</h1><p>${found.why ? reasonText(found.why, language) : texts.gone_text}</p>${same && html`<p>${texts.merged_into}</p>${homeCards([same], words)}`}
${similar.length > 0 && section('similar', texts.similar_listings, homeCards(similar, words))}
${!isTakenDown && html`<p><a class="button" href="${resultsPath(found, language)}">${texts.similar_results}</a></p>`}`,
  };
}

function reasonText({ reason, since }: NonNullable<UnservedListing['why']>, language: Language): string {
  const texts = TEXTS[language];
  const reasons: Readonly<Record<string, string>> = texts.gone_reasons;
  const text = reasons[reason] ?? texts.gone_text;
  return since === null
    ? text
    : `${text} ${texts.gone_since.replace('{day}', wordsOf(language, texts).format.day(since.getTime()))}`;
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
