import type { Listing } from '#domain/listings/listing.ts';
import { LISTING_TYPES, PROPERTY_TYPES } from '#domain/listings/vocabulary.ts';
import { getListing } from '#endpoints/listings/by-id.ts';
import { searchListings } from '#endpoints/listings/search.ts';
import { readRows } from '#postgres/read-rows.ts';
import * as sql from '#postgres/rows.ts';
import type { Services } from '#src/services.ts';
import { callEndpoint, type PageRequest } from './call-endpoint.ts';
import { type Html, html, section } from './html.ts';
import { type Language, pathIn } from './language.ts';
import { homeCards, resultsPath, wordsOf } from './listing-words.ts';
import type { Page } from './page.ts';
import { TEXTS } from './text/index.ts';

const GONE_ROW = {
  gone: sql.boolean,
  city: sql.text,
  listing_type: sql.oneOf(LISTING_TYPES),
  property_type: sql.oneOf(PROPERTY_TYPES),
  neighborhood_id: sql.nullable(sql.integer),
  bedrooms: sql.nullable(sql.number),
  duplicate_of: sql.nullable(sql.integer),
};
type Gone = sql.RowOf<typeof GONE_ROW>;

/** Number of similar listings on the page. */
const SIMILAR = 3;

/**
 * Returns the page of a listing that is not live: 410 with similar listings if it was withdrawn or merged into another
 * listing, otherwise 404.
 */
export async function missingListingPage(
  services: Services,
  language: Language,
  id: number,
  request: PageRequest,
): Promise<Page> {
  const texts = TEXTS[language];
  const found = await findGone(services, id);
  if (!found?.gone) {
    const { missing: title, missing_text: text } = texts;
    const search = html`<a class="button" href="${pathIn(language, '/explorer')}">${texts.search_listings}</a>`;
    return { title, path: `/listings/${id}`, status: 404, body: html`<h1>${title}</h1><p>${text}</p><p>${search}</p>` };
  }
  const cards = (listings: readonly Listing[]): Html => {
    const city = services.places.cities().find(({ slug }) => slug === found.city);
    const name = city?.[language === 'ar' ? 'name_ar' : 'name_en'] ?? found.city;
    return homeCards(
      listings.map((listing) => ({ listing })),
      name,
      wordsOf(language, texts),
    );
  };
  const [same, similar] = await Promise.all([
    found.duplicate_of === null
      ? null
      : callEndpoint<Listing>(services, getListing, { path: { id: found.duplicate_of }, ...request }),
    findSimilar(services, found, request),
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

/** Returns the record of a listing that may have been live before. */
async function findGone({ pool }: Services, id: number): Promise<Gone | undefined> {
  const [found] = await readRows(pool, GONE_ROW, {
    name: 'gone-listing',
    text: `select withdrawn_at is not null or duplicate_of is not null as gone, city, listing_type, property_type,
                  neighborhood_id, bedrooms, duplicate_of
             from listings where id = $1`,
    values: [id],
  });
  return found;
}

/** Returns listings with the same type and number of bedrooms, from the neighborhood if it has enough, or the city. */
async function findSimilar(services: Services, gone: Gone, request: PageRequest): Promise<readonly Listing[]> {
  const { city, listing_type, property_type, neighborhood_id, bedrooms } = gone;
  const filters = {
    city,
    listing_type,
    property_type: [property_type],
    ...(bedrooms === null ? {} : { beds: [bedrooms] }),
  };
  const search = async (more: object): Promise<readonly Listing[]> =>
    (await callEndpoint<Listing[]>(services, searchListings, {
      query: { ...filters, ...more, sort: 'newest', limit: SIMILAR },
      ...request,
    })) ?? [];
  const near = neighborhood_id === null ? [] : await search({ neighborhood_id: [neighborhood_id] });
  return near.length >= SIMILAR ? near : search({});
}
