import { NAMES } from '#domain/listing-vocabulary.ts';
import type { Listing } from '#domain/listings/listing.ts';
import type { ParsedSentence } from '#domain/sentence/parse.ts';
import { EXPLORER_TEXTS, TEXTS } from '#site/text/index.ts';
import { type Html, html } from '#src/documents/html.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { offerOfPrice } from './amounts.ts';
import type { Api } from './api-client.ts';
import { homeCards, wordsOf } from './listing-words.ts';
import type { Page, Site } from './page.ts';

/** The results of the explorer for browsers without scripts. */
export const RESULTS = '/explorer/list';
const PAGE_SIZE = 20;
const FIRST = { city: 'riyadh', listing_type: 'rent' };
/** Parameters of a page of results besides the filters. */
const PAGING = ['sort', 'cursor'];

/** Returns the parameters of a search that the list has, with the same defaults as the explorer. Pure. */
function valuesOf(query: URLSearchParams, filters: readonly string[]): Record<string, string> {
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

export async function resultsPage({ api, data }: Site, language: Language, query: URLSearchParams): Promise<Page> {
  const { explorer: title, more_results } = TEXTS[language];
  const texts = EXPLORER_TEXTS[language];
  const path = pathIn(language, RESULTS);
  const values = valuesOf(
    query,
    data.filters.map(({ name }) => name),
  );
  const [cities, found] = await Promise.all([api.cities(), search(api, values)]);
  const linkTo = (changes: Readonly<Record<string, string>>): string => {
    const { cursor: _, ...filters } = values;
    return `${path}?${String(new URLSearchParams({ ...filters, ...changes }))}`;
  };
  const nameOf = (slug: string): string =>
    cities.find((city) => city.slug === slug)?.[language === 'ar' ? 'name_ar' : 'name_en'] ?? slug;
  const offers = (['rent', 'sale'] as const).map(
    (offer) =>
      html`<li><a href="${linkTo({ listing_type: offer })}">${wordsOf(language, texts).name(NAMES.listing_types, offer)}</a></li>`,
  );
  const places = cities.map(({ slug }) => html`<li><a href="${linkTo({ city: slug })}">${nameOf(slug)}</a></li>`);
  return {
    title,
    path: RESULTS,
    section: 'explorer',
    body: html`<h1>${title}</h1>
${searchForm(path, language, query.get('sentence') ?? '')}
<ul class="places">${offers}</ul>
${'message' in found ? html`<p role="alert">${found.message}</p>` : found.rows.length === 0 ? html`<p>${texts.nothing}</p>` : homeCards(found.rows, nameOf(values.city ?? ''), wordsOf(language, TEXTS[language]))}
${'next' in found && found.next !== null && html`<p><a class="button" rel="next" href="${linkTo({ cursor: found.next })}">${more_results}</a></p>`}
<ul class="places">${places}</ul>`,
  };
}

export function searchForm(path: string, language: Language, sentence = ''): Html {
  const texts = EXPLORER_TEXTS[language];
  return html`<form class="seek" role="search" action="${path}"><input type="search" name="sentence" value="${sentence}" aria-label="${texts.search_label}" placeholder="${texts.search_hint}" dir="auto" maxlength="300"><button class="main">${texts.search}</button></form>`;
}

type SearchOutcome = { rows: readonly Listing[]; next: string | null } | { message: string };

/** A faulty filter is said on the page. @throws ApiError if the data is unavailable */
async function search(api: Api, values: Readonly<Record<string, string>>): Promise<SearchOutcome> {
  try {
    const body = await api.body<{ data: Listing[]; pagination: { next_cursor: string | null } }>('/v1/listings', {
      ...values,
      limit: PAGE_SIZE,
    });
    return { rows: body?.data ?? [], next: body?.pagination.next_cursor ?? null };
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { message: error.message };
    throw error;
  }
}
