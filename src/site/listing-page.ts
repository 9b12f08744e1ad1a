import { hash } from 'node:crypto';
import type { Context } from 'koa';
import type { Listing } from '#domain/listings/listing.ts';
import { NAMES, type Names } from '#domain/listings/names.ts';
import { presentSearchAnswer } from '#domain/listings/present.ts';
import { SALE_FREQUENCY } from '#domain/listings/vocabulary.ts';
import { postgresFailure } from '#postgres/failures.ts';
import { byIdsBody } from '#queries/listings/search.ts';
import { indexNames } from '#search/client.ts';
import type { Services } from '#src/services.ts';
import { Html, html } from './html.ts';

/**
 * The page that `url` of a listing leads to, until there is a consumer website: plain, without scripts, and without a
 * request to anywhere but the CDN.
 */
export async function serveListingPage(context: Context, services: Services, id: number): Promise<void> {
  const { serviceName, cdnUrl } = services.config;
  const listing = await findListing(services, id);
  const status = listing ? 200 : (await wasListed(services, id)) ? 410 : 404;
  const page = listing ? listingPage(listing) : MISSING[status === 410 ? 410 : 404];
  context.status = status;
  context.set('Content-Type', 'text/html; charset=utf-8');
  context.set('Content-Language', 'en');
  context.set('Content-Security-Policy', policy(cdnUrl));
  context.set('X-Content-Type-Options', 'nosniff');
  context.set('Referrer-Policy', 'no-referrer');
  // A listing that is gone must not stay: neither in caches nor in search engines.
  context.set('Cache-Control', status === 200 ? 'public, max-age=300' : 'no-store');
  context.set('X-Robots-Tag', 'noindex');
  context.body = document(page, serviceName);
}

interface Page {
  title: string;
  body: Html;
}

async function findListing({ config, search, sourceClock, clock }: Services, id: number): Promise<Listing | null> {
  const answer = await search.searchBytes(indexNames(config.opensearch.indexPrefix).listings, byIdsBody([id]));
  const { listings } = presentSearchAnswer(answer, 1, {
    siteUrl: config.siteUrl,
    cdnUrl: config.cdnUrl,
    sourceLinks: true,
    now: clock.now(),
    lastSeen: (source) => sourceClock.lastSeen(source),
  });
  const [found] = listings;
  return found ? (JSON.parse(Buffer.concat(found.json).toString('utf8')) as Listing) : null;
}

/** Whether there was such a listing: withdrawn since, or found to be another one's duplicate. */
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

const MISSING: Readonly<Record<404 | 410, Page>> = {
  404: { title: 'No such listing', body: html`<h1>No such listing</h1><p>No live listing has this address.</p>` },
  410: {
    title: 'No longer listed',
    body: html`<h1>No longer listed</h1><p>This property was sold, rented or withdrawn, or its ad was merged with another one.</p>`,
  },
};

function listingPage(listing: Listing): Page {
  const { headline, title, description, description_en, images, source, also_listed_on } = listing;
  const photos = images.map(
    (url, index) =>
      html`<li><img src="${url}" alt="Photo ${index + 1} of ${images.length}"${new Html(index > 1 ? ' loading="lazy"' : '')}></li>`,
  );
  const facts = factsOf(listing).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  const amenities = listing.amenities.map((amenity) => html`<li>${nameOf(NAMES.amenities, amenity)}</li>`);
  const others = also_listed_on.length > 0 ? html` Also listed on ${also_listed_on.join(', ')}.` : null;
  return {
    title: headline,
    body: html`<h1>${headline}</h1>
<p class="price">${priceOf(listing)}</p>
${photos.length > 0 ? html`<ul class="photos" aria-label="Photos" tabindex="0">${photos}</ul>` : null}
<section aria-labelledby="facts"><h2 id="facts">Facts</h2><dl>${facts}</dl></section>
${amenities.length > 0 ? html`<section aria-labelledby="amenities"><h2 id="amenities">Amenities</h2><ul class="amenities">${amenities}</ul></section>` : null}
<section aria-labelledby="description"><h2 id="description">Description</h2><p class="text">${description_en}</p></section>
<section aria-labelledby="ad"><h2 id="ad">In the advertiser&#39;s words</h2>
${title === null ? null : html`<p class="text" dir="auto"><strong>${title}</strong></p>`}<p class="text" dir="auto">${description}</p></section>
<p class="source">Found on ${source.name}.${others} ${source.url === null ? null : html`<a href="${source.url}" rel="nofollow noopener">See the original ad</a>`}</p>
<p class="note">Prices are asking prices. The data is from third parties and may be incomplete or out of date.</p>`,
  };
}

const amountOf = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });

const nameOf = (names: Readonly<Record<string, Names>>, value: string): string => names[value]?.name_en ?? value;

function priceOf({ listing_type, price: { yearly_sar, as_posted, previous_yearly_sar } }: Listing): Html {
  if (yearly_sar === null) return html`Price not stated`;
  const posted =
    as_posted && as_posted.frequency !== 'yearly' && as_posted.frequency !== SALE_FREQUENCY
      ? html` <small>posted as SAR ${amountOf(as_posted.amount)} ${nameOf(NAMES.price_frequencies, as_posted.frequency).toLowerCase()}</small>`
      : null;
  const before =
    previous_yearly_sar === null ? null : html` <small>· before: SAR ${amountOf(previous_yearly_sar)}</small>`;
  return html`SAR ${amountOf(yearly_sar)}${listing_type === 'rent' ? ' a year' : ''}${posted}${before}`;
}

/** What is known, in the order people ask. */
function factsOf(listing: Listing): [name: string, value: string | Html][] {
  const { location, area_sqm, bedrooms, bathrooms, livings, floor, age_years, furnished, compound_name } = listing;
  const { neighborhood_name_en, neighborhood_name_ar, city_name_en, street_width_m } = location;
  const facts: [string, string | number | Html | null][] = [
    ['Type', nameOf(NAMES.property_types, listing.property_type)],
    ['Offer', nameOf(NAMES.listing_types, listing.listing_type)],
    ['City', city_name_en],
    [
      'Neighborhood',
      neighborhood_name_en === null && neighborhood_name_ar === null
        ? null
        : html`${neighborhood_name_en} <span lang="ar" dir="rtl">${neighborhood_name_ar}</span>`,
    ],
    ['Compound', compound_name],
    ['Area', area_sqm === null ? null : `${amountOf(area_sqm)} m²`],
    ['Bedrooms', bedrooms],
    ['Bathrooms', bathrooms],
    ['Living rooms', livings],
    ['Floor', floor],
    ['Age of the building', age_years === null ? null : `${age_years} ${age_years === 1 ? 'year' : 'years'}`],
    ['Furnished', furnished === null ? null : furnished ? 'Yes' : 'No'],
    ['Street width', street_width_m === null ? null : `${amountOf(street_width_m)} m`],
    ['First seen', timeOf(listing.first_seen_at)],
    ['Last seen', timeOf(listing.last_seen_at)],
  ];
  return facts.flatMap(([name, value]) =>
    value === null ? [] : [[name, typeof value === 'number' ? String(value) : value]],
  );
}

const timeOf = (timestamp: string): Html => html`<time datetime="${timestamp}">${timestamp.slice(0, 10)}</time>`;

const document = ({ title, body }: Page, serviceName: string): string => `<!doctype html>
${
  html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${serviceName}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<header><p>${serviceName}</p></header>
<main>${body}</main>
</body>
</html>
`.markup
}`;

const STYLE = `
:root{color-scheme:light dark;--ink:#1d2433;--soft:#545d6e;--line:#dfe3ea;--ground:#fff;--panel:#f5f6f8;--link:#1a56b0}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--soft:#a3adbd;--line:#303948;--ground:#141922;--panel:#1c2330;--link:#8ab6ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:50rem;padding:1.5rem 1rem 4rem;font:17px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans Arabic",sans-serif;color:var(--ink);background:var(--ground)}
header p{margin:0;color:var(--soft);font-size:.9rem}
h1{margin:.2rem 0 .4rem;font-size:1.7rem;line-height:1.25}
h2{margin:2rem 0 .5rem;font-size:1.1rem}
.price{margin:0 0 1.2rem;font-size:1.3rem;font-weight:600}
.price small{font-size:.95rem;font-weight:400;color:var(--soft)}
.photos{display:flex;gap:.6rem;overflow-x:auto;margin:0;padding:0;list-style:none;border-radius:10px}
.photos li{flex:none}
.photos img{display:block;height:16rem;width:auto;min-width:8rem;max-width:80vw;object-fit:cover;background:var(--panel);border-radius:10px}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr));gap:0 1.5rem;margin:0}
dl div{display:flex;justify-content:space-between;gap:1rem;padding:.4rem 0;border-bottom:1px solid var(--line)}
dt{color:var(--soft)}dd{margin:0;text-align:right}
.amenities{display:flex;flex-wrap:wrap;gap:.4rem;margin:0;padding:0;list-style:none}
.amenities li{background:var(--panel);border:1px solid var(--line);border-radius:1rem;padding:.1rem .7rem;font-size:.95rem}
.text{margin:0 0 .6rem;white-space:pre-line;overflow-wrap:anywhere}
.source{margin-top:2rem}.note{color:var(--soft);font-size:.9rem}
a{color:var(--link)}
`;

/** Nothing runs, nothing is sent anywhere, nothing is loaded but this style and photos of the CDN. */
const policy = (cdnUrl: string): string =>
  [
    "default-src 'none'",
    `img-src ${new URL(cdnUrl).origin}`,
    `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
