import { GUIDE_TEXTS, SERVICE_TEXTS, TEXTS } from '#site/text/index.ts';
import { codeBlocks } from '#src/documents/code.ts';
import { type Html, html, section } from '#src/documents/html.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import { timeOf } from './coverage-page.ts';
import { formatter } from './format.ts';
import { keyRequest, type Page, type Site } from './page.ts';
import { LEAST_LISTINGS, placeOf, placePath } from './place-data.ts';
import { searchForm } from './results-page.ts';
import { siteData } from './structured-data.ts';

export async function homePage({ api, config, demoKey, data }: Site, language: Language): Promise<Page> {
  const texts = TEXTS[language];
  const format = formatter(language);
  const [{ listings, cities, sources }, named] = await Promise.all([data.coverage(), api.cities()]);
  const places = cities
    .filter((city) => city.listings >= LEAST_LISTINGS)
    .flatMap(({ name, listings: count }) => {
      const city = named.find(({ slug }) => slug === name);
      const text = city?.[language === 'ar' ? 'name_ar' : 'name_en'];
      const path = pathIn(language, placePath({ city: { slug: name }, neighborhood: null }));
      return city && placeOf(placePath({ city, neighborhood: null }))
        ? html`<li><a href="${path}">${text ?? name}</a> <small>${format.number(count)}</small></li>`
        : [];
    });
  const read = Math.max(0, ...data.sources().map(({ readAt }) => readAt));
  const counts: readonly (readonly [string, string | Html])[] = [
    [texts.count_listings, format.number(listings)],
    [texts.count_cities, format.number(cities.length)],
    [texts.count_sources, format.number(sources.length)],
    [texts.last_read, read === 0 ? texts.not_yet : timeOf(read, format.hour)],
  ];
  const nextSteps = (['explorer', 'reference', 'guides'] as const).map(
    (page) =>
      html`<li><a href="${pathIn(language, `/${page}`)}"><strong>${texts[page]}</strong><span>${texts[`next_step_${page}`]}</span></a></li>`,
  );
  return {
    title: texts.home_title,
    path: '/',
    scripts: ['home.js'],
    data: { key: demoKey },
    structured: siteData(config, language),
    body: html`<h1>${texts.home_title}</h1>
<p class="lead">${texts.home_lead}</p>
${searchForm(pathIn(language, '/explorer'), language)}
<dl class="counts">${counts.map(([name, value]) => html`<div><dd>${value}</dd><dt>${name}</dt></div>`)}</dl>
${section('doors', texts.next_steps, html`<ul class="doors">${nextSteps}</ul>`)}
${places.length > 0 && section('places', SERVICE_TEXTS[language].places, html`<ul class="places">${places}</ul>`)}
<section aria-labelledby="call"><h2 id="call">${texts.first_call}</h2>
<p class="field"><label for="key">${texts.your_key}</label> <input id="key" type="text" dir="ltr" autocomplete="off" spellcheck="false" placeholder="svc_live_…" aria-describedby="key-hint"></p>
<p id="key-hint" class="note">${texts.key_hint}${demoKey === null ? '' : ` ${texts.demo_hint}`}${keyRequest(config, language)}</p>
${codeBlocks(CALLS.map(([language, code]) => ({ language, text: code(config.baseUrl) })))}<p>${texts.first_output}</p>
${codeBlocks([{ language: 'text', text: OUTPUT, output: GUIDE_TEXTS[language].output }])}</section>`,
  };
}

const QUERY = 'city=riyadh&listing_type=rent&property_type=apartment&beds=3&limit=2';
const OUTPUT = `3-bedroom apartment for rent in Al Arid, Riyadh, 135 m² 44000
3-bedroom apartment for rent in Al Qairawan, Riyadh, 117 m² 72500`;

const CALLS: readonly (readonly [language: string, code: (baseUrl: string) => string])[] = [
  [
    'sh',
    (baseUrl) => `curl -sS --fail-with-body -H 'Authorization: Bearer <API_KEY>' \\\n  '${baseUrl}/listings?${QUERY}'`,
  ],
  [
    'js',
    (baseUrl) => `async function main() {
  const response = await fetch('${baseUrl}/listings?${QUERY}', {
    headers: { Authorization: 'Bearer <API_KEY>' },
  });
  const { data, error } = await response.json();
  if (!response.ok) throw new Error(error.message);
  for (const listing of data) console.log(listing.headline, listing.price.yearly_sar);
}

main();`,
  ],
  [
    'python',
    (baseUrl) => `import json, urllib.request

request = urllib.request.Request(
    "${baseUrl}/listings?${QUERY}",
    headers={"Authorization": "Bearer <API_KEY>"},
)
with urllib.request.urlopen(request) as response:
    for listing in json.load(response)["data"]:
        print(listing["headline"], listing["price"]["yearly_sar"])`,
  ],
];
