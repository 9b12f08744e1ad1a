import type { HttpContext } from './context.ts';
import { ApiError } from './errors/api-error.ts';

/**
 * Forms of the site are sent from its own pages. Browsers state the origin of a request, and scripts cannot change it.
 * @throws ApiError method_not_allowed, forbidden_action
 */
export function requireSameOrigin(context: HttpContext, siteUrl: string): void {
  if (context.method !== 'POST') throw new ApiError('method_not_allowed', { headers: { Allow: 'POST' } });
  const site = context.get('Sec-Fetch-Site');
  if (site === '' ? context.get('Origin') === new URL(siteUrl).origin : site === 'same-origin') return;
  throw new ApiError('forbidden_action', {
    message: `The form was not sent from a page of ${siteUrl}. Open the page there and send the form again.`,
  });
}
