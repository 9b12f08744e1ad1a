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
import { postgresFailure } from '#postgres/failures.ts';
import type { Services } from '#src/services.ts';
import { Assets } from './assets.ts';
import { changelogPage, createFeed } from './changelog.ts';
import { createDemo } from './demo.ts';
import { errorDocsPage } from './error-docs.ts';
import { explorerPage } from './explorer-page.ts';
import { guidePages } from './guides.ts';
import { homePage } from './home-page.ts';
import { html } from './html.ts';
import { LANGUAGES, type Language, pathIn, readLanguage } from './language.ts';
import { serveListingPage } from './listing-page.ts';
import { type Page, type Site, sendPage } from './page.ts';
import { servePhoto } from './photo.ts';
import { referencePage } from './reference-page.ts';
import { TEXTS } from './text/index.ts';

/** Paths that belong to the site. All other paths belong to the API. */
const SITE_PATHS = /^\/($|r\/|listings\/|(guides|explorer|reference|changelog|docs)(\/|$))/i;
const LISTING = /^\/listings\/([1-9]\d{0,14})$/;
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
  const views = new AddressLimit(config.limits.pageViews);
  const serveDemo = createDemo(services, views);
  // Created on first use, because most processes and tests never serve a page.
  const made = once(() => {
    const english = buildOpenApi(endpoints, config);
    const openApi = { en: english, ar: inArabic(english) };
    const site: Site = { config, assets, demoKey: services.demoKey ?? null };
    return { site, fixed: fixedPages(site, openApi), arabicDocument: JSON.stringify(openApi.ar) };
  });

  return async (context, next) => {
    if (context.method !== 'GET' && context.method !== 'HEAD') return next();
    const asset = /^\/assets\/([\w.-]{1,100})$/.exec(context.path);
    if (asset?.[1] && assets.serve(context, asset[1])) return;
    const photo = /^\/cdn\/([A-Za-z0-9./-]{1,200})$/.exec(context.path);
    if (photo?.[1]) return servePhoto(context, services, photo[1]);

    if (answerFeed(context) || (await serveDemo(context))) return;

    const { language, path } = readLanguage(context.path);
    if (language === 'en' && !SITE_PATHS.test(path)) {
      try {
        return await next();
      } catch (error) {
        const unknown = error instanceof ApiError && error.code === 'route_not_found';
        if (!unknown || API.test(path) || !isPerson(context)) throw error;
        return missing(context, made().site, language, path);
      }
    }
    const { site, fixed, arabicDocument } = made();
    // The English document is served by the API.
    if (language === 'ar' && path === '/openapi.json') return sendDocument(context, arabicDocument);
    const page = fixed.get(`${language} ${path}`);
    if (page) return sendPage(context, site, language, page);
    const canonical = canonicalPath(path);
    const [target = ''] = canonical.split('#');
    if (canonical !== path && (fixed.has(`${language} ${target}`) || LISTING.test(target)))
      return redirect(context, pathIn(language, canonical));

    // The pages below query the datastores.
    const ad = /^\/r\/(\d{1,15})$/.exec(context.path);
    const listing = LISTING.exec(path);
    if (!ad && !listing && path !== '/') return isPerson(context) ? missing(context, site, language, path) : next();
    const { ip } = context.state as { ip?: string | null };
    const wait = views.wait(ip ?? null);
    if (wait > 0) return sendPage(context, site, language, tooMany(language, wait));
    views.take(ip ?? null);
    try {
      if (ad) await redirectToAd(context, services, Number(ad[1]));
      else if (listing) await serveListingPage(context, services, site, language, Number(listing[1]));
      else sendPage(context, site, language, await homePage(services, site, language));
    } catch (error) {
      if (!isPerson(context)) throw error;
      const { status } = settleFailure(logger, context, error);
      sendPage(context, site, language, failed(language, status, ad ? null : path));
    }
  };
}

function sendDocument(context: Context, document: string): void {
  context.body = document;
  context.set('Content-Type', 'application/json; charset=utf-8');
  context.set('Content-Language', 'ar');
  context.set('Cache-Control', 'public, max-age=300');
}

/** Returns the static pages by language and path. */
function fixedPages(site: Site, openApi: Readonly<Record<Language, Json>>): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const language of LANGUAGES) {
    const { list, pages: guides } = guidePages(site, language);
    const all = [
      list,
      ...guides.values(),
      errorDocsPage(language, site.config.siteUrl),
      changelogPage(CHANGELOG, language),
      explorerPage(site, language, openApi[language]),
      referencePage(site, language),
    ];
    for (const page of all) pages.set(`${language} ${page.path}`, page);
  }
  return pages;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns a page's canonical path: lowercase, without trailing slashes, and with an error code as anchor. Pure. */
function canonicalPath(path: string): string {
  const plain = path.replace(/\/+$/, '').toLowerCase();
  if (plain === '/docs') return '/guides';
  const code = /^\/docs\/errors\/(\w+)$/.exec(plain)?.[1];
  return code !== undefined && Object.hasOwn(ERRORS, code) ? `/docs/errors#${code}` : plain;
}

/** Redirects to another path and keeps the query string. */
function redirect(context: Context, location: string): void {
  const [path, anchor] = location.split('#');
  context.set('Location', `${path}${context.search}${anchor === undefined ? '' : `#${anchor}`}`);
  context.set('Cache-Control', 'public, max-age=300');
  context.body = '';
  // Set after the body, because Koa turns an empty body into a 204.
  context.status = 308;
}

/** Returns whether the client prefers HTML. Other clients receive the API's response. */
const isPerson = (context: Context): boolean => context.accepts('json', 'html') === 'html';

/**
 * Sends the 404 page. The page does not link to a path with two leading slashes, because a browser would read it as
 * another host.
 */
const missing = (context: Context, site: Site, language: Language, path: string): void =>
  sendPage(context, site, language, failed(language, 404, /^\/\w/.test(path) ? path : null));

/** Returns the error page for an unknown path or an unavailable datastore. */
function failed(language: Language, status: number, path: string | null): Page {
  const { home, guides, reference, no_page, no_page_text, unavailable, unavailable_text } = TEXTS[language];
  const [title, text] = status < 500 ? [no_page, no_page_text] : [unavailable, unavailable_text];
  const links = { '/': home, '/guides': guides, '/reference': reference };
  const items = Object.entries(links).map(([to, name]) => html`<li><a href="${pathIn(language, to)}">${name}</a></li>`);
  const back = status < 500 ? html`<ul>${items}</ul>` : null;
  return { title, path, status, body: html`<h1>${title}</h1><p>${text}</p>${back}` };
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
async function redirectToAd(context: Context, services: Services, id: number): Promise<void> {
  const ad = await originalAd(services, id);
  if (!ad) throw new ApiError('listing_not_found');
  context.set('Location', ad.url ?? `${services.config.siteUrl}/listings/${id}`);
  context.set('Referrer-Policy', 'no-referrer');
  context.body = '';
  // Set after the body, because Koa turns an empty body into a 204.
  context.status = 302;
}

/** Returns a live listing's original ad, with the ad's URL if known. */
async function originalAd(services: Services, id: number): Promise<{ url: string | null } | null> {
  const { rows } = await services.pool
    .query<{ url: string | null }>({
      name: 'original-ad',
      text: 'select r.url from listings l join listing_records r on r.id = l.id where l.id = $1 and l.served',
      values: [id],
    })
    .catch((error: unknown) => {
      throw postgresFailure(error);
    });
  const [row] = rows;
  if (!row) return null;
  // Feeds are untrusted, so only http(s) URLs are used.
  return { url: row.url !== null && /^https?:\/\//.test(row.url) ? row.url : null };
}
