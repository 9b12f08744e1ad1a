import { LISTING_TYPES, NAMES } from '#domain/listing-vocabulary.ts';
import { SERVICE_TEXTS, TEXTS } from '#site/text/index.ts';
import { dataTable, type Html, html, section } from '#src/documents/html.ts';
import { type Language, nameIn, pathIn } from '#src/documents/language.ts';
import type { RegisteredDeals } from '#src/site-data/responses.ts';
import { homeCards, resultsPath, type Words, wordsOf } from './listing-words.ts';
import { attributionPart, trendChart } from './market-parts.ts';
import type { Page, Site } from './page.ts';
import { type HomeRow, type Place, type PlaceFigures, placePath } from './place-data.ts';

type PlaceWords = Words<(typeof SERVICE_TEXTS)['en']>;

/** Quarters in the table of registered deals. */
const QUARTERS = 4;

/** Returns null for a place with too few listings. */
export async function placePage(
  { api, places }: Pick<Site, 'api' | 'places'>,
  language: Language,
  place: Place,
): Promise<Page | null> {
  const figures = await places.read(api, place);
  if (figures === null) return null;
  const words = wordsOf(language, SERVICE_TEXTS[language]);
  const { texts, format } = words;
  const city = nameIn(language, place.city);
  const name = place.neighborhood === null ? city : format.list([nameIn(language, place.neighborhood), city]);
  const lead = texts.place_lead
    .replace('{rents}', format.count(texts.place_rents, figures.counts.rent))
    .replace('{sales}', format.count(texts.place_sales, figures.counts.sale))
    .replace('{place}', name);
  const where = { city: place.city.slug, neighborhood_id: place.neighborhood?.id ?? null };
  const explore = LISTING_TYPES.map((listing_type) => {
    const path = resultsPath({ ...where, listing_type }, language);
    return html`<a class="button" href="${path}">${words.name(NAMES.listing_types, listing_type)}</a> `;
  });
  const back =
    place.neighborhood !== null &&
    html`<p class="back"><a href="${pathIn(language, placePath({ ...place, neighborhood: null }))}">${city}</a></p>`;
  const links = figures.around.map(
    ({ neighborhood, listings }) =>
      html`<li><a href="${pathIn(language, placePath({ city: place.city, neighborhood }))}">${nameIn(language, neighborhood)}</a> <small>${format.number(listings)}</small></li>`,
  );
  return {
    title: texts.place_title.replace('{place}', name),
    path: placePath(place),
    body: html`${back}<h1>${texts.place_heading.replace('{place}', name)}</h1>
<p class="lead">${lead}</p>
<p>${explore}</p>
${section('medians', texts.place_medians, mediansOf(figures.homes, words), html`<p class="note">${texts.place_note}</p>`)}
${figures.yieldPct !== null && html`<p>${texts.place_yield.replace('{yield}', format.share(figures.yieldPct))}</p>`}
${trendOf(figures.trend, words)}
${dealsOf(figures.deals, words)}
${figures.newest.length > 0 && section('newest', texts.place_newest, homeCards(figures.newest, wordsOf(language, TEXTS[language])))}
${links.length > 0 && section('around', place.neighborhood === null ? texts.place_neighborhoods : texts.place_around, html`<ul class="places">${links}</ul>`)}`,
  };
}

function mediansOf(homes: readonly HomeRow[], { texts, format, name }: PlaceWords): Html {
  const cell = ({ median, sample }: HomeRow['rent']): Html =>
    median === null
      ? html`<td>–</td>`
      : html`<td>${format.sar(median)} <small>${format.count(texts.of_listings, sample)}</small></td>`;
  const rows = homes.map(({ property_type, beds, rent, sale }) => {
    const type = name(NAMES.property_types, property_type);
    const home = beds === null ? type : format.list([type, format.count(texts.place_rooms, beds)]);
    return html`<tr><th scope="row">${home}</th>${cell(rent)}${cell(sale)}</tr>`;
  });
  return dataTable(texts.place_medians, [texts.place_home, texts.place_rent, texts.place_sale], rows, 'figures');
}

function trendOf(points: PlaceFigures['trend'], { texts, format }: PlaceWords): Html | null {
  if (points.filter(({ median_price_sar }) => median_price_sar !== null).length < 3) return null;
  return section('trend', texts.place_trend, trendChart(texts.place_trend, points, format));
}

/** Deals of the latest quarters. Their licence requires the attribution beside them. */
function dealsOf(deals: RegisteredDeals | null, { texts, format, language }: PlaceWords): Html | null {
  if (!deals || deals.cells.length === 0) return null;
  const { attribution } = deals;
  const rows = deals.cells
    .slice(-QUARTERS)
    .map(({ quarter, deal_count, median_price_per_sqm_sar: perSqm, coverage_flag }) => {
      const weak = coverage_flag === 'full' ? null : html` <small>${texts.not_final}</small>`;
      const amount = perSqm === null ? '–' : format.sar(Math.round(perSqm));
      return html`<tr><th scope="row"><bdi>${quarter}</bdi>${weak}</th><td>${format.number(deal_count)}</td><td>${amount}</td></tr>`;
    });
  return section(
    'deals',
    texts.place_deals,
    dataTable(texts.place_deals, [texts.quarter, texts.deals, texts.deal_per_sqm], rows, 'figures'),
    attribution && attributionPart(attribution, texts, language),
  );
}
