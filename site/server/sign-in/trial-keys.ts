import type { HttpContext } from '#src/http/context.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { TRIAL_PATH } from '../auth-document.ts';
import type { Site } from '../page.ts';

/**
 * Responds to programs without an account, with a test key and the address at which a person claims it.
 * @throws ApiError method_not_allowed; route_not_found without self-service; forbidden_action for pages of other sites
 */
export async function serveTrialKeys({ config, signIn }: Site, context: HttpContext): Promise<boolean> {
  if (context.path !== TRIAL_PATH || !config.hasSelfService) return false;
  if (context.method !== 'POST') throw new ApiError('method_not_allowed', { headers: { Allow: 'POST' } });
  // Otherwise any page could take the trial key of its visitors.
  if (/^(cross|same)-site$/.test(context.get('Sec-Fetch-Site')))
    throw new ApiError('forbidden_action', { message: 'Pages of other sites cannot create trial keys.' });
  const { key, claim, expiresAt, units } = await signIn.createTrialKey(context.state.ip ?? null);
  context.status = 201;
  context.set({ 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  context.body = JSON.stringify({
    data: {
      key,
      expires_at: expiresAt.toISOString().replace(/\.\d+Z$/, 'Z'),
      units,
      base_url: config.baseUrl,
      claim_url: `${config.siteUrl}/claim?token=${claim}`,
    },
  });
  return true;
}
