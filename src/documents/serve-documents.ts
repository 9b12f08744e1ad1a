import type { Context } from 'koa';
import type { HttpMiddleware } from '#src/http/context.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { enforceRateLimit } from '#src/http/limits/enforce-rate-limit.ts';
import type { CallerLimits } from '#src/metering/limits.ts';
import { CHANGELOG } from '#src/openapi/changelog.ts';
import type { Services } from '#src/services.ts';
import { publicLink } from '#stores/outbound/address.ts';
import * as sql from '#stores/postgres/rows.ts';
import { changelogPage, createFeed } from './changelog-page.ts';
import { errorDocsPage } from './error-docs.ts';
import { LANGUAGES, type Language, pathIn, readLanguage } from './language.ts';
import { servePhoto } from './photo.ts';
import { type DocumentPage, sendPlainPage } from './plain-page.ts';
import { redirect } from './send-document.ts';

const AD = /^\/r\/(\d{1,15})$/;
const PHOTO = /^\/cdn\/([A-Za-z0-9./-]{1,200})$/;
/** Redirects to the section of an error. */
const ERROR = /^\/docs\/errors\/(\w+)$/;

export const documentPages = (siteUrl: string, language: Language): DocumentPage[] => [
  errorDocsPage(language, siteUrl),
  changelogPage(CHANGELOG, language),
];

/**
 * What responses of the API refer to: original ads, photos if no CDN serves them, the feed, and without the site the
 * pages of errors and changes.
 */
export function serveDocuments(services: Services, limits: CallerLimits): HttpMiddleware {
  const { config } = services;
  const serveFeed = createFeed(config);
  const pages = new Map<string, DocumentPage>();
  const readPage = (language: Language, path: string): DocumentPage | undefined => {
    if (pages.size === 0)
      for (const each of LANGUAGES)
        for (const page of documentPages(config.siteUrl, each)) pages.set(pathIn(each, page.path), page);
    return pages.get(pathIn(language, path));
  };

  return async (context, next) => {
    if (context.method !== 'GET' && context.method !== 'HEAD') return next();
    const photo = PHOTO.exec(context.path)?.[1];
    if (photo !== undefined) return servePhoto(context, services, photo);
    if (serveFeed(context)) return;
    const ad = AD.exec(context.path)?.[1];
    if (ad !== undefined) {
      const { ip = null } = context.state;
      await enforceRateLimit(limits.pageViews.wait(ip), 'Too many links were followed from your address.');
      limits.pageViews.take(ip);
      return redirectToAd(context, services, Number(ad));
    }
    // The site serves these with its menu.
    if (config.hasSite) return next();
    const { language, path } = readLanguage(context.path);
    const error = ERROR.exec(path)?.[1];
    if (error !== undefined) return redirect(context, 308, `${pathIn(language, '/docs/errors')}#${error}`);
    const page = readPage(language, path);
    return page ? sendPlainPage(context, language, page) : next();
  };
}

/** Or to the page of the listing, if the source provides no public URL. Feeds are untrusted, also those of earlier releases. */
async function redirectToAd(
  context: Context,
  { pool, config }: Pick<Services, 'pool' | 'config'>,
  id: number,
): Promise<void> {
  const [ad] = await sql.readRows(
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
  redirect(context, 302, (ad.url && publicLink(ad.url)) ?? `${config.siteUrl}/listings/${id}`);
}
