import type { Context } from 'koa';
import type { Logger } from 'pino';
import { CachedRead } from '#domain/cached-read.ts';
import { ERRORS } from '#domain/errors.ts';
import { TEXTS } from '#site/text/index.ts';
import type { Config } from '#src/config.ts';
import { type Html, html } from '#src/documents/html.ts';
import { LANGUAGES, type Language, pathIn, readLanguage } from '#src/documents/language.ts';
import { redirect, send } from '#src/documents/send.ts';
import { documentPages } from '#src/documents/serve.ts';
import type { HttpContext, HttpMiddleware } from '#src/http/context.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { settleFailure } from '#src/http/errors/render.ts';
import type { CallerLimits } from '#src/http/limits/caller-limits.ts';
import { enforceRateLimit } from '#src/http/limits/rate-limit.ts';
import { inArabic } from '#src/openapi/arabic/translate.ts';
import type { Json } from '#src/openapi/contract.ts';
import { accuracyPages } from './accuracy-page.ts';
import { readAssets, readDownloads } from './assets.ts';
import { coveragePage } from './coverage-page.ts';
import { explorerOperations, explorerPage } from './explorer-page.ts';
import { createExplorerSession } from './explorer-session.ts';
import { SEARCH_INDEX, searchForm } from './guide-menu.ts';
import { guidePages, llmsText } from './guides.ts';
import { homePage } from './home-page.ts';
import { previewOfListing, serveListingPage } from './listing-page.ts';
import { descriptionOf, type Page, type Site, sendPage } from './page.ts';
import { drawPreview } from './preview-image.ts';
import { pricingPage } from './pricing-page.ts';
import { referencePages } from './reference-page.ts';
import { searchIndexes } from './search-index.ts';
import { statusPage } from './status-page.ts';

/** Paths of the site without the language prefix, except assets. Other paths belong to the API. */
const SITE_PATHS =
  /^\/($|listings\/|previews\/|sitemaps\/|sitemap\.xml$|(guides|explorer|reference|changelog|docs|pricing|coverage|accuracy|status)(\/|$)|llms\.txt$)/i;
const AD = /^\/r\//;
const LISTING = /^\/listings\/([1-9]\d{0,14})$/;
const PREVIEW = /^\/previews\/(en|ar)((?:\/[\w-]{1,60}){0,3})\.jpg$/;
const SITEMAP = /^\/sitemaps?(\.xml$|\/)/;
const API = /^\/v1(\/|$)/i;

/** Ids per file. Each listing has a URL in each language, and a file may have 50,000 URLs. */
const IDS_PER_FILE = 20_000;
/** Crawlers read a sitemap a few times a day, and building its index reads every listing. */
const VALID_MS = 3_600_000;
const MAX_AGE = 3_600;

export interface SiteOptions extends Omit<Site, 'assets' | 'downloads'> {
  config: Config;
  logger: Logger;
  limits: Pick<CallerLimits, 'pageViews'>;
}

export function serveSite({ logger, limits, ...options }: SiteOptions): HttpMiddleware {
  const assets = readAssets();
  if (assets.isEmpty) logger.warn('site styles and scripts are not built; run node embedded/install.mjs');
  const site: Site = { ...options, assets, downloads: readDownloads() };
  const { config, api } = options;
  const sitemap = createSitemap(site);
  /** Pages with data that changes, by path. */
  const computed = new Map<string, (language: Language, query: URLSearchParams) => Promise<Page>>([
    ['/', (language) => homePage(site, language)],
    ['/pricing', (language, query) => pricingPage(site, language, query)],
    ['/coverage', (language) => coveragePage(site, language)],
    ['/accuracy', accuracyPages(site)],
    ['/status', (language) => statusPage(site, language)],
  ]);
  const views = limits.pageViews;
  const serveSession = createExplorerSession(api, config.limits.explorerCalls);
  // Rendered on first use, because most processes and tests never serve a page.
  const renderFixed = async () => {
    const english = await api.body<Json>('/v1/openapi.json');
    if (english === null) throw new Error('the API has no OpenAPI document');
    const openApi = { en: english, ar: inArabic(english) };
    const guides = { en: guidePages(site, 'en'), ar: guidePages(site, 'ar') };
    const documents = new Map<string, { type: string; text: string }>([
      // The English document is served by the API.
      ['ar /openapi.json', { type: 'application/json', text: JSON.stringify(openApi.ar) }],
      ['en /llms.txt', { type: 'text/plain', text: llmsText(config, guides.en.documents) }],
    ]);
    const indexes = searchIndexes({ en: guides.en.topics, ar: guides.ar.topics }, openApi);
    for (const language of LANGUAGES) {
      documents.set(`${language} ${SEARCH_INDEX}`, { type: 'application/json', text: indexes[language] });
      for (const { path, text } of guides[language].documents)
        documents.set(`${language} ${path}`, { type: 'text/markdown', text });
    }
    return {
      pages: fixedPages(site, openApi, guides),
      documents,
      operations: explorerOperations(english),
      menus: { en: guides.en.menu, ar: guides.ar.menu },
    };
  };
  const fixed = new CachedRead(renderFixed, Number.POSITIVE_INFINITY);

  return async (context, next) => {
    if (context.state.isSite || (context.method !== 'GET' && context.method !== 'HEAD')) return next();
    const asset = /^\/assets\/([\w.-]{1,100})$/.exec(context.path);
    if (asset?.[1] && (await assets.serve(context, asset[1]))) return;
    const file = /^\/downloads\/([\w.-]{1,100})$/.exec(context.path)?.[1];
    if (file !== undefined && (await site.downloads.serve(context, file))) return;
    if (sitemap.robots(context)) return;
    const { language, path } = readLanguage(context.path);
    const isOwn = language !== 'en' || SITE_PATHS.test(path);
    try {
      await (isOwn ? servePath(context, next, { language, path }) : next());
    } catch (error) {
      // Other clients receive the error of the API.
      const isOther = !isMissing(error) && !isOwn && !AD.test(path);
      if (API.test(path) || !isPerson(context) || isOther) throw error;
      if (isMissing(error)) return sendMissing(context, site, path);
      const { status } = settleFailure(logger, context, error);
      const isPage = LISTING.test(path) || computed.has(path);
      sendPage(context, site, language, failed(language, status, isPage ? path : null));
    }
  };

  async function servePath(
    context: HttpContext,
    next: () => Promise<unknown>,
    { language, path }: { language: Language; path: string },
  ): Promise<void> {
    if (await serveSession(context, async () => (await fixed.read()).operations)) return;
    const { pages, documents } = await fixed.read();
    const document = documents.get(`${language} ${path}`);
    if (document !== undefined) {
      context.set('Content-Language', language);
      return send(context, document.type, document.text);
    }
    if (context.path === '/' && prefersArabic(context)) return redirectToPage(context, '/ar', 302);
    const page = pages.get(`${language} ${path}`);
    if (page) return sendPage(context, site, language, page);
    const canonical = canonicalPath(path);
    const [target = ''] = canonical.split('#');
    const exists = pages.has(`${language} ${target}`) || LISTING.test(target) || computed.has(target);
    // A redirect from `/` to itself would not end.
    if (exists && pathIn(language, canonical) !== context.path)
      return redirectToPage(context, pathIn(language, canonical));

    const serve = responder(context, language, path);
    if (!serve && !isPerson(context)) return void (await next());
    if (!serve) throw new ApiError('route_not_found');
    const { ip = null } = context.state;
    await enforceRateLimit(views.wait(ip), 'Too many pages were requested from your address.');
    views.take(ip);
    await serve();
  }

  async function readPage(language: Language, path: string, query = ''): Promise<Page | null> {
    const { pages, menus } = await fixed.read();
    const compute = computed.get(path);
    if (!compute) return pages.get(`${language} ${path}`) ?? null;
    const page = await compute(language, new URLSearchParams(query));
    return path === '/' ? page : menus[language].addTo(page);
  }

  /** Serves paths with data that changes; null for an unknown form of path. */
  function responder(context: Context, language: Language, path: string): (() => Promise<void>) | null {
    const listing = LISTING.exec(path)?.[1];
    if (listing) return () => serveListingPage(context, site, language, Number(listing));
    if (computed.has(path))
      return async () => {
        const page = await readPage(language, path, context.querystring);
        if (page) sendPage(context, site, language, page);
      };
    if (language !== 'en') return null;
    if (SITEMAP.test(path))
      return async () => {
        const paths = [...(await fixed.read()).pages.values()].flatMap((page) => page.path ?? []);
        return sitemap.serve(context, [...computed.keys(), ...new Set(paths)]);
      };
    const [, named, of] = PREVIEW.exec(path) ?? [];
    if (named === undefined) return null;
    return async () => sendImage(context, await previewOf(named as Language, of || '/'));
  }

  async function previewOf(language: Language, path: string): Promise<Buffer> {
    const listing = LISTING.exec(path)?.[1];
    const page = await readPage(language, path);
    const preview = page
      ? { title: page.title, text: descriptionOf(language, page) }
      : listing && (await previewOfListing(site, language, Number(listing)));
    if (!preview) throw new ApiError('not_found');
    return drawPreview(preview, config.serviceName, language);
  }
}

function sendImage(context: Context, image: Buffer): void {
  send(context, 'image/jpeg', image, 3_600);
  // Other sites show the image next to links.
  context.set('Cross-Origin-Resource-Policy', 'cross-origin');
}

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
      ...documentPages(site.config.siteUrl, language).map(menu.addTo),
      explorerPage(site, language, openApi[language]),
      ...referencePages(site, language, openApi[language]),
    ];
    for (const page of all) pages.set(`${language} ${page.path}`, page);
  }
  return pages;
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Returns a page's canonical path: lowercase, without trailing slashes, and with an error code as anchor. Pure. */
function canonicalPath(path: string): string {
  const plain = path.replace(/(?<!^)\/+$/, '').toLowerCase();
  if (plain === '/docs') return '/guides';
  const code = /^\/docs\/errors\/(\w+)$/.exec(plain)?.[1];
  return code !== undefined && Object.hasOwn(ERRORS, code) ? `/docs/errors#${code}` : plain;
}

function redirectToPage(context: Context, location: string, status = 308): void {
  const [path, anchor] = location.split('#');
  context.set('Cache-Control', 'public, max-age=300');
  redirect(context, status, `${path}${context.search}${anchor === undefined ? '' : `#${anchor}`}`);
}

/** Decides by the language of the last page, from a cookie, or else of the browser. */
function prefersArabic(context: Context): boolean {
  context.vary('Accept-Language');
  context.vary('Cookie');
  return (context.cookies.get('language') ?? context.acceptsLanguages('en', 'ar')) === 'ar';
}

/** Returns whether the client prefers HTML. Other clients receive the API's response. */
const isPerson = (context: Context): boolean => context.accepts('json', 'html') === 'html';

/**
 * Sends the 404 page in the language of the path, or else of the browser. A path with two leading slashes would be read
 * as another host.
 */
function sendMissing(context: Context, site: Site, path: string): void {
  const isArabic = readLanguage(context.path).language === 'ar' || context.acceptsLanguages('en', 'ar') === 'ar';
  const language = isArabic ? 'ar' : 'en';
  context.vary('Accept-Language');
  sendPage(context, site, language, failed(language, 404, /^\/\w/.test(path) ? path : null));
}

function failed(language: Language, status: number, path: string | null): Page {
  const texts = TEXTS[language];
  const kind = status === 429 ? 'too_many' : status < 500 ? 'no_page' : 'unavailable';
  const [title, text] = [texts[kind], texts[`${kind}_text`]];
  if (kind !== 'no_page') return { title, path, status, body: html`<h1>${title}</h1><p>${text}</p>` };
  const links = {
    '/': texts.home,
    '/explorer': texts.explorer,
    '/guides': texts.guides,
    '/reference': texts.reference,
  };
  const items = Object.entries(links).map(([to, name]) => html`<li><a href="${pathIn(language, to)}">${name}</a></li>`);
  return {
    title,
    path,
    status,
    styles: ['guides.css'],
    scripts: ['guides.js'],
    body: html`<h1>${title}</h1><p>${text}</p><ul>${items}</ul>${searchForm(language)}`,
  };
}

/** Serves `robots.txt` and the sitemap: an index, the other pages, and the listings by ranges of ids. */
function createSitemap({ config, data }: Pick<Site, 'config' | 'data'>) {
  const ranges = new CachedRead(() => data.sitemapRanges(IDS_PER_FILE), VALID_MS);
  const url = (path: string): string => `${config.siteUrl}${path}`;
  const urls = (entries: readonly { path: string; modified?: string }[]): Html =>
    html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.flatMap(({ path, modified }) =>
      LANGUAGES.map(
        (language) =>
          html`<url><loc>${url(pathIn(language, path))}</loc>${modified === undefined ? null : html`<lastmod>${modified}</lastmod>`}</url>\n`,
      ),
    )}</urlset>`;
  return {
    /** @returns whether the path is `robots.txt` */
    robots(context: Context): boolean {
      if (context.path !== '/robots.txt') return false;
      // Links to original ads redirect to other sites, and API responses are not pages.
      const rules = 'User-agent: *\nDisallow: /v1/\nDisallow: /r/';
      send(context, 'text/plain', `${rules}\n\nSitemap: ${url('/sitemap.xml')}\n`, MAX_AGE);
      return true;
    },

    /** @param pages paths of all pages except listings, without the language prefix @throws ApiError `not_found` */
    async serve(context: Context, pages: readonly string[]): Promise<void> {
      const known = await ranges.read();
      const range = Number(/^\/sitemaps\/listings-(0|[1-9]\d{0,9})\.xml$/.exec(context.path)?.[1]);
      if (context.path === '/sitemap.xml') {
        const files = ['pages', ...known.map((each) => `listings-${each}`)];
        const entries = files.map((name) => html`<sitemap><loc>${url(`/sitemaps/${name}.xml`)}</loc></sitemap>\n`);
        const xmlns = 'http://www.sitemaps.org/schemas/sitemap/0.9';
        sendXml(context, html`<sitemapindex xmlns="${xmlns}">\n${entries}</sitemapindex>`);
      } else if (context.path === '/sitemaps/pages.xml') {
        sendXml(context, urls(pages.map((path) => ({ path }))));
      } else {
        if (!known.includes(range)) throw new ApiError('not_found');
        const listings = await data.sitemapListings(range, IDS_PER_FILE);
        sendXml(context, urls(listings.map(({ id, modified }) => ({ path: `/listings/${id}`, modified }))));
      }
    },
  };
}

const sendXml = (context: Context, { markup }: Html): void =>
  send(context, 'application/xml', `<?xml version="1.0" encoding="UTF-8"?>\n${markup}\n`, MAX_AGE);
