import { EXPLORER_TEXTS, SERVICE_TEXTS, TEXTS } from '#site/text/index.ts';
import { type Html, html, section } from '#src/documents/html.ts';
import { type Language, nameIn, pathIn } from '#src/documents/language.ts';
import { ANSWER, exampleAnswer } from './answer.ts';
import { timeOf } from './coverage-page.ts';
import { formatter } from './format.ts';
import { keyRequest, type Page, type Site } from './page.ts';
import { LEAST_LISTINGS, placeOf, placePath } from './place-data.ts';
import { searchForm } from './results-page.ts';
import { siteData } from './structured-data.ts';

export async function homePage(site: Site, language: Language): Promise<Page> {
  const { api, config, demoKey, data, places: figures } = site;
  const texts = TEXTS[language];
  const format = formatter(language);
  const [{ listings, cities, sources }, named, example] = await Promise.all([
    data.coverage(),
    api.cities(),
    figures.once(`example ${language}`, () => exampleAnswer(site, language, EXAMPLE)),
  ]);
  const places = cities.flatMap(({ name, listings: count }) => {
    const city = named.find(({ slug }) => slug === name);
    const path = placePath({ city: { slug: name }, neighborhood: null });
    if (!city || !placeOf(path) || count < LEAST_LISTINGS) return [];
    return html`<li><a href="${pathIn(language, path)}">${nameIn(language, city)}</a> <small>${format.number(count)}</small></li>`;
  });
  const read = Math.max(0, ...data.sources().map(({ readAt }) => readAt));
  const counts: readonly (readonly [string, string | Html])[] = [
    [texts.count_listings, format.number(listings)],
    [texts.count_cities, format.number(cities.length)],
    [texts.count_sources, format.number(sources.length)],
    [texts.last_read, read === 0 ? texts.not_yet : timeOf(read, format.hour)],
  ];
  const strengths = STRENGTHS.map(
    ([name, path]) =>
      html`<li><a href="${pathIn(language, path)}"><strong>${texts.strengths[name].title}</strong><span>${texts.strengths[name].text}</span></a></li>`,
  );
  const prices = html`<a class="button" href="${pathIn(language, '/pricing')}">${SERVICE_TEXTS[language].pricing}</a> <a class="button" href="${pathIn(language, '/pricing')}#key">${SERVICE_TEXTS[language].get_key}</a>`;
  return {
    title: texts.home_title,
    path: '/',
    scripts: ['home.js'],
    data: { key: demoKey },
    structured: siteData(config, language),
    body: html`<h1>${texts.home_title}</h1>
<p class="lead">${texts.home_lead}</p>
${searchForm(pathIn(language, '/explorer'), language)}
<div id="answer" data-path="${pathIn(language, ANSWER)}" data-failed="${EXPLORER_TEXTS[language].failed}" data-busy="${texts.too_many_text}">${example}</div>
<p class="field"><label for="key">${texts.your_key}</label> <input id="key" type="text" dir="ltr" autocomplete="off" spellcheck="false" placeholder="svc_live_…" aria-describedby="key-hint"></p>
<p id="key-hint" class="note">${texts.key_hint}${demoKey === null ? '' : ` ${texts.demo_hint}`}${keyRequest(config, language)}</p>
<dl class="counts">${counts.map(([name, value]) => html`<div><dd>${value}</dd><dt>${name}</dt></div>`)}</dl>
${places.length > 0 && section('places', SERVICE_TEXTS[language].places, html`<ul class="places">${places}</ul>`)}
${section('strengths', texts.strengths_title, html`<ul class="doors">${strengths}</ul>`)}
<p>${prices}</p>`,
  };
}

const EXAMPLE = { city: 'riyadh', listing_type: 'rent', property_type: 'apartment', beds: '3' };
/** Things that no other service has together, with the page about each. */
const STRENGTHS = [
  ['one_home', '/guides/concepts'],
  ['recomputable', '/guides/methodology'],
  ['estimates', '/accuracy'],
  ['official', '/coverage'],
] as const;
