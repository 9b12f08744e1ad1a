import type { Context } from 'koa';
import { hideFromScripts, send } from '#src/documents/send-document.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { enforceRateLimit } from '#src/http/limits/enforce-rate-limit.ts';
import { RateLimit } from '#src/metering/rate-limit.ts';
import { PAGE_SIZE } from './explorer-place.ts';
import type { Site } from './page.ts';
import type { Visitors } from './visitors.ts';

export const SESSION_PATH = '/explorer/api';
/** Sessions at their limit per address, for example of one office. */
const SESSIONS_PER_ADDRESS = 4;
/** Seconds for which browsers may cache places, names and boundaries. */
const REFERENCE_MAX_AGE = 300;

export interface ExplorerOperation {
  path: string;
  parameters: readonly string[];
  isFree: boolean;
  /** Number of calls that it counts as in the limits. */
  calls: number;
  isReference: boolean;
}

/**
 * Sends requests of pages without a key to the API, for the operations of the Free plan and estimates. Visitors are
 * limited by session and by address. Returns false for other paths.
 */
export function createExplorerSession(visitors: Visitors, { siteUrl }: Site['config'], callsPerMinute: number) {
  const bySession = new RateLimit(callsPerMinute);
  const byAddress = new RateLimit(callsPerMinute * SESSIONS_PER_ADDRESS);

  return async (context: Context, operations: () => Promise<readonly ExplorerOperation[]>): Promise<boolean> => {
    if (!context.path.startsWith(`${SESSION_PATH}/`)) return false;
    hideFromScripts(context);
    context.set('X-Robots-Tag', 'noindex');
    const path = context.path.slice(SESSION_PATH.length);
    const operation = (await operations()).find((each) => each.isFree && patternOf(each.path).test(path));
    if (!operation) throw new ApiError('route_not_found');
    const { ip = null } = context.state as { ip?: string | null };
    const session = visitors.sessionOf(context);
    if (session === null) {
      const pages = `Reload the page in a browser that accepts cookies, or open ${siteUrl}/explorer`;
      const key = `Programs call the API with a key: ${siteUrl}/pricing#key`;
      const message = `This path is for pages of the site, which issue a session, and the request has no valid one. ${pages}. ${key}.`;
      throw new ApiError('missing_api_key', { message, headers: { 'Cache-Control': 'no-store' } });
    }
    const wait = Math.max(bySession.wait(session), byAddress.wait(ip));
    await enforceRateLimit(wait, 'Too many requests without a key from your browser or address.');
    bySession.take(session, operation.calls);
    byAddress.take(ip, operation.calls);
    const query = new URLSearchParams(context.querystring);
    // Larger pages need a key.
    if (Number(query.get('limit')) > PAGE_SIZE) query.set('limit', String(PAGE_SIZE));
    await visitors.count(context, async (api) => {
      const { status, headers, text } = await api.send(`/v1${path}${query.size === 0 ? '' : `?${query}`}`);
      send(context, 'application/json', text);
      context.set(
        'Cache-Control',
        status === 200 && operation.isReference ? `private, max-age=${REFERENCE_MAX_AGE}` : 'no-store',
      );
      const retryAfter = headers['retry-after'];
      if (retryAfter !== undefined) context.set('Retry-After', retryAfter);
      context.status = status;
    });
    return true;
  };
}

/** Parameters of paths are ids and slugs of cities. */
const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/\{(\w+)\}/g, (_, name) => (name === 'city' ? '[a-z_]{1,60}' : '\\d{1,15}'))}$`);
