import type { Context } from 'koa';
import { NAMES, SALE_FREQUENCY } from '#domain/listing-vocabulary.ts';
import type { Listing } from '#domain/listings/listing.ts';
import { homeOf } from '#domain/statistics/price-band.ts';
import { SHARED_TEXTS, TEXTS, type Texts } from '#site/text/index.ts';
import { dataTable, factList, Html, html, section } from '#src/documents/html.ts';
import { type Language, nameIn, pathIn } from '#src/documents/language.ts';
import type { MarketSummary, PriceHistory } from '#src/site-data/responses.ts';
import type { Api } from './api-client.ts';
import { timeChart } from './charts.ts';
import { timeOf } from './coverage-page.ts';
import { missingEstimate } from './estimate.ts';
import { SESSION_PATH } from './explorer-session.ts';
import { joined, sourceName, tenths } from './format.ts';
import {
  cityOf,
  factLine,
  headlineOf,
  type ListingPageData,
  perSqmText,
  priceText,
  resultsPath,
  type Words,
  wordsOf,
} from './listing-words.ts';
import { type Page, type Site, sendPage } from './page.ts';
import type { Preview } from './preview-image.ts';
import { listingData } from './structured-data.ts';
import { surroundings } from './surroundings.ts';
import { missingPage } from './withdrawn-page.ts';

/** A listing by its id, which search may leave out. */
type ListingById = Listing & { in_search: boolean };
type PageWords = Words<Texts>;

export async function serveListingPage(context: Context, site: Site, language: Language, id: number): Promise<void> {
  const listing = await site.api.data<ListingById>(`/v1/listings/${id}`);
  const page = listing ? await listingPage(site, language, listing) : await missingPage(site, language, id);
  sendPage(context, site, language, page);
}

export async function previewOfListing(
  { api, data, config }: Site,
  language: Language,
  id: number,
): Promise<Preview | null> {
  const listing = await api.data<Listing>(`/v1/listings/${id}`);
  if (!listing) return null;
  const words = wordsOf(language, TEXTS[language]);
  const photo = listing.images[0]?.slice(config.cdnUrl.length + 1);
  return {
    title: headlineOf(listing, words),
    price: priceText(listing, words),
    text: joined(' · ', [factLine(listing, words) || null, perSqmText(listing, words)]),
    photo: photo === undefined ? null : await data.photo(photo),
  };
}

/** Statistics of listings with the same type and, if there are enough, number of bedrooms. */
type LocalPrices = MarketSummary & { beds: number | null };

async function readLocalPrices(api: Api, listing: Listing): Promise<LocalPrices | null> {
  const { listing_type, listing_category, property_type, bedrooms, location } = listing;
  const { city, neighborhood_id } = location;
  if (neighborhood_id === null) return null;
  const query = { city, listing_type, listing_category, property_type, neighborhood_id };
  const read = async (beds: number | null): Promise<LocalPrices | null> => {
    const found = await api.data<MarketSummary>('/v1/market/summary', { ...query, beds });
    return found && { ...found, beds };
  };
  const alike = bedrooms === null ? null : await read(bedrooms);
  return alike && !alike.small_sample ? alike : read(null);
}

async function listingPage(
  { api, clock, config, places }: Site,
  language: Language,
  listing: ListingById,
): Promise<Page> {
  const { id, title, description, description_en, images, source } = listing;
  // The history is null if the listing is removed while the page is rendered.
  const [history, local, neighborhoods, around] = await Promise.all([
    api.data<PriceHistory>(`/v1/listings/${id}/price-history`),
    readLocalPrices(api, listing),
    api.neighborhoods(listing.location.city),
    places.linksOf(api, listing.location),
  ]);
  const words = wordsOf(language, TEXTS[language]);
  const { texts } = words;
  const city = cityOf(listing, language);
  const headline = headlineOf(listing, words);
  const path = `/listings/${id}`;
  const summary =
    language === 'en'
      ? description_en
      : words.format.list([headline, priceText(listing, words), perSqmText(listing, words)]);
  const amenities = listing.amenities.map((amenity) => html`<li>${words.name(NAMES.amenities, amenity)}</li>`);
  const map = surroundings(listing.location, neighborhoods, words);
  const others =
    listing.also_listed_on.length > 0
      ? html` ${texts.also_on} ${words.format.list(listing.also_listed_on.map(sourceName))}.`
      : null;
  const data: ListingPageData = {
    estimateUrl: `${SESSION_PATH}${path}/estimate`,
    language,
    texts: SHARED_TEXTS[language],
  };
  return {
    title: headline,
    description: summary,
    path,
    scripts: ['listing.js'],
    hasSession: true,
    data,
    structured: [
      listingData({
        listing,
        title: headline,
        description: summary,
        city,
        url: `${config.siteUrl}${pathIn(language, path)}`,
        language,
      }),
    ],
    body: html`<article class="listing">
<p class="back"><a href="${resultsPath({ ...listing, ...listing.location }, language)}">${texts.similar_results}</a>${around.map((each) => html` · <a href="${pathIn(language, each.path)}">${nameIn(language, each)}</a>`)}</p>
<h1>${headline}</h1>
${galleryOf(images, texts)}
<div class="columns">
<div class="summary">
<p class="price">${priceOf(listing, words)}</p>
${listing.in_search === false && html`<p class="note">${texts.not_in_search}</p>`}
${badgesOf(listing, words)}
${listing.quality.length > 0 && html`<section class="flags" aria-labelledby="flags"><h2 id="flags">${texts.notes}</h2><ul>${listing.quality.map((flag) => html`<li>${texts.quality[flag]}</li>`)}</ul></section>`}
<p class="source">${texts.found_on} ${sourceName(source.name)}.${others}</p>
<p><a class="button" href="${config.siteUrl}/r/${id}" rel="nofollow noopener">${texts.original_ad}</a></p>
</div>
<div class="details">
${section('facts', texts.facts, factList(factsOf(listing, city, words)))}
${amenities.length > 0 && section('amenities', texts.amenities, html`<ul class="chips">${amenities}</ul>`)}
${/* The English page shows the translation of the advertiser's Arabic text. */ language === 'en' && section('description', texts.description, html`<p class="text">${description_en}</p>`)}
<section aria-labelledby="ad"><h2 id="ad">${texts.in_own_words}</h2>
${title === null ? null : html`<p class="text" dir="auto"><strong>${title}</strong></p>`}<p class="text" dir="auto">${description}</p></section>
${section('history', texts.price_history, historyPart(history, clock.now(), words))}
${localPart(listing, local, words)}
${estimateSection(listing, words)}
${map && section('map', texts.location, map, html`<p class="note">${texts.map_note}</p>`)}
<p class="note">${texts.as_json}: <code dir="ltr">GET ${config.baseUrl}${path}</code></p>
</div>
</div>
</article>`,
  };
}

/** The row scrolls by touch and keyboard without a script. */
function galleryOf(images: readonly string[], texts: Texts): Html | null {
  if (images.length === 0) return null;
  const photos = images.map(
    (url, index) =>
      html`<li><img src="${url}" alt="${texts.photo} ${index + 1} ${texts.of} ${images.length}"${new Html(index === 0 ? ' fetchpriority="high"' : ' loading="lazy"')} decoding="async"></li>`,
  );
  return html`<div class="gallery"><ul class="photos" aria-label="${texts.photos}" tabindex="0">${photos}</ul></div>`;
}

function priceOf(listing: Listing, words: PageWords): Html {
  const { texts, format } = words;
  const { yearly_sar, as_posted, previous_yearly_sar } = listing.price;
  if (yearly_sar === null) return html`${texts.price_not_stated}`;
  const perSqm = perSqmText(listing, words);
  const posted = as_posted && postedText(as_posted, words);
  const previous = previous_yearly_sar !== null && format.sar(previous_yearly_sar);
  // Only a higher price is struck through.
  const isCut = previous_yearly_sar !== null && previous_yearly_sar > yearly_sar;
  const before = previous && html`<small>${texts.before} ${isCut ? html`<s>${previous}</s>` : previous}</small>`;
  return html`${priceText(listing, words)}${perSqm !== null && html`<small>${perSqm}</small>`}${posted}${before}`;
}

/** Renders the posted amount if it differs from the price in riyals per year. */
function postedText(
  { amount, frequency, currency }: NonNullable<Listing['price']['as_posted']>,
  { texts, format }: PageWords,
): Html | null {
  const isWhole = frequency === 'yearly' || frequency === SALE_FREQUENCY;
  if (isWhole && currency === undefined) return null;
  const money = currency === undefined ? format.sar(amount) : format.foreign(amount, currency);
  return html`<small>${texts.posted_as} ${money}${isWhole ? '' : ` ${texts.posted_periods[frequency]}`}</small>`;
}

function badgesOf({ price, verified_by_source, source, days_on_market }: Listing, { texts, format }: PageWords): Html {
  const { yearly_sar, previous_yearly_sar } = price;
  const isCut = yearly_sar !== null && previous_yearly_sar !== null && yearly_sar < previous_yearly_sar;
  const badges = [
    isCut &&
      html`<li class="good">${texts.price_cut} ${format.share(tenths((1 - yearly_sar / previous_yearly_sar) * 100))}</li>`,
    verified_by_source &&
      html`<li class="good">${texts.verified_by} <bdi dir="ltr">${sourceName(source.name)}</bdi></li>`,
    html`<li>${format.count(texts.days_on_market, days_on_market)}</li>`,
  ];
  return html`<ul class="chips badges">${badges}</ul>`;
}

function factsOf(listing: Listing, city: string, words: PageWords): [name: string, value: string | Html][] {
  const { texts, format, name, language } = words;
  const { location, area_sqm, bedrooms, bathrooms, livings, floor, age_years, furnished, compound_name } = listing;
  const { neighborhood_name_en, neighborhood_name_ar, street_width_m } = location;
  const { rent_now_pay_later_monthly_sar: installment, accepts_bank_financing: bank } = listing.financing;
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
    [texts.city, city],
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
    [texts.payment_plans, paymentPlans(listing, words)],
    [texts.installments, installment === null ? null : `${format.sar(installment)} ${texts.a_month}`],
    [texts.bank_financing, bank === null ? null : bank ? texts.accepted : texts.not_accepted],
    [texts.advertiser, advertiserOf(listing, texts)],
    [texts.first_seen, timeOf(listing.first_seen_at, format.day)],
    [texts.last_seen, timeOf(listing.last_seen_at, format.day)],
  ];
  return facts.flatMap(([label, value]) =>
    value === null ? [] : [[label, typeof value === 'number' ? String(value) : value]],
  );
}

const floorOf = (floor: string, name: PageWords['name']): string =>
  floor
    .split(',')
    .map((part) => name(NAMES.floors, part.trim()))
    .join(', ');

function paymentPlans({ financing }: Listing, { format, name, language }: PageWords): string | null {
  const { landlord_payment_plans: plans } = financing;
  const periods = (['monthly', 'quarterly', 'semiannually'] as const).filter((period) => plans[period]);
  if (periods.length === 0) return null;
  const names = periods.map((period) => name(NAMES.rent_frequencies, period));
  return format.list(names.map((text, at) => (language === 'en' && at > 0 ? text.toLowerCase() : text)));
}

const ADVERTISERS: readonly (readonly [RegExp, keyof Texts['advertisers']])[] = [
  [/owner|مالك/i, 'owner'],
  [/developer|مطور/i, 'developer'],
  [/broker|agent|وسيط|وسيطة/i, 'broker'],
  [/office|agency|مكتب/i, 'office'],
  [/company|establishment|شركة|منشأة|مؤسسة/i, 'company'],
  [/individual|فرد/i, 'individual'],
];

function advertiserOf({ advertiser: { type } }: Listing, texts: Texts): string | Html | null {
  if (type === null) return null;
  const kind = ADVERTISERS.find(([pattern]) => pattern.test(type))?.[1];
  return kind === undefined ? html`<bdi>${type}</bdi>` : texts.advertisers[kind];
}

/** Longest history in milliseconds whose axis has days instead of months. */
const SHORT_HISTORY_MS = 120 * 86_400_000;

function historyPart(history: PriceHistory | null, now: number, { texts, format }: PageWords): Html {
  const prices = history?.prices ?? [];
  const [first] = prices;
  if (!first) return html`<p>${texts.no_history}</p>`;
  if (prices.length === 1) return html`<p>${texts.one_price} ${timeOf(first.at, format.day)}.</p>`;
  const rows = prices.map(
    ({ at, price_yearly_sar: price, change_pct: change }) =>
      html`<tr><td>${timeOf(at, format.day)}</td><td>${price === null ? '–' : format.sar(price)}</td><td>${change === null ? '' : format.percent(tenths(change))}</td></tr>`,
  );
  return html`${timeChart({
    label: texts.price_history_label,
    steps: true,
    until: now,
    value: format.compact,
    time: now - Date.parse(first.at) < SHORT_HISTORY_MS ? format.shortDay : format.month,
    points: prices.map(({ at, price_yearly_sar: price }) => ({
      at: Date.parse(at),
      value: price,
      title: `${format.day(at)}: ${price === null ? '–' : format.sar(price)}`,
    })),
  })}${dataTable(texts.price_history, [texts.date, texts.price, texts.change], rows)}`;
}

/** The median of one or two listings may be the price of the listing itself. */
const MIN_LOCAL_LISTINGS = 3;

function localPart(
  listing: Listing,
  local: LocalPrices | null,
  { texts, format, name, language }: PageWords,
): Html | null {
  if (!local || local.median_price_sar === null || local.sample_size < MIN_LOCAL_LISTINGS) return null;
  const { neighborhood_name_ar: name_ar, neighborhood_name_en: name_en } = listing.location;
  const compared = format.list([
    name(NAMES.property_types, listing.property_type),
    local.beds ? format.count(texts.rooms, local.beds) : listing.bedrooms === null ? null : texts.all_sizes,
  ]);
  const perSqm = local.median_price_per_sqm_sar;
  const period = listing.listing_type === 'rent' ? ` ${texts.a_year}` : '';
  const rows: (readonly [string, string])[] = [
    [texts.local_median, `${format.sar(local.median_price_sar)}${period}`],
    ...(perSqm === null ? [] : [[texts.local_median_per_sqm, format.sar(Math.round(perSqm))] as const]),
    [texts.local_listings, `${format.number(local.sample_size)} (${compared})`],
  ];
  const few = local.small_sample && html`<p class="note">${texts.local_few}</p>`;
  return section('local', `${texts.local_prices} ${nameIn(language, { name_en, name_ar })}`, '\n', factList(rows), few);
}

/** The estimate is loaded when it comes near the screen. */
function estimateSection(listing: Listing, words: PageWords): Html {
  const { texts } = words;
  const found = homeOf(listing);
  const content =
    'status' in found
      ? missingEstimate(found.status, words)
      : html`<noscript><p>${texts.estimate_no_script}</p></noscript><div id="estimated" aria-busy="true"></div>`;
  return section('estimate', texts.estimate, content);
}
