import type { Context } from 'koa';
import { ApiError } from '#http/errors/api-error.ts';
import { readRows } from '#postgres/read-rows.ts';
import * as sql from '#postgres/rows.ts';
import type { Services } from '#src/services.ts';
import { redirect } from './send.ts';

/** Redirects to a listing's original ad, or to the listing page if the source provides no URL. */
export async function redirectToAd(
  context: Context,
  { pool, config }: Pick<Services, 'pool' | 'config'>,
  id: number,
): Promise<void> {
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

/** Returns the URL in ASCII, as a header needs it; null if a browser cannot open it. */
function addressOf(url: string | null): string | null {
  // Feeds are untrusted, so only http(s) URLs are used.
  const address = url === null ? null : URL.parse(url);
  return address !== null && /^https?:$/.test(address.protocol) ? address.href : null;
}
