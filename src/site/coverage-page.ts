import { coverageBody } from '#queries/listings/coverage.ts';
import { cachedAggregation } from '#search/aggregation-cache.ts';
import type { Services } from '#src/services.ts';
import { aggregationRequest } from './call-endpoint.ts';
import { type Formatter, formatter } from './format.ts';
import { dataTable, type Html, html } from './html.ts';
import type { Language } from './language.ts';
import type { Page } from './page.ts';
import { SERVICE_TEXTS, TEXTS } from './text/index.ts';

interface Bucket {
  key: string;
  doc_count: number;
  rents: { doc_count: number };
  newest: { value: number | null };
}
interface CoverageResponse {
  hits: { total: { value: number } };
  aggregations: {
    cities: { buckets: readonly (Bucket & { sources: { buckets: readonly { key: string }[] } })[] };
    sources: { buckets: readonly (Bucket & { cities: { value: number } })[] };
  };
}

type Coverage = ReturnType<typeof coverageOf>;
type Count = ReturnType<typeof countOf>;

const countOf = ({ key, doc_count, rents, newest }: Bucket) => ({
  name: key,
  listings: doc_count,
  rents: rents.doc_count,
  // Epoch milliseconds of the last change of a listing.
  changed: newest.value === null ? null : Math.floor(newest.value / 1_000),
});

const coverageOf = ({ hits, aggregations: { cities, sources } }: CoverageResponse) => ({
  listings: hits.total.value,
  cities: cities.buckets.map((bucket) => ({
    ...countOf(bucket),
    sources: bucket.sources.buckets.map(({ key }) => key),
  })),
  sources: sources.buckets.map((bucket) => ({ ...countOf(bucket), cities: bucket.cities.value })),
});

const readCoverage = cachedAggregation<Record<string, never>, CoverageResponse>({
  name: 'coverage',
  body: coverageBody,
  present: coverageOf,
});

/** Returns the page with the listings, and the age of their data, by city and by source. */
export async function coveragePage(services: Services, language: Language): Promise<Page> {
  const texts = SERVICE_TEXTS[language];
  const format = formatter(language);
  const { sourceClock, places } = services;
  const [json, loaded] = await Promise.all([
    readCoverage({ ...aggregationRequest(services), filters: {} }),
    services.loadedQuarters.read(),
  ]);
  const { listings, cities, sources } = JSON.parse(json) as Coverage;
  const names = new Map(places.cities().map((city) => [city.slug, language === 'ar' ? city.name_ar : city.name_en]));
  const readAt = (of: readonly string[]): Html | string => {
    const seconds = Math.max(0, ...of.map((source) => sourceClock.lastSeen(source) ?? 0));
    return seconds === 0 ? TEXTS[language].not_yet : timeOf(seconds * 1_000, format.hour);
  };
  const counts = ({ listings: all, rents, changed }: Count): Html =>
    html`<td>${format.number(all)}</td><td>${format.number(rents)}</td><td>${format.number(all - rents)}</td><td>${changed === null ? '' : timeOf(changed, format.hour)}</td>`;
  const cityRows = cities.map(
    (city) =>
      html`<tr><th scope="row">${names.get(city.name) ?? city.name}</th>${counts(city)}<td>${readAt(city.sources)}</td><td>${format.number(city.sources.length)}</td></tr>`,
  );
  const sourceRows = sources.map(
    (source) =>
      html`<tr><th scope="row"><bdi>${source.name}</bdi></th>${counts(source)}<td>${readAt([source.name])}</td><td>${format.number(source.cities)}</td></tr>`,
  );
  const common = [texts.listings, texts.for_rent, texts.for_sale, texts.last_change, texts.last_read];
  const until = loaded
    .map(({ last_day }) => last_day)
    .sort()
    .at(-1);
  return {
    title: texts.coverage,
    path: '/coverage',
    body: html`<h1>${texts.coverage}</h1><p class="lead">${texts.coverage_lead}</p>
<p>${texts.all} <strong>${format.number(listings)}</strong>. ${texts.time_zone} ${texts.change_note}</p>
<h2 id="cities">${texts.by_city}</h2>
${dataTable(texts.by_city, [texts.city, ...common, texts.city_sources], cityRows, 'figures')}
<h2 id="sources">${texts.by_source}</h2>
${dataTable(texts.by_source, [texts.source, ...common, texts.source_cities], sourceRows, 'figures')}
<h2 id="official">${texts.official}</h2>
<p>${until === undefined ? texts.official_none : texts.official_until.replace('{day}', format.day(until))}</p>`,
  };
}

/** Returns a time in the page's language, with the exact time for programs. */
export const timeOf = (time: number, format: Formatter['moment']): Html =>
  html`<time datetime="${new Date(time).toISOString()}">${format(time)}</time>`;
