import { LISTING_TYPES, NAMES } from '#domain/listing-vocabulary.ts';
import type { Listing } from '#domain/listings/listing.ts';
import type { ParsedSentence } from '#domain/sentence/parse.ts';
import { EXPLORER_TEXTS, TEXTS } from '#site/text/index.ts';
import { type Html, html } from '#src/documents/html.ts';
import { type Language, nameIn, pathIn } from '#src/documents/language.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { offerOfPrice } from './amounts.ts';
import type { Api, NamedCity } from './api-client.ts';
import { EXPLORER, type ExplorerData, type FirstRows } from './explorer-page.ts';
import { EVERY_CITY, FIRST, PAGE_SIZE } from './explorer-place.ts';
import { listingCard } from './listing-card.ts';
import { wordsOf } from './listing-words.ts';
import type { Page } from './page.ts';

/** Parameters of a page of results besides the filters. */
const PAGING = ['sort', 'cursor'];
/** Parameters of searches whose listings depend on the script: of other views, and of the visible part of the map. */
const OF_SCRIPT = ['view', 'map'];

type SearchOutcome = FirstRows | { message: string };

/**
 * Returns the parameters of a search whose listings the page contains, with the same defaults as the script; null for
 * other searches. Pure.
 */
export function valuesOf(query: URLSearchParams, filters: readonly string[]): Record<string, string> | null {
  if (query.get('city') === EVERY_CITY || OF_SCRIPT.some((name) => query.has(name))) return null;
  const known = [...query].filter(([name, value]) => value !== '' && (filters.includes(name) || PAGING.includes(name)));
  return { ...FIRST, ...Object.fromEntries(known) };
}

/** Whether a query is a sentence that has not been read. Pure. */
export const hasOnlySentence = (query: URLSearchParams): boolean => query.size === 1 && Boolean(query.get('sentence'));

/** Reads a sentence as the search box of the explorer does. @returns the query that it means */
export async function querySentence(api: Api, query: URLSearchParams): Promise<URLSearchParams> {
  const sentence = query.get('sentence') ?? '';
  return new URLSearchParams({ ...meantBy(await api.data('/v1/listings/parse', { q: sentence })), sentence });
}

/** Returns the filters and the order of a sentence, with the offer that its price means. Pure. */
export function meantBy(parsed: ParsedSentence | null): Record<string, string> {
  const { filters = {}, sort = null } = parsed ?? {};
  const offer = offerOfPrice(filters);
  return { ...FIRST, ...(offer && { listing_type: offer }), ...filters, ...(sort && { sort }) };
}

/** Returns the first page of a search, or what is wrong with a filter. @throws ApiError if the data is unavailable */
export async function readResults(api: Api, values: Readonly<Record<string, string>>): Promise<SearchOutcome> {
  try {
    const body = await api.body<{ data: Listing[]; pagination: { next_cursor: string | null } }>('/v1/listings', {
      ...values,
      limit: PAGE_SIZE,
    });
    // Cards show no descriptions, which are half of the bytes.
    const rows = (body?.data ?? []).map((listing) => ({ ...listing, description: '', description_en: '' }));
    return { rows, next: body?.pagination.next_cursor ?? null };
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { message: error.message };
    throw error;
  }
}

/**
 * Adds the listings of a search to the page of the explorer: its script starts with them, they are shown until it has
 * loaded, and browsers without scripts show links to other pages of results beside them.
 */
export function withResults(
  page: Page,
  language: Language,
  search: {
    query: URLSearchParams;
    values: Readonly<Record<string, string>> | null;
    found: SearchOutcome | null;
    sources: readonly string[];
    now: number;
  },
): Page {
  const { query, values, found, sources, now } = search;
  const data = page.data as ExplorerData;
  const isFirst = found !== null && 'rows' in found && !query.has('cursor');
  const results = values && found && resultsIn(language, values, found, { cities: data.cities, now });
  const list = pathIn(language, `${EXPLORER}?${new URLSearchParams(withoutScript(query))}`);
  const { map, mapParts } = data.files;
  return {
    ...page,
    path: isFirst && values ? canonicalOf(values) : EXPLORER,
    data: { ...data, sources, first: isFirst ? found : null },
    // If the page shows results, the map is next. Otherwise the script loads it after them.
    later: isFirst && map !== null ? [map, ...mapParts] : [],
    body: html`<h1 class="visually-hidden">${page.title}</h1><div id="explorer"><div class="explorer">
<noscript class="search-box">${searchForm(pathIn(language, EXPLORER), language, query.get('sentence') ?? '')}</noscript>
<section class="map-panel"><div class="map-box"></div></section>
<div class="results">${results ?? html`<noscript><p><a class="button" href="${list}">${TEXTS[language].as_list}</a></p></noscript>`}</div>
</div></div>`,
  };
}

/** Search engines list the homes of a city for rent and for sale; other filters are parts of these pages. Pure. */
function canonicalOf({
  city = FIRST.city,
  listing_type = FIRST.listing_type,
}: Readonly<Record<string, string>>): string {
  const isFirst = city === FIRST.city && listing_type === FIRST.listing_type;
  return isFirst ? EXPLORER : `${EXPLORER}?${new URLSearchParams({ city, listing_type })}`;
}

/** Returns the filters of a search in one city, without its view and its part of the map. Pure. */
const withoutScript = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...query].filter(([name, value]) => !OF_SCRIPT.includes(name) && !(name === 'city' && value === EVERY_CITY)),
  );

function resultsIn(
  language: Language,
  values: Readonly<Record<string, string>>,
  found: SearchOutcome,
  { cities, now }: { cities: readonly NamedCity[]; now: number },
): Html {
  const texts = EXPLORER_TEXTS[language];
  if ('message' in found) return html`<p role="alert">${found.message}</p>`;
  const linkTo = (changes: Readonly<Record<string, string>>): string => {
    const { cursor: _, ...filters } = values;
    return pathIn(language, `${EXPLORER}?${new URLSearchParams({ ...filters, ...changes })}`);
  };
  const { name } = wordsOf(language, texts);
  const offers = LISTING_TYPES.map(
    (offer) => html`<li><a href="${linkTo({ listing_type: offer })}">${name(NAMES.listing_types, offer)}</a></li>`,
  );
  const places = cities.map(
    (city) => html`<li><a href="${linkTo({ city: city.slug })}">${nameIn(language, city)}</a></li>`,
  );
  const next =
    found.next !== null &&
    html`<p><a class="button" rel="next" href="${linkTo({ cursor: found.next })}">${TEXTS[language].more_results}</a></p>`;
  const list =
    found.rows.length === 0
      ? html`<p>${texts.nothing}</p>`
      : html`<ul class="cards">${found.rows.map((each) => html`<li>${cardOf(each, language, now)}</li>`)}</ul>`;
  return html`${list}<noscript>${next}<ul class="places">${offers}</ul><ul class="places">${places}</ul></noscript>`;
}

/** The card that the script shows. Its script loads the photo when it is near the screen. */
function cardOf(listing: Listing, language: Language, now: number): Html {
  const { name, ...words } = wordsOf(language, EXPLORER_TEXTS[language]);
  const [first] = listing.images;
  const photo =
    first === undefined
      ? html`<span class="no-photo">${words.texts.no_photo}</span>`
      : html`<img alt="" width="132" height="99"><noscript><img src="${first}" alt="" loading="lazy" width="132" height="99"></noscript>`;
  const card = listingCard(listing, photo, now, { ...words, typeName: (type) => name(NAMES.property_types, type) });
  return html`<a class="card" href="${pathIn(language, `/listings/${listing.id}`)}">${card}</a>`;
}

export function searchForm(path: string, language: Language, sentence = ''): Html {
  const texts = EXPLORER_TEXTS[language];
  return html`<form class="seek" role="search" action="${path}"><input type="search" name="sentence" value="${sentence}" aria-label="${texts.search_label}" placeholder="${texts.search_hint}" dir="auto" maxlength="300"><button class="main">${texts.search}</button></form>`;
}
