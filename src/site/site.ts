import type { Context, Middleware } from 'koa';
import { ERRORS } from '#domain/errors.ts';
import { endpoints } from '#endpoints/index.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { settleFailure } from '#http/errors/render.ts';
import { AddressLimit } from '#http/limits/address-limit.ts';
import { inArabic } from '#openapi/arabic/translate.ts';
import { buildOpenApi } from '#openapi/build.ts';
import { CHANGELOG } from '#openapi/changelog.ts';
import type { Json } from '#openapi/contract.ts';
import { readRows } from '#postgres/read-rows.ts';
import * as sql from '#postgres/rows.ts';
import type { Services } from '#src/services.ts';
import { Assets } from './assets.ts';
import { changelogPage, createFeed } from './changelog.ts';
import { coveragePage } from './coverage-page.ts';
import { createDemo } from './demo.ts';
import { errorDocsPage } from './error-docs.ts';
import { explorerPage } from './explorer-page.ts';
import { SEARCH_INDEX, searchForm } from './guide-menu.ts';
import { guidePages } from './guides.ts';
import { homePage } from './home-page.ts';
import { html } from './html.ts';
import { incidentReader } from './incidents.ts';
import { LANGUAGES, type Language, pathIn, readLanguage } from './language.ts';
import { previewOfListing, serveListingPage } from './listing-page.ts';
import { descriptionOf } from './metadata.ts';
import { type Page, type Site, sendPage } from './page.ts';
import { servePhoto } from './photo.ts';
import { PreviewImages } from './preview-image.ts';
import { pricingPage } from './pricing-page.ts';
import { referencePages } from './reference-page.ts';
import { searchIndexes } from './search-index.ts';
import { redirect, send } from './send.ts';
import { Sitemap } from './sitemap.ts';
import { statusPage } from './status-page.ts';
import { TEXTS } from './text/index.ts';

/** Paths of the site without the language prefix, except assets and photos. Other paths belong to the API. */
const SITE_PATHS =
  /^\/($|r\/|listings\/|previews\/|sitemaps\/|sitemap\.xml$|(guides|explorer|reference|changelog|docs|pricing|coverage|status)(\/|$))/i;
/** Pages with data that changes, in the menu of the guides. */
const COMPUTED = ['/pricing', '/coverage', '/status'] as const;
const LISTING = /^\/listings\/([1-9]\d{0,14})$/;
const AD = /^\/r\/(\d{1,15})$/;
const PREVIEW = /^\/previews\/(en|ar)((?:\/[\w-]{1,60}){0,3})\.jpg$/;
const SITEMAP = /^\/sitemaps?(\.xml$|\/)/;
const API = /^\/v1(\/|$)/i;

/**
 * Serves the site: home, reference, guides, explorer, listings, error documentation, redirects to original ads, and
 * photos if no CDN serves them.
 */
export function serveSite(services: Services): Middleware {
  const { config, logger } = services;
  const assets = Assets.read();
  if (assets.isEmpty) logger.warn('site styles and scripts are not built; run node embedded/install.mjs');
  const answerFeed = createFeed(config);
  const readIncidents = incidentReader(services);
  const sitemap = new Sitemap(services);
  const previews = new PreviewImages();
  const views = new AddressLimit(config.limits.pageViews);
  const serveDemo = createDemo(services, views);
  // Created on first use, because most processes and tests never serve a page.
  const made = once(() => {
    const english = buildOpenApi(endpoints, config);
    const openApi = { en: english, ar: inArabic(english) };
    const site: Site = { config, assets, demoKey: services.demoKey ?? null };
    const guides = { en: guidePages(site, 'en'), ar: guidePages(site, 'ar') };
    const documents = new Map([
      // The English document is served by the API.
      ['ar /openapi.json', JSON.stringify(openApi.ar)],
    ]);
    const indexes = searchIndexes({ en: guides.en.topics, ar: guides.ar.topics }, openApi);
    for (const language of LANGUAGES) documents.set(`${language} ${SEARCH_INDEX}`, indexes[language]);
    return {
      site,
      fixed: fixedPages(site, openApi, guides),
      documents,
      menus: { en: guides.en.menu, ar: guides.ar.menu },
    };
  });

  return async (context, next) => {
    if (context.method !== 'GET' && context.method !== 'HEAD') return next();
    const asset = /^\/assets\/([\w.-]{1,100})$/.exec(context.path);
    if (asset?.[1] && assets.serve(context, asset[1])) return;
    const photo = /^\/cdn\/([A-Za-z0-9./-]{1,200})$/.exec(context.path);
    if (photo?.[1]) return servePhoto(context, services, photo[1]);

    if (answerFeed(context) || sitemap.robots(context)) return;

    const { language, path } = readLanguage(context.path);
    if (language === 'en' && !SITE_PATHS.test(path)) {
      try {
        return await next();
      } catch (error) {
        const unknown = error instanceof ApiError && error.code === 'route_not_found';
        if (!unknown || API.test(path) || !isPerson(context)) throw error;
        return missing(context, made().site, path);
      }
    }
    if (await serveDemo(context)) return;
    const { site, fixed, documents } = made();
    const document = documents.get(`${language} ${path}`);
    if (document !== undefined) {
      context.set('Content-Language', language);
      return send(context, 'application/json', document);
    }
    const page = fixed.get(`${language} ${path}`);
    if (page) return sendPage(context, site, language, page);
    const canonical = canonicalPath(path);
    const [target = ''] = canonical.split('#');
    const exists = target === '/' || fixed.has(`${language} ${target}`) || LISTING.test(target) || isComputed(target);
    // A redirect from `/` to itself would not end.
    if (exists && pathIn(language, canonical) !== context.path)
      return redirectToPage(context, pathIn(language, canonical));

    const serve = responder(context, language, path);
    if (!serve) return isPerson(context) ? missing(context, site, path) : next();
    const { ip } = context.state as { ip?: string | null };
    const wait = views.wait(ip ?? null);
    if (wait > 0) return sendPage(context, site, language, tooMany(language, wait));
    views.take(ip ?? null);
    try {
      await serve();
    } catch (error) {
      if (!isPerson(context)) throw error;
      const { status } = settleFailure(logger, context, error);
      const isPage = path === '/' || LISTING.test(path) || isComputed(path);
      sendPage(context, site, language, failed(language, status, isPage ? path : null));
    }
  };

  async function computedPage(query: string, language: Language, path: (typeof COMPUTED)[number]): Promise<Page> {
    if (path === '/pricing') return pricingPage(services, language, new URLSearchParams(query));
    if (path === '/coverage') return coveragePage(services, language);
    return statusPage(services, language, await readIncidents());
  }

  /** Returns a function that serves a path from the datastores, or null for an unknown form of path. */
  function responder(context: Context, language: Language, path: string): (() => Promise<void>) | null {
    const { site, fixed, menus } = made();
    const listing = LISTING.exec(path)?.[1];
    if (listing) return () => serveListingPage(context, services, site, language, Number(listing));
    if (path === '/') return async () => sendPage(context, site, language, await homePage(services, site, language));
    if (isComputed(path))
      return async () => {
        const page = await computedPage(context.querystring, language, path);
        sendPage(context, site, language, menus[language].addTo(page));
      };
    if (language !== 'en') return null;
    const ad = AD.exec(path)?.[1];
    if (ad) return () => redirectToAd(context, services, Number(ad));
    if (SITEMAP.test(path)) return () => sitemap.serve(context, pagePaths(fixed));
    const [, named, of] = PREVIEW.exec(path) ?? [];
    if (named === undefined) return null;
    const { requestId } = context.state as { requestId: string };
    return async () =>
      sendImage(context, await drawPreview({ key: path, language: named as Language, path: of || '/', requestId }));
  }

  async function drawPreview({ key, language, path, requestId }: PreviewRequest): Promise<Buffer> {
    const cached = previews.get(key);
    if (cached) return cached;
    const page = isComputed(path) ? await computedPage('', language, path) : made().fixed.get(`${language} ${path}`);
    const { home_title, home_lead } = TEXTS[language];
    const listing = LISTING.exec(path)?.[1];
    const preview = page
      ? { title: page.title, text: descriptionOf(language, { ...page, path }) }
      : listing
        ? await previewOfListing(services, language, Number(listing), requestId)
        : path === '/'
          ? { title: home_title, text: home_lead }
          : null;
    if (!preview) throw new ApiError('not_found');
    return previews.draw(key, preview, { brand: config.serviceName, language });
  }
}

interface PreviewRequest {
  /** Path of the image. */
  key: string;
  language: Language;
  /** Path of the page, without the language prefix. */
  path: string;
  requestId: string;
}

/** Returns the paths of all pages except listings, without the language prefix. */
const pagePaths = (fixed: ReadonlyMap<string, Page>): string[] => [
  '/',
  ...COMPUTED,
  ...new Set([...fixed.values()].flatMap(({ path }) => path ?? [])),
];

function sendImage(context: Context, image: Buffer): void {
  send(context, 'image/jpeg', image, 3_600);
  // Other sites show the image next to links.
  context.set('Cross-Origin-Resource-Policy', 'cross-origin');
}

/** Returns the static pages by language and path. */
function fixedPages(
  site: Site,
  openApi: Readonly<Record<Language, Json>>,
  guides: Readonly<Record<Language, ReturnType<typeof guidePages>>>,
): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const language of LANGUAGES) {
    const { pages: own, menu } = guides[language];
    const all = [
      ...own,
      menu.addTo(errorDocsPage(language, site.config.siteUrl)),
      menu.addTo(changelogPage(CHANGELOG, language)),
      explorerPage(site, language, openApi[language]),
      ...referencePages(site, language, openApi[language]),
    ];
    for (const page of all) pages.set(`${language} ${page.path}`, page);
  }
  return pages;
}

const isComputed = (path: string): path is (typeof COMPUTED)[number] => COMPUTED.some((each) => each === path);

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns a page's canonical path: lowercase, without trailing slashes, and with an error code as anchor. Pure. */
function canonicalPath(path: string): string {
  const plain = path.replace(/(?<!^)\/+$/, '').toLowerCase();
  if (plain === '/docs') return '/guides';
  const code = /^\/docs\/errors\/(\w+)$/.exec(plain)?.[1];
  return code !== undefined && Object.hasOwn(ERRORS, code) ? `/docs/errors#${code}` : plain;
}

/** Redirects to another path and keeps the query string. */
function redirectToPage(context: Context, location: string): void {
  const [path, anchor] = location.split('#');
  context.set('Cache-Control', 'public, max-age=300');
  redirect(context, 308, `${path}${context.search}${anchor === undefined ? '' : `#${anchor}`}`);
}

/** Returns whether the client prefers HTML. Other clients receive the API's response. */
const isPerson = (context: Context): boolean => context.accepts('json', 'html') === 'html';

/**
 * Sends the 404 page in the language of the path or, if the path has none, of the browser. The page does not link to a
 * path with two leading slashes, because a browser would read it as another host.
 */
function missing(context: Context, site: Site, path: string): void {
  const isArabic = readLanguage(context.path).language === 'ar' || context.acceptsLanguages('en', 'ar') === 'ar';
  const language = isArabic ? 'ar' : 'en';
  context.vary('Accept-Language');
  sendPage(context, site, language, failed(language, 404, /^\/\w/.test(path) ? path : null));
}

/** Returns the error page for an unknown path or an unavailable datastore. */
function failed(language: Language, status: number, path: string | null): Page {
  const { home, explorer, guides, reference, no_page, no_page_text, unavailable, unavailable_text } = TEXTS[language];
  const [title, text] = status < 500 ? [no_page, no_page_text] : [unavailable, unavailable_text];
  const links = { '/': home, '/explorer': explorer, '/guides': guides, '/reference': reference };
  const items = Object.entries(links).map(([to, name]) => html`<li><a href="${pathIn(language, to)}">${name}</a></li>`);
  const isUnknown = status < 500;
  return {
    title,
    path,
    status,
    ...(isUnknown && { styles: ['guides.css'], scripts: ['guides.js'] }),
    body: html`<h1>${title}</h1><p>${text}</p>${isUnknown ? html`<ul>${items}</ul>${searchForm(language)}` : null}`,
  };
}

function tooMany(language: Language, wait: number): Page {
  const { too_many: title, too_many_text: text } = TEXTS[language];
  return {
    title,
    path: null,
    status: 429,
    headers: { 'Retry-After': String(wait) },
    body: html`<h1>${title}</h1><p>${text}</p>`,
  };
}

/** Redirects to a live listing's original ad, or to the listing page if the source provides no URL. */
async function redirectToAd(context: Context, { pool, config }: Services, id: number): Promise<void> {
  const [ad] = await readRows(
    pool,
    { url: sql.nullable(sql.text) },
    {
      name: 'original-ad',
      text: 'select r.url from listings l join listing_records r on r.id = l.id where l.id = $1 and l.served',
      values: [id],
    },
  );
  if (!ad) throw new ApiError('listing_not_found');
  context.set('Referrer-Policy', 'no-referrer');
  redirect(context, 302, addressOf(ad.url) ?? `${config.siteUrl}/listings/${id}`);
}

/** Returns the URL of an original ad as a header accepts it, in ASCII; null if a browser cannot open it. */
function addressOf(url: string | null): string | null {
  // Feeds are untrusted, so only http(s) URLs are used.
  const address = url === null ? null : URL.parse(url);
  return address !== null && /^https?:$/.test(address.protocol) ? address.href : null;
}
