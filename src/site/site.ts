import type { Middleware } from 'koa';
import { ApiError } from '#domain/errors.ts';
import { postgresFailure } from '#postgres/failures.ts';
import type { Services } from '#src/services.ts';
import { createChangelog } from './changelog.ts';
import { errorDocsPage } from './error-docs.ts';
import { serveListingPage } from './listing-page.ts';
import { servePhoto } from './photo.ts';

/**
 * The part of the consumer site that the API process serves: a plain page for each listing, redirects to original ads,
 * the changelog, the error page, and photos when no CDN does.
 */
export function serveSite(services: Services): Middleware {
  const errorDocs = errorDocsPage(services.config.serviceName);
  const answerChangelog = createChangelog(services.config);
  return async (context, next) => {
    if (context.method !== 'GET' && context.method !== 'HEAD') return next();
    const ad = /^\/r\/(\d{1,15})$/.exec(context.path);
    if (ad) {
      const url = await originalAd(services, Number(ad[1]));
      if (url === null) throw new ApiError('listing_not_found');
      context.set('Location', url);
      context.set('Cache-Control', 'no-store');
      context.set('Referrer-Policy', 'no-referrer');
      context.body = '';
      // After the body: Koa turns an empty body into a 204.
      context.status = 302;
      return;
    }
    if (answerChangelog(context)) return;
    const page = /^\/listings\/([1-9]\d{0,14})$/.exec(context.path);
    if (page) return serveListingPage(context, services, Number(page[1]));
    if (context.path === '/docs/errors') {
      context.type = 'html';
      context.body = errorDocs;
      return;
    }
    const photo = /^\/cdn\/([A-Za-z0-9./-]{1,200})$/.exec(context.path);
    if (photo?.[1]) return servePhoto(context, services, photo[1]);
    await next();
  };
}

/** The URL of a live listing's ad at its source; null when there is none. */
async function originalAd(services: Services, id: number): Promise<string | null> {
  const { rows } = await services.pool
    .query<{ url: string | null }>({
      name: 'original-ad',
      text: 'select r.url from listings l join listing_records r on r.id = l.id where l.id = $1 and l.served',
      values: [id],
    })
    .catch((error: unknown) => {
      throw postgresFailure(error);
    });
  const url = rows[0]?.url ?? null;
  // Feeds are not trusted: only a web address may become a redirect.
  return url !== null && /^https?:\/\//.test(url) ? url : null;
}
