import type { Context } from 'koa';
import type { Logger } from 'pino';
import { CachedRead } from '#domain/cached-read.ts';
import { ERRORS } from '#domain/errors.ts';
import { TEXTS } from '#site/text/index.ts';
import type { Config } from '#src/config.ts';
import { html } from '#src/documents/html.ts';
import { type Language, pathIn, readLanguage } from '#src/documents/language.ts';
import { hideFromScripts, redirect, send } from '#src/documents/send-document.ts';
import type { HttpContext, HttpMiddleware } from '#src/http/context.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { settleFailure } from '#src/http/errors/render.ts';
import type { InternalCall } from '#src/http/internal-caller.ts';
import { enforceRateLimit } from '#src/http/limits/enforce-rate-limit.ts';
import type { CallerLimits } from '#src/metering/limits.ts';
import { accuracyPages } from './accuracy-page.ts';
import { ANSWER, answerTo, MEDIAN_PATH } from './answer.ts';
import { type SiteApi, visitorAddress } from './api-client.ts';
import { readAssets, serveDownload } from './assets.ts';
import { consoleArea } from './console/console-area.ts';
import { coveragePage } from './coverage-page.ts';
import { EXPLORER } from './explorer-page.ts';
import { createExplorerSession } from './explorer-session.ts';
import { renderFixed } from './fixed-pages.ts';
import { searchForm } from './guide-menu.ts';
import { homePage } from './home-page.ts';
import { previewOfListing, serveListingPage } from './listing-page.ts';
import { consentArea } from './oauth/consent-area.ts';
import { descriptionOf, type Page, type Site, sendPage } from './page.ts';
import { PlaceData, placeOf } from './place-data.ts';
import { placePage } from './place-page.ts';
import { drawPreview } from './preview-image.ts';
import { pricingPage } from './pricing-page.ts';
import { type PrivateArea, sendPrivatePage, servePrivate } from './private-area.ts';
import { hasOnlySentence, querySentence, readResults, valuesOf, withResults } from './results-page.ts';
import { signInArea } from './sign-in/area.ts';
import { serveTrialKeys } from './sign-in/trial-keys.ts';
import { createSitemap } from './sitemap.ts';
import { statusPage } from './status-page.ts';
import { serveMapTiles, TILES_PATH } from './tile-ranges.ts';
import { createVisitors } from './visitors.ts';

/** Paths of the site without the language prefix, except assets. Other paths belong to the API. */
const SITE_PATHS =
  /^\/($|answer$|listings\/|previews\/|sitemaps\/|sitemap\.xml$|(guides|explorer|reference|changelog|docs|pricing|coverage|accuracy|status)(\/|$)|llms(-full)?\.txt$|auth\.md$)/i;
const AD = /^\/r\//;
const LISTING = /^\/listings\/([1-9]\d{0,14})$/;
const PREVIEW = /^\/previews\/(en|ar)((?:\/[\w-]{1,60}){0,3})\.jpg$/;
const SITEMAP = /^\/sitemaps?(\.xml$|\/)/;
const API = /^\/(v1|explorer\/api)(\/|$)/i;

export interface SiteOptions extends Omit<Site, 'assets' | 'visitors' | 'places'> {
  config: Config;
  /** Calls operations for a key without a secret. */
  call: InternalCall;
  api: SiteApi;
  logger: Logger;
  limits: Pick<CallerLimits, 'pageViews'>;
}

export function serveSite({ logger, limits, ...options }: SiteOptions): HttpMiddleware {
  const assets = readAssets();
  if (assets.isEmpty) logger.warn('site styles and scripts are not built; run node embedded/install.mjs');
  const visitors = createVisitors(options);
  const places = new PlaceData(() => Math.max(0, ...options.data.sources().map(({ readAt }) => readAt)));
  const site: Site = { ...options, visitors, assets, places };
  const sitemap = createSitemap(site);
  const pages = new SitePages(site, sitemap, { config: options.config, limits, visitors });
  const areas: readonly PrivateArea[] = [
    signInArea(site, options),
    consoleArea(site, options),
    ...(site.oauth ? [consentArea(site, site.oauth)] : []),
  ];

  return async (context, next) => {
    if (context.state.isSite) return next();
    if (await serveTrialKeys(site, context)) return;
    const place = readLanguage(context.path);
    const area = areas.find(({ paths }) => paths.test(place.path));
    if (area) {
      try {
        return await visitorAddress.run(context.state.ip ?? null, () => servePrivate(area, site, context, place));
      } catch (error) {
        if (!isPerson(context)) throw error;
        const { language } = place;
        const { status } = settleFailure(logger, context, error);
        return sendPrivatePage(context, site, language, failed(language, status, null));
      }
    }
    if (context.method !== 'GET' && context.method !== 'HEAD') return next();
    const asset = /^\/assets\/([\w.-]{1,100})$/.exec(context.path);
    if (asset?.[1] && (await assets.serve(context, asset[1]))) return;
    if (await assets.serveIcon(context)) return;
    const { mapTilesFile } = options.config;
    if (mapTilesFile !== null && context.path === TILES_PATH) return serveMapTiles(context, mapTilesFile);
    const file = /^\/downloads\/([\w.-]{1,100})$/.exec(context.path)?.[1];
    if (file !== undefined && (await serveDownload(context, site.downloads, file))) return;
    if (sitemap.robots(context)) return;
    const { language, path } = readLanguage(context.path);
    const isOwn = language !== 'en' || SITE_PATHS.test(path) || placeOf(path.toLowerCase()) !== undefined;
    try {
      const serve = () => pages.servePath(context, next, { language, path });
      await (isOwn ? visitorAddress.run(context.state.ip ?? null, serve) : next());
    } catch (error) {
      // Other clients receive the error of the API.
      const isOther = !isMissing(error) && !isOwn && !AD.test(path);
      if (API.test(path) || !isPerson(context) || isOther) throw error;
      if (isMissing(error)) return sendMissing(context, site, path);
      const { status, details } = settleFailure(logger, context, error);
      const isPage = LISTING.test(path) || pages.computed.has(path);
      sendPage(context, site, language, failed(language, status, isPage ? path : null, details?.per === 'day'));
    }
  };
}

type Visitors = ReturnType<typeof createVisitors>;
type ComputePage = (site: Site, language: Language, query: URLSearchParams) => Promise<Page>;

/** Serves the paths of the site in both languages. */
class SitePages {
  readonly #site: Site;
  readonly #visitors: Visitors;
  readonly #views: CallerLimits['pageViews'];
  readonly #sitemap: ReturnType<typeof createSitemap>;
  readonly #serveSession: ReturnType<typeof createExplorerSession>;
  /** Pages with data that changes, by path. */
  readonly computed: ReadonlyMap<string, ComputePage>;
  // Rendered on first use, because most processes and tests never serve a page.
  readonly fixed = new CachedRead(() => renderFixed(this.#site), Number.POSITIVE_INFINITY);

  constructor(
    site: Site,
    sitemap: ReturnType<typeof createSitemap>,
    options: Pick<SiteOptions, 'config' | 'limits'> & { visitors: Visitors },
  ) {
    this.#site = site;
    this.#views = options.limits.pageViews;
    this.#sitemap = sitemap;
    const { config, visitors } = options;
    this.#visitors = visitors;
    this.#serveSession = createExplorerSession(visitors, config, config.limits.explorerCalls);
    const accuracy = accuracyPages(site);
    this.computed = new Map<string, ComputePage>([
      ['/', homePage],
      ['/pricing', pricingPage],
      ['/coverage', coveragePage],
      ['/accuracy', (_, language, query) => accuracy(language, query)],
      ['/status', statusPage],
    ]);
  }

  async servePath(
    context: HttpContext,
    next: () => Promise<unknown>,
    { language, path }: { language: Language; path: string },
  ): Promise<void> {
    if (await this.#serveSession(context, async () => (await this.fixed.read()).operations)) return;
    const { pages, documents } = await this.fixed.read();
    const document =
      documents.get(`${language} ${path}`) ?? markdownOf(context, documents.get(`${language} ${path}.md`));
    if (document !== undefined) {
      context.set('Content-Language', language);
      return send(context, document.type, document.text);
    }
    if (context.path === '/' && prefersArabic(context)) return redirectToPage(context, '/ar', 302);
    const query = new URLSearchParams(context.querystring);
    const isSentence = path === EXPLORER && hasOnlySentence(query);
    const fixed = isSentence ? undefined : pages.get(`${language} ${path}`);
    const page = fixed && path === EXPLORER ? await this.#explorer(context, fixed, language, query) : fixed;
    if (page) return sendPage(context, this.#site, language, page);
    const canonical = canonicalPath(path);
    const [target = ''] = canonical.split('#');
    const exists =
      pages.has(`${language} ${target}`) || LISTING.test(target) || this.computed.has(target) || placeOf(target);
    // A redirect from `/` to itself would not end.
    if (exists && pathIn(language, canonical) !== context.path)
      return redirectToPage(context, pathIn(language, canonical));

    const serve = isSentence
      ? async ({ api }: Site) =>
          redirect(context, 302, `${pathIn(language, path)}?${String(await querySentence(api, query))}`)
      : this.#responder(context, language, path);
    // Documents of the API, such as feeds of the changelog, have paths in both languages.
    if (!serve) return void (await next());
    const { ip = null } = context.state;
    await enforceRateLimit(this.#views.wait(ip), 'Too many pages were requested from your address.');
    this.#views.take(ip);
    await this.#visitors.count(context, (counted) => serve({ ...this.#site, api: counted }));
  }

  /** Adds the listings of the search, unless the visitor has reached a limit: the script then says so. */
  async #explorer(context: HttpContext, page: Page, language: Language, query: URLSearchParams): Promise<Page> {
    const { ip = null } = context.state;
    const filters = this.#site.data.filters.map(({ name }) => name);
    const values = this.#views.wait(ip) > 0 ? null : valuesOf(query, filters);
    let found: Awaited<ReturnType<typeof readResults>> | null = null;
    if (values) {
      this.#views.take(ip);
      try {
        await this.#visitors.count(context, async (counted) => {
          found = await readResults(counted, values);
        });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        found = null;
      }
    }
    const sources = this.#site.data.sources().map(({ name }) => name);
    return withResults(page, language, { query, values, found, sources, now: this.#site.clock.now() });
  }

  async #readPage(counted: Site, language: Language, path: string, query = ''): Promise<Page | null> {
    const { pages, menus } = await this.fixed.read();
    const compute = this.computed.get(path);
    if (!compute) return pages.get(`${language} ${path}`) ?? null;
    const page = await compute(counted, language, new URLSearchParams(query));
    return path === '/' ? page : menus[language].addTo(page);
  }

  /** Serves paths with data that changes; null for an unknown form of path. */
  #responder(context: Context, language: Language, path: string): ((counted: Site) => Promise<void>) | null {
    const listing = LISTING.exec(path)?.[1];
    if (path === ANSWER) return (counted) => this.#sendAnswer(context, counted, language);
    if (listing) return (counted) => serveListingPage(context, counted, language, Number(listing));
    if (this.computed.has(path))
      return async (counted) => {
        const page = await this.#readPage(counted, language, path, context.querystring);
        if (page) sendPage(context, counted, language, page);
      };
    const place = placeOf(path);
    if (place)
      return async (counted) => {
        const page = await placePage(counted, language, place);
        if (!page) throw new ApiError('not_found');
        sendPage(context, counted, language, page);
      };
    if (language !== 'en') return null;
    if (SITEMAP.test(path))
      return async (counted) => {
        const paths = [...(await this.fixed.read()).pages.values()].flatMap((page) => page.path ?? []);
        const places = await this.#site.places.paths(counted.api);
        return this.#sitemap.serve(context, [...this.computed.keys(), ...new Set(paths), ...places]);
      };
    const [, named, of] = PREVIEW.exec(path) ?? [];
    if (named === undefined) return null;
    return async (counted) => sendImage(context, await this.#previewOf(counted, named as Language, of || '/'));
  }

  /** Sends the answer to a sentence as JSON, which only the script of the home page turns into a part of the page. */
  async #sendAnswer(context: Context, counted: Site, language: Language): Promise<void> {
    const sentence = new URLSearchParams(context.querystring).get('sentence')?.trim() ?? '';
    if (sentence === '') throw new ApiError('not_found');
    const { operations } = await this.fixed.read();
    const { parameters = [] } = operations.find(({ path }) => path === MEDIAN_PATH) ?? {};
    const { markup } = await answerTo(counted, language, sentence, parameters);
    send(context, 'application/json', JSON.stringify({ markup }));
    hideFromScripts(context);
    context.set({ 'Cache-Control': 'private, max-age=60', 'X-Robots-Tag': 'noindex' });
  }

  async #previewOf(counted: Site, language: Language, path: string): Promise<Buffer> {
    const listing = LISTING.exec(path)?.[1];
    const page = await this.#readPage(counted, language, path);
    const preview = page
      ? { title: page.title, text: descriptionOf(language, page) }
      : listing && (await previewOfListing(counted, language, Number(listing)));
    if (!preview) throw new ApiError('not_found');
    return drawPreview(preview, this.#site.config.serviceName, language);
  }
}

/** Returns the Markdown of a guide for clients that prefer it to HTML. */
function markdownOf<Document>(context: Context, document: Document | undefined): Document | undefined {
  if (document === undefined) return undefined;
  context.vary('Accept');
  return context.accepts('html', 'text/markdown') === 'text/markdown' ? document : undefined;
}

function sendImage(context: Context, image: Buffer): void {
  send(context, 'image/jpeg', image, 3_600);
  // Other sites show the image next to links.
  context.set('Cross-Origin-Resource-Policy', 'cross-origin');
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Returns a page's canonical path: lowercase, without trailing slashes, and with an error code as anchor. Pure. */
function canonicalPath(path: string): string {
  const plain = path.replace(/(?<=[^/])\/+$|(?<=^\/)\/+$/, '').toLowerCase();
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

/** @param isDay whether a limit per day is reached, which a key does not have */
function failed(language: Language, status: number, path: string | null, isDay = false): Page {
  const texts = TEXTS[language];
  const kind = isDay ? 'day_limit' : status === 429 ? 'too_many' : status < 500 ? 'no_page' : 'unavailable';
  const [title, text] = [texts[kind], texts[`${kind}_text`]];
  const key =
    isDay && html`<p><a class="button" href="${pathIn(language, '/pricing')}#key">${texts.request_key}</a></p>`;
  if (kind !== 'no_page') return { title, path, status, body: html`<h1>${title}</h1><p>${text}</p>${key}` };
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
