import type { Context } from 'koa';
import { CachedRead } from '#domain/cached-read.ts';
import { type Html, html } from '#src/documents/html.ts';
import { LANGUAGES, pathIn } from '#src/documents/language.ts';
import { send } from '#src/documents/send-document.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import type { Site } from './page.ts';

/** Ids per file. Each listing has a URL in each language, and a file may have 50,000 URLs. */
const IDS_PER_FILE = 20_000;
/** Crawlers read a sitemap a few times a day, and building its index reads every listing. */
const VALID_MS = 3_600_000;
const MAX_AGE = 3_600;

/** Serves `robots.txt` and the sitemap: an index, the other pages, and the listings by ranges of ids. */
export function createSitemap({ config, data }: Pick<Site, 'config' | 'data'>) {
  const ranges = new CachedRead(() => data.sitemapRanges(IDS_PER_FILE), VALID_MS);
  const url = (path: string): string => `${config.siteUrl}${path}`;
  const urls = (entries: readonly { path: string; modified?: string }[]): Html =>
    html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.flatMap(({ path, modified }) =>
      LANGUAGES.map(
        (language) =>
          html`<url><loc>${url(pathIn(language, path))}</loc>${modified === undefined ? null : html`<lastmod>${modified}</lastmod>`}</url>\n`,
      ),
    )}</urlset>`;
  // A file of listings has megabytes.
  const files = new Map<number, CachedRead<Buffer>>();
  const listingFile = (range: number): Promise<Buffer> => {
    const read = async () => {
      const listings = await data.sitemapListings(range, IDS_PER_FILE);
      return asXml(urls(listings.map(({ id, modified }) => ({ path: `/listings/${id}`, modified }))));
    };
    const file = files.get(range) ?? new CachedRead(read, VALID_MS);
    files.set(range, file);
    return file.read();
  };
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
        send(context, 'application/xml', await listingFile(range), MAX_AGE);
      }
    },
  };
}

const asXml = ({ markup }: Html): Buffer => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${markup}\n`);

const sendXml = (context: Context, content: Html): void => send(context, 'application/xml', asXml(content), MAX_AGE);
