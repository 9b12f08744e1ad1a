import type { Context } from 'koa';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import type { Listing } from '#domain/listings/listing.ts';
import { NAMES } from '#domain/listings/names.ts';
import { SALE_FREQUENCY } from '#domain/listings/vocabulary.ts';
import type { Names } from '#domain/named.ts';
import { priceBand } from '#endpoints/analytics/price-band.ts';
import { getListing } from '#endpoints/listings/detail.ts';
import { getPriceHistory } from '#endpoints/listings/price-history.ts';
import { requestDeadline } from '#http/deadline.ts';
import { postgresFailure } from '#postgres/failures.ts';
import type { Services } from '#src/services.ts';
import { callEndpoint } from './call-endpoint.ts';
import { bandChart, timeChart } from './charts.ts';
import { type Formatter, formatter } from './format.ts';
import { Html, html } from './html.ts';
import type { Language } from './language.ts';
import { type Page, type Site, sendPage } from './page.ts';
import { surroundings } from './surroundings.ts';
import { TEXTS, type Texts } from './text/index.ts';

/** Serves the page at a listing's `url`. */
export async function serveListingPage(
  context: Context,
  services: Services,
  site: Site,
  language: Language,
  id: number,
): Promise<void> {
  const about = {
    path: { id },
    requestId: (context.state as { requestId: string }).requestId,
    deadline: requestDeadline(services),
  };
  const path = `/listings/${id}`;
  const texts = TEXTS[language];
  const listing = await callEndpoint<Listing>(services, getListing, about);
  if (!listing) {
    const gone = await wasListed(services, id);
    const [status, title, text] = gone
      ? ([410, texts.gone, texts.gone_text] as const)
      : ([404, texts.missing, texts.missing_text] as const);
    return sendPage(context, site, language, { title, path, status, body: html`<h1>${title}</h1><p>${text}</p>` });
  }
  // The listing may be removed while the page is rendered. Both results are then null.
  const [history, band] = await Promise.all([
    callEndpoint<PriceHistory>(services, getPriceHistory, about),
    callEndpoint<PriceBand>(services, priceBand, about),
  ]);
  const places = {
    city: services.places.cities().find(({ slug }) => slug === listing.location.city),
    neighborhoods: services.places.neighborhoods(listing.location.city) ?? [],
  };
  const parts = { listing, history, band, ...places, baseUrl: site.config.baseUrl };
  return sendPage(context, site, language, { ...listingPage(parts, language), path });
}

/** Returns whether a missing listing existed before and was withdrawn or merged into another listing as a duplicate. */
async function wasListed({ pool }: Services, id: number): Promise<boolean> {
  const { rows } = await pool
    .query<{ gone: boolean }>({
      name: 'was-listed',
      text: 'select withdrawn_at is not null or duplicate_of is not null as gone from listings where id = $1',
      values: [id],
    })
    .catch((error: unknown) => {
      throw postgresFailure(error);
    });
  return rows[0]?.gone ?? false;
}

interface PriceHistory {
  prices: readonly { at: string; price_yearly_sar: number | null; change_pct: number | null }[];
}

interface PriceBand {
  status: keyof Texts['band_reasons'];
  price_sar: number | null;
  band: { price: { p25_sar: number; median_sar: number; p75_sar: number } } | null;
  position: { diff_from_median_pct: number | null } | null;
  stability: { limited_evidence: boolean } | null;
  cohort: { geography: string; radius_m: number; distinct_units: number } | null;
}

interface Parts {
  listing: Listing;
  history: PriceHistory | null;
  band: PriceBand | null;
  city: City | undefined;
  neighborhoods: readonly Neighborhood[];
  baseUrl: string;
}

interface Words {
  texts: Texts;
  format: Formatter;
  language: Language;
  /** Translates an enumerated value to the page language. */
  name(names: Readonly<Record<string, Names>>, value: string): string;
}

function wordsOf(language: Language): Words {
  const name: Words['name'] = (names, value) => names[value]?.[language === 'ar' ? 'name_ar' : 'name_en'] ?? value;
  return { texts: TEXTS[language], format: formatter(language), language, name };
}

function listingPage({ listing, history, band, city, neighborhoods, baseUrl }: Parts, language: Language): Page {
  const words = wordsOf(language);
  const { texts } = words;
  const { title, description, description_en, images, source, also_listed_on } = listing;
  const headline = headlineOf(listing, city, words);
  const photos = images.map(
    (url, index) =>
      html`<li><img src="${url}" alt="${texts.photo} ${index + 1} ${texts.of} ${images.length}"${new Html(index > 1 ? ' loading="lazy"' : '')}></li>`,
  );
  const facts = factsOf(listing, city, words).map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  );
  const amenities = listing.amenities.map((amenity) => html`<li>${words.name(NAMES.amenities, amenity)}</li>`);
  const others = also_listed_on.length > 0 ? html` ${texts.also_on} ${also_listed_on.join(texts.comma)}.` : null;
  const map = surroundings(listing.location, neighborhoods, words);
  return {
    title: headline,
    path: null,
    noIndex: true,
    body: html`<article class="listing">
<h1>${headline}</h1>
<p class="price">${priceOf(listing, words)}</p>
${photos.length > 0 ? html`<ul class="photos" aria-label="${texts.photos}" tabindex="0">${photos}</ul>` : null}
<section aria-labelledby="facts"><h2 id="facts">${texts.facts}</h2><dl class="facts">${facts}</dl></section>
${amenities.length > 0 ? html`<section aria-labelledby="amenities"><h2 id="amenities">${texts.amenities}</h2><ul class="chips">${amenities}</ul></section>` : null}
${
  // The English page shows the translation of the advertiser's Arabic text.
  language === 'en'
    ? html`<section aria-labelledby="description"><h2 id="description">${texts.description}</h2><p class="text">${description_en}</p></section>`
    : null
}
<section aria-labelledby="ad"><h2 id="ad">${texts.in_own_words}</h2>
${title === null ? null : html`<p class="text" dir="auto"><strong>${title}</strong></p>`}<p class="text" dir="auto">${description}</p></section>
${map === null ? null : html`<section aria-labelledby="map"><h2 id="map">${texts.location}</h2>${map}<p class="note">${texts.map_note}</p></section>`}
<section aria-labelledby="history"><h2 id="history">${texts.price_history}</h2>${historyPart(history, words)}</section>
<section aria-labelledby="band"><h2 id="band">${texts.price_band}</h2>${bandPart(band, words)}</section>
<p class="source">${texts.found_on} ${source.name}.${others} ${source.url === null ? null : html`<a href="${source.url}" rel="nofollow noopener">${texts.original_ad}</a>`}</p>
<p class="note">${texts.as_json}: <code dir="ltr">GET ${baseUrl}/listings/${listing.id}</code></p>
</article>`,
  };
}

/** Builds the Arabic headline from the same fields as the API's English `headline`. */
function headlineOf(listing: Listing, city: City | undefined, { language, name, texts, format }: Words): string {
  if (language === 'en') return listing.headline;
  const { property_type, listing_type, bedrooms, area_sqm, location } = listing;
  return [
    `${name(NAMES.property_types, property_type)} ${name(NAMES.listing_types, listing_type)}`,
    bedrooms ? `${texts.bedrooms}: ${bedrooms}` : null,
    location.neighborhood_name_ar,
    city?.name_ar ?? location.city_name_en,
    area_sqm === null ? null : format.area(area_sqm),
  ]
    .filter((part) => part !== null)
    .join('، ');
}

function priceOf(
  { listing_type, price: { yearly_sar, as_posted, previous_yearly_sar } }: Listing,
  { texts, format, name, language }: Words,
): Html {
  if (yearly_sar === null) return html`${texts.price_not_stated}`;
  const period = (frequency: string): string => {
    const words = name(NAMES.price_frequencies, frequency);
    return language === 'en' ? words.toLowerCase() : words;
  };
  const posted =
    as_posted && as_posted.frequency !== 'yearly' && as_posted.frequency !== SALE_FREQUENCY
      ? html` <small>${texts.posted_as} ${format.sar(as_posted.amount)} ${period(as_posted.frequency)}</small>`
      : null;
  const before =
    previous_yearly_sar === null ? null : html` <small>· ${texts.before} ${format.sar(previous_yearly_sar)}</small>`;
  return html`${format.sar(yearly_sar)}${listing_type === 'rent' ? ` ${texts.a_year}` : ''}${posted}${before}`;
}

/** Returns the known facts about a listing, most important first. */
function factsOf(
  listing: Listing,
  city: City | undefined,
  { texts, format, name, language }: Words,
): [name: string, value: string | Html][] {
  const { location, area_sqm, bedrooms, bathrooms, livings, floor, age_years, furnished, compound_name } = listing;
  const { neighborhood_name_en, neighborhood_name_ar, city_name_en, street_width_m } = location;
  const arabic = neighborhood_name_ar === null ? null : html`<span lang="ar" dir="rtl">${neighborhood_name_ar}</span>`;
  const neighborhood =
    neighborhood_name_en === null && neighborhood_name_ar === null
      ? null
      : language === 'ar'
        ? html`${neighborhood_name_ar ?? neighborhood_name_en}`
        : html`${neighborhood_name_en} ${arabic}`;
  const facts: [string, string | number | Html | null][] = [
    [texts.type, name(NAMES.property_types, listing.property_type)],
    [texts.offer, name(NAMES.listing_types, listing.listing_type)],
    [texts.city, language === 'ar' ? (city?.name_ar ?? city_name_en) : city_name_en],
    [texts.neighborhood, neighborhood],
    [texts.compound, compound_name],
    [texts.area, area_sqm === null ? null : format.area(area_sqm)],
    [texts.bedrooms, bedrooms],
    [texts.bathrooms, bathrooms],
    [texts.livings, livings],
    [texts.floor, floor === null ? null : floorOf(floor, name)],
    [texts.age, age_years === null ? null : format.count(texts.age_years, age_years)],
    [texts.furnished, furnished === null ? null : furnished ? texts.yes : texts.no],
    [texts.street_width, street_width_m === null ? null : `${format.number(street_width_m)} ${texts.meters}`],
    [texts.first_seen, timeOf(listing.first_seen_at, format)],
    [texts.last_seen, timeOf(listing.last_seen_at, format)],
  ];
  return facts.flatMap(([label, value]) =>
    value === null ? [] : [[label, typeof value === 'number' ? String(value) : value]],
  );
}

/** Formats a floor: a number, an enumerated value, or several values. */
const floorOf = (floor: string, name: Words['name']): string =>
  floor
    .split(',')
    .map((part) => name(NAMES.floors, part.trim()))
    .join(', ');

const timeOf = (timestamp: string, format: Formatter): Html =>
  html`<time datetime="${timestamp}">${format.day(timestamp)}</time>`;

function historyPart(history: PriceHistory | null, { texts, format }: Words): Html {
  const prices = history?.prices ?? [];
  const [first] = prices;
  if (!first) return html`<p>${texts.no_history}</p>`;
  if (prices.length === 1) return html`<p>${texts.one_price} ${timeOf(first.at, format)}.</p>`;
  const rows = prices.map(
    ({ at, price_yearly_sar: price, change_pct: change }) =>
      html`<tr><td>${timeOf(at, format)}</td><td>${price === null ? '–' : format.sar(price)}</td><td>${change === null ? '' : format.percent(change)}</td></tr>`,
  );
  return html`${timeChart({
    label: texts.price_history_label,
    steps: true,
    value: format.compact,
    time: format.month,
    points: prices.map(({ at, price_yearly_sar: price }) => ({
      at: Date.parse(at),
      value: price,
      title: `${format.day(at)}: ${price === null ? '–' : format.sar(price)}`,
    })),
  })}<div class="wide" tabindex="0"><table><thead><tr><th scope="col">${texts.date}</th><th scope="col">${texts.price}</th><th scope="col">${texts.change}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function bandPart(found: PriceBand | null, { texts, format }: Words): Html {
  const { band, cohort, price_sar: price } = found ?? {};
  if (!band || !cohort || price === null || price === undefined)
    return html`<p>${texts.band_none} ${texts.band_reasons[found?.status ?? 'fields_unusable']}</p>`;
  const { p25_sar: low, median_sar: median, p75_sar: high } = band.price;
  const difference = found?.position?.diff_from_median_pct ?? null;
  return html`${bandChart({ label: texts.price_band_label, low, median, high, price, value: format.sar })}
<p>${texts.band_middle} ${format.sar(low)} ${texts.band_and}${texts.band_and === 'و' ? '' : ' '}${format.sar(high)}${texts.semicolon} ${texts.band_median} ${format.sar(median)}${difference === null ? '' : `${texts.semicolon} ${texts.band_this} ${format.percent(difference)}`}.</p>
<p class="note">${texts.band_from} ${cohort.distinct_units} ${cohort.geography === 'neighborhood' ? texts.band_neighborhood : `${texts.band_units} ${format.number(cohort.radius_m / 1000)} ${texts.kilometers}`}. ${found?.stability?.limited_evidence ? `${texts.band_limited} ` : ''}${texts.band_not}</p>`;
}
