import type { Context } from 'koa';
import { html } from '#documents/html.ts';
import { LANGUAGES, pathIn } from '#documents/language.ts';
import { send } from '#documents/send.ts';
import { CachedRead } from '#domain/cached-read.ts';
import { ApiError } from '#http/errors/api-error.ts';
import type { LiveSite } from './page.ts';

/** Ids per file. Each listing has a URL in each language, and a file may have 50,000 URLs. */
const IDS_PER_FILE = 20_000;
/** Crawlers read a sitemap a few times a day, and building its index reads every listing. */
const VALID_MS = 3_600_000;
/** Seconds for which clients may cache the files. */
const MAX_AGE = 3_600;

type SitemapSite = Pick<LiveSite, 'config' | 'data'>;

interface Entry {
  path: string;
  modified?: string;
}

/** Serves `robots.txt` and the sitemap: an index, the other pages, and the listings by ranges of ids. */
export class Sitemap {
  readonly #site: SitemapSite;
  readonly #ranges = new CachedRead(() => this.#site.data.sitemapRanges(IDS_PER_FILE), VALID_MS);

  constructor(site: SitemapSite) {
    this.#site = site;
  }

  /** Sends `robots.txt`. @returns whether the path is `robots.txt` */
  robots(context: Context): boolean {
    if (context.path !== '/robots.txt') return false;
    // Links to original ads redirect to other sites, and API responses are not pages.
    const rules = 'User-agent: *\nDisallow: /v1/\nDisallow: /r/';
    send(context, 'text/plain', `${rules}\n\nSitemap: ${this.#url('/sitemap.xml')}\n`, MAX_AGE);
    return true;
  }

  /** @param pages paths of all pages except listings, without the language prefix @throws ApiError `not_found` */
  async serve(context: Context, pages: readonly string[]): Promise<void> {
    if (context.path === '/sitemap.xml') sendXml(context, await this.#index());
    else if (context.path === '/sitemaps/pages.xml') sendXml(context, this.#urls(pages.map((path) => ({ path }))));
    else {
      const range = /^\/sitemaps\/listings-(0|[1-9]\d{0,9})\.xml$/.exec(context.path)?.[1];
      if (range === undefined || !(await this.#ranges.read()).includes(Number(range))) throw new ApiError('not_found');
      sendXml(context, this.#urls(await this.#listings(Number(range))));
    }
  }

  #url(path: string): string {
    return `${this.#site.config.siteUrl}${path}`;
  }

  async #index(): Promise<string> {
    const files = ['pages', ...(await this.#ranges.read()).map((range) => `listings-${range}`)];
    const entries = files.map((name) => html`<sitemap><loc>${this.#url(`/sitemaps/${name}.xml`)}</loc></sitemap>\n`);
    return html`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</sitemapindex>`.markup;
  }

  #urls(entries: readonly Entry[]): string {
    const urls = entries.flatMap(({ path, modified }) =>
      LANGUAGES.map(
        (language) =>
          html`<url><loc>${this.#url(pathIn(language, path))}</loc>${modified === undefined ? null : html`<lastmod>${modified}</lastmod>`}</url>\n`,
      ),
    );
    return html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}</urlset>`.markup;
  }

  async #listings(range: number): Promise<Entry[]> {
    const listings = await this.#site.data.sitemapListings(range, IDS_PER_FILE);
    return listings.map(({ id, modified }) => ({ path: `/listings/${id}`, modified }));
  }
}

const sendXml = (context: Context, xml: string): void =>
  send(context, 'application/xml', `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`, MAX_AGE);
