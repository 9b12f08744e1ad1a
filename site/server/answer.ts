import { CITIES } from '#domain/geography/gazetteer.ts';
import { NAMES } from '#domain/listing-vocabulary.ts';
import type { Listing } from '#domain/listings/listing.ts';
import type { ParsedSentence } from '#domain/sentence/parse.ts';
import { EXPLORER_TEXTS, TEXTS } from '#site/text/index.ts';
import { type Code, codeBlocks } from '#src/documents/code.ts';
import { type Html, html } from '#src/documents/html.ts';
import { type Language, nameIn, pathIn } from '#src/documents/language.ts';
import { PRICES } from '#src/metering/prices.ts';
import type { Distribution, Suggestion } from '#src/site-data/responses.ts';
import { type Api, urlOf } from './api-client.ts';
import { EXPLORER } from './explorer-page.ts';
import { homeCards, wordsOf } from './listing-words.ts';
import type { Site } from './page.ts';
import { meantBy } from './results-page.ts';
import { outline } from './surroundings.ts';

/** Path of the answer to a sentence, which the home page requests while the visitor types. */
export const ANSWER = '/answer';
export const MEDIAN_PATH = '/market/price-distribution';

/** Listings of an answer, and the fields that their cards show. */
const SHOWN = {
  limit: 3,
  fields: 'headline,listing_type,property_type,price,bedrooms,bathrooms,area_sqm,location,images',
} as const;
const MOST_PLACES = 4;
/** Kilometers from the center of the outline to its edge, of a neighborhood and of a city. */
const REACH_KM = { neighborhood: 5, city: 16 };

type Filters = Readonly<Record<string, string>>;
interface Answer {
  filters: Filters;
  /** Null for a place that is not covered. */
  body: { data: Listing[] } | null;
  total: number;
  /** Null for too few listings. */
  median: number | null;
  /** Whether the median is of more listings, because statistics have fewer filters than searches. */
  isWider: boolean;
}

/** @param ofMedian names of the filters that statistics have. @throws ApiError for a refused value */
async function readAnswer(api: Api, filters: Filters, ofMedian: readonly string[]): Promise<Answer> {
  const { sort: _, ...counted } = filters;
  const compared = Object.entries(counted).filter(([name]) => ofMedian.includes(name));
  const [body, count, prices] = await Promise.all([
    api.body<{ data: Listing[] }>('/v1/listings', { ...filters, ...SHOWN }),
    api.data<{ total: number }>('/v1/listings/count', counted),
    api.data<Distribution>(`/v1${MEDIAN_PATH}`, Object.fromEntries(compared)),
  ]);
  const isWider = compared.length < Object.keys(counted).length;
  return { filters, body, total: count?.total ?? 0, median: prices?.median_price_sar ?? null, isWider };
}

/** Renders the answer to a sentence or a place. @throws ApiError for a refused value */
export async function answerTo(
  { api, config, data }: Site,
  language: Language,
  sentence: string,
  ofMedian: readonly string[],
): Promise<Html> {
  const texts = EXPLORER_TEXTS[language];
  const parsed = await api.data<ParsedSentence>('/v1/listings/parse', { q: sentence });
  const restOf = (isKnown: boolean): string =>
    (parsed?.not_understood ?? [])
      .filter(({ reason }) => (reason === 'no_filter') === isKnown)
      .map(({ words }) => words)
      .join(' ');
  const [rest, known] = [restOf(false), restOf(true)];
  const suggested = rest === '' ? null : await api.data<Suggestion[]>('/v1/suggest', { q: rest.slice(0, 100) });
  const places = (suggested ?? [])
    .filter(({ kind, listing_count }) => (kind === 'city' || kind === 'neighborhood') && listing_count > 0)
    .slice(0, MOST_PLACES);
  const filters = meantBy(parsed);
  const { format } = wordsOf(language, TEXTS[language]);
  // The beginning of a name, of which the sentence has no place, is the place while it is typed.
  const isPlaced = PLACES.some((name) => parsed?.filters[name] !== undefined);
  const [first] = isPlaced ? [] : places;
  const answer = await readAnswer(api, { ...filters, ...(first && placeFilters(first)) }, ofMedian);
  const labels = new Map(data.filters.map(({ name, label }) => [name, label[language]]));
  const chips = (parsed?.understood ?? []).map(
    ({ parameter, words }) => html`<li>${labels.get(parameter) ?? texts.sort}: <bdi>${words}</bdi></li>`,
  );
  if (first) chips.push(html`<li>${texts.kinds[first.kind]}: <bdi>${nameIn(language, first)}</bdi></li>`);
  const alternatives = (parsed?.alternatives ?? [])
    .filter(({ neighborhood_id }) => !places.some(({ id }) => id === neighborhood_id))
    .map((each) => ({ ...each, kind: 'neighborhood' as const, id: each.neighborhood_id }));
  const others = [...(first ? places.slice(1) : places), ...alternatives].slice(0, MOST_PLACES).map((place) => {
    const path = urlOf(pathIn(language, EXPLORER), { ...filters, ...placeFilters(place) });
    const city = CITIES.find(({ slug }) => slug === place.city);
    const label = format.list([
      nameIn(language, place),
      ...(place.kind === 'neighborhood' && city ? [nameIn(language, city)] : []),
    ]);
    return html` <a href="${path}">${label}</a>`;
  });
  return html`${chips.length > 0 && html`<ul class="chips" aria-label="${texts.active_filters}">${chips}</ul>`}
${!first && rest !== '' && html`<p>${texts.not_understood} <mark dir="auto">${rest}</mark></p>`}
${known !== '' && html`<p>${texts.no_filter} <mark dir="auto">${known}</mark> <a href="${urlOf(pathIn(language, EXPLORER), { ...filters, q: known })}">${texts.in_ads}</a></p>`}
${others.length > 0 && html`<p>${texts.did_you_mean}${others}</p>`}
${await answerPart({ api, config }, language, answer, sentence)}`;
}

/** Renders the answer to filters that are part of a page. */
export async function exampleAnswer(site: Site, language: Language, filters: Filters): Promise<Html> {
  const { for_example, example_sentence } = TEXTS[language];
  const answer = await readAnswer(site.api, filters, Object.keys(filters));
  return html`<p>${for_example}: <strong>${example_sentence}</strong></p>
${await answerPart(site, language, answer, example_sentence)}`;
}

/** Filters that name a place. */
const PLACES = ['city', 'neighborhood_id', 'direction_id', 'compound', 'near'];

const placeFilters = ({ kind, id, city }: Pick<Suggestion, 'kind' | 'id' | 'city'>): Filters => ({
  ...(city !== null && { city }),
  ...(kind === 'neighborhood' && { neighborhood_id: String(id) }),
});

/** Cards, count, median and outline, and beside them the request and its response. */
async function answerPart(
  { api, config }: Pick<Site, 'api' | 'config'>,
  language: Language,
  { filters, body, total, median, isWider }: Answer,
  sentence: string,
): Promise<Html> {
  const texts = EXPLORER_TEXTS[language];
  const shared = TEXTS[language];
  const words = wordsOf(language, shared);
  const { format } = words;
  const rows = body?.data ?? [];
  const city = CITIES.find(({ slug }) => slug === filters.city);
  const cityName = city ? nameIn(language, city) : (filters.city ?? '');
  const offer = words.name(NAMES.listing_types, filters.listing_type ?? '');
  const all = urlOf(pathIn(language, EXPLORER), { ...filters, sentence });
  const neighborhoods = city ? await api.neighborhoods(city.slug) : [];
  const own = neighborhoods.find(({ id }) => String(id) === filters.neighborhood_id);
  const center = own?.center ?? city?.center;
  const map =
    center &&
    outline(neighborhoods, words, {
      center,
      own: own?.id ?? null,
      reachKm: own ? REACH_KM.neighborhood : REACH_KM.city,
      dots: rows.map(({ location }) => location),
      label: shared.location,
    });
  const a_year = filters.listing_type === 'rent' ? ` ${shared.a_year}` : '';
  const medianText =
    median !== null && html` ${isWider ? shared.wider_median : texts.median}: ${format.sar(median)}${a_year}.`;
  const query = String(new URLSearchParams({ ...filters, limit: String(SHOWN.limit), fields: SHOWN.fields }));
  const url = `${config.baseUrl}/listings?${query.replaceAll('%2C', ',')}`;
  const response: Code[] =
    body === null || rows.length === 0
      ? []
      : [{ language: 'json', text: JSON.stringify(body, null, 2), output: shared.response }];
  return html`<div class="answer"><div>
<p role="status"><strong>${format.list([cityName, offer])}: ${format.count(texts.found, total)}.</strong>${medianText}</p>
${rows.length === 0 ? html`<p>${texts.nothing}</p>` : homeCards(rows, words)}
<p><a class="button" href="${all}">${shared.all_results}</a></p>
${map ?? null}</div><div>
<p>${shared.same_request} <strong>${format.count(shared.units, PRICES.search.units)}</strong></p>
${codeBlocks([...CALLS.map(([kind, code]) => ({ language: kind, text: code(url) })), { language: 'prompt', text: promptOf(config.siteUrl, filters) }, ...response])}</div></div>`;
}

const promptOf = (siteUrl: string, filters: Filters): string =>
  `Connect to ${siteUrl}/mcp and call the tool searchListings with these arguments. Show the price, the place and the link of each listing.

${JSON.stringify({ ...filters, limit: SHOWN.limit }, null, 2)}`;

const CALLS: readonly (readonly [language: string, code: (url: string) => string])[] = [
  ['sh', (url) => `curl -sS --fail-with-body -H 'Authorization: Bearer <API_KEY>' \\\n  '${url}'`],
  [
    'ts',
    (url) => `async function main() {
  const response = await fetch('${url}', {
    headers: { Authorization: 'Bearer <API_KEY>' },
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error.message);
  console.log(JSON.stringify(body, null, 2));
}

main();`,
  ],
  [
    'python',
    (url) => `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    headers={"Authorization": "Bearer <API_KEY>"},
)
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`,
  ],
];
