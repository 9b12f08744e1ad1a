import { CachedRead } from '#domain/cached-read.ts';
import { LISTING_TYPES, type ListingType, NAMES } from '#domain/listing-vocabulary.ts';
import { SERVICE_TEXTS } from '#site/text/index.ts';
import { Html, html, section } from '#src/documents/html.ts';
import { type Language, nameIn, pathIn } from '#src/documents/language.ts';
import type { EstimateAccuracy } from '#src/site-data/responses.ts';
import type { Api, NamedCity } from './api-client.ts';
import { barChart } from './charts.ts';
import { timedTable } from './coverage-page.ts';
import { tenths } from './format.ts';
import { wordsOf } from './listing-words.ts';
import type { Page, Site } from './page.ts';

type Group = EstimateAccuracy['groups'][number];
interface CityAccuracy {
  city: NamedCity;
  groups: readonly Group[];
  all: Group;
}

/** Estimates are compared once a night. */
const CACHED_MS = 3_600_000;

/** Renders the page for the listing type and the city in a query string. */
export function accuracyPages({ api }: Pick<Site, 'api'>) {
  const cities = Object.fromEntries(
    LISTING_TYPES.map((type) => [type, new CachedRead(() => readAccuracy(api, type), CACHED_MS)]),
  ) as Record<ListingType, CachedRead<CityAccuracy[]>>;
  return async (language: Language, query: URLSearchParams): Promise<Page> => {
    const listingType = LISTING_TYPES.find((each) => each === query.get('listing_type')) ?? 'rent';
    return accuracyPage(await cities[listingType].read(), listingType, query.get('city'), language);
  };
}

async function readAccuracy(api: Api, listing_type: ListingType): Promise<CityAccuracy[]> {
  const found: CityAccuracy[] = [];
  for (const city of await api.cities()) {
    const accuracy = await api.data<EstimateAccuracy>('/v1/market/estimate/accuracy', {
      city: city.slug,
      listing_type,
    });
    const all = accuracy?.groups.find(({ group_by }) => group_by === 'all');
    if (accuracy && all) found.push({ city, groups: accuracy.groups, all });
  }
  return found.sort((a, b) => b.all.sample_size - a.all.sample_size);
}

function accuracyPage(
  cities: readonly CityAccuracy[],
  listingType: ListingType,
  slug: string | null,
  language: Language,
): Page {
  const chosen = cities.find(({ city }) => city.slug === slug) ?? cities[0];
  const words = wordsOf(language, SERVICE_TEXTS[language]);
  const { texts, format, name } = words;
  const share = (value: number | null): string => (value === null ? '–' : format.share(tenths(value)));
  const link = (text: string, values: Record<string, string>, isCurrent: boolean): Html =>
    html`<a href="${pathIn(language, '/accuracy')}?${String(new URLSearchParams(values))}"${new Html(isCurrent ? ' aria-current="true"' : '')}>${text}</a>`;
  const table = (label: string, first: string, rows: readonly (readonly [name: string | Html, of: Group])[]): Html =>
    timedTable(
      label,
      [first, texts.estimates, texts.median_error, texts.within_10, texts.within_20, texts.in_interval],
      rows.map(([title, of]) => [
        title,
        html`${format.number(of.sample_size)}${of.small_sample && html` <small>${texts.few_estimates}</small>`}`,
        ...[of.median_error_pct, of.within_10_pct, of.within_20_pct, of.coverage_80_pct].map(share),
      ]),
      'figures',
    );
  const types = LISTING_TYPES.map(
    (type) => html`<li>${link(name(NAMES.listing_types, type), { listing_type: type }, type === listingType)}</li>`,
  );
  const cityRows = cities.map(({ city, all }) => {
    const values = { listing_type: listingType, city: city.slug };
    return [link(nameIn(language, city), values, city === chosen?.city), all] as const;
  });
  return {
    title: texts.accuracy,
    path: '/accuracy',
    body: html`<h1>${texts.accuracy}</h1><p class="lead">${texts.accuracy_lead}</p>
<ul class="chips choices" aria-label="${texts.offers}">${types}</ul>
${
  chosen
    ? [
        section('city', nameIn(language, chosen.city), cityPart(chosen.groups)),
        section('cities', texts.by_city, table(texts.by_city, texts.city, cityRows)),
      ]
    : html`<p>${texts.accuracy_none}</p>`
}
<p class="note">${texts.accuracy_note} <a href="${pathIn(language, '/reference/get-estimate-accuracy')}"><code dir="ltr">GET /market/estimate/accuracy</code></a></p>`,
  };

  function cityPart(groups: readonly Group[]): Html {
    const of = (by: Group['group_by']): Group[] => groups.filter(({ group_by }) => group_by === by);
    const monthOf = ({ group }: Group): string => format.month(`${group}-01`);
    const thirds: Readonly<Record<string, string>> = texts.price_thirds;
    const months = of('month').sort((a, b) => a.group.localeCompare(b.group));
    const bars = months.map((month) => ({
      name: monthOf(month),
      value: month.median_error_pct ?? 0,
      title: `${monthOf(month)}: ${share(month.median_error_pct)}`,
    }));
    return html`<h3>${texts.error_chart}</h3>${barChart({ label: texts.error_chart, bars, value: (value) => format.share(value) })}
${table(
  texts.by_month,
  texts.month,
  months.map((month) => [monthOf(month), month]),
)}
${table(
  texts.by_type,
  texts.type,
  of('property_type').map((each) => [name(NAMES.property_types, each.group), each]),
)}
${table(
  texts.by_third,
  texts.price_third,
  of('price_third').map((each) => [thirds[each.group] ?? each.group, each]),
)}`;
  }
}
