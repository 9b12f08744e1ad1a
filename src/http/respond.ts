import { isAdminKind } from '#src/accounts/keys.ts';
import type { Admitted } from '#src/metering/charge-statement.ts';
import { compress, type Encoding } from './compress.ts';
import type { HttpContext } from './context.ts';
import { digestOf } from './digest.ts';
import type { Caching, Deprecation, Endpoint, EndpointResponse } from './endpoint.ts';

const CACHE_CONTROL: Readonly<Record<Caching, string>> = {
  fresh: 'private, max-age=300',
  validate: 'private, no-cache',
};
const TAG_LENGTH = 22;

interface Rendered extends Pick<EndpointResponse, 'status' | 'headers' | 'type'> {
  bytes: Uint8Array;
  encoding?: Encoding;
  /** Weak, because compressed bodies have the same tag. */
  tag?: string | undefined;
}

function serialize(
  { state }: HttpContext,
  { status = 200, headers = {}, type, ...answer }: EndpointResponse,
): Rendered {
  const bytes = bytesOf(answer);
  if (!state.endpoint?.caching || status !== 200) return { status, headers, type, bytes };
  return { status, headers, bytes, tag: `W/"${digestOf(bytes).slice(0, TAG_LENGTH)}"` };
}

/** A single piece is not copied, so that the digest of a document is computed once. */
function bytesOf({ bytes, body }: Pick<EndpointResponse, 'bytes' | 'body'>): Uint8Array {
  if (!bytes) return Buffer.from(JSON.stringify(body));
  const [only] = bytes;
  return only !== undefined && bytes.length === 1 ? only : Buffer.concat(bytes);
}

/** Opaque part of an entity tag, which may contain commas. */
const ENTITY_TAG = /"[^"]*"/g;

/** Weak and strong tags match. `*` matches no tag, because it would match every response. */
export function isUnchanged(context: HttpContext, { tag }: Rendered): boolean {
  const header = context.get('If-None-Match');
  if (tag === undefined || header === '') return false;
  return (header.match(ENTITY_TAG) ?? []).some((each) => each === tag.slice(2));
}

/** The response can be sent as soon as its call is charged. */
export async function render(context: HttpContext, answer: EndpointResponse): Promise<Rendered> {
  const rendered = serialize(context, answer);
  return isUnchanged(context, rendered) ? rendered : { ...rendered, ...(await compress(context, rendered.bytes)) };
}

export function send(context: HttpContext, rendered: Rendered): void {
  const { status = 200, headers = {}, type = 'application/json', bytes, encoding, tag } = rendered;
  const { caching } = context.state.endpoint ?? {};
  if (caching && tag !== undefined) {
    context.set({ ETag: tag, 'Cache-Control': CACHE_CONTROL[caching] });
    context.vary('Authorization');
  }
  context.set(headers);
  if (isUnchanged(context, rendered)) {
    context.status = 304;
    return;
  }
  context.status = status;
  context.set('Content-Type', `${type}; charset=utf-8`);
  if (encoding) {
    context.vary('Accept-Encoding');
    context.set('Content-Encoding', encoding);
  }
  context.body = bytes;
}

/** Without the entity tag and lifetime of the responses of the endpoint. */
export const sendUncached = (context: HttpContext, answer: EndpointResponse): void =>
  send(context, { ...serialize(context, answer), tag: undefined });

export const respond = (context: HttpContext, answer: EndpointResponse): void =>
  send(context, serialize(context, answer));

export function setMeteringHeaders(context: HttpContext, charged: Admitted): void {
  if (isAdminKind(charged.kind)) return;
  context.state.units = charged.units;
  context.set('X-Request-Units', String(charged.units));
  const setLimit = (prefix: string, limit: number | null, remaining: number | null, reset: number | null): void => {
    for (const [name, value] of Object.entries({ Limit: limit, Remaining: remaining, Reset: reset }))
      if (value !== null) context.set(`${prefix}-${name}`, `${value}`);
  };
  setLimit('RateLimit', charged.rate_limit, charged.rate_remaining, charged.rate_reset);
  setLimit('X-Quota', charged.quota_limit, charged.quota_remaining, charged.quota_reset);
}

/** Sets the deprecation headers, also of errors. */
export function announceDeprecations(
  context: HttpContext,
  { deprecated, parameters }: Endpoint,
  query: URLSearchParams,
  siteUrl: string,
): void {
  const ofParameters = parameters.flatMap((each) => (each.deprecated && query.has(each.name) ? each.deprecated : []));
  const found = [deprecated ?? [], ofParameters].flat();
  if (found.length > 0) context.set(deprecationHeaders(found, siteUrl));
}

/**
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` to the changelog. Several deprecations share the earliest
 * dates.
 */
function deprecationHeaders(found: readonly Deprecation[], siteUrl: string): Record<string, string> {
  const sunsets = found.flatMap(({ sunset }) => sunset ?? []);
  const links = new Set(
    found.flatMap(({ entry, sunset }) =>
      (sunset === null ? ['deprecation'] : ['deprecation', 'sunset']).map(
        (relation) => `<${siteUrl}/changelog#${entry}>; rel="${relation}"; type="text/html"`,
      ),
    ),
  );
  return {
    Deprecation: `@${Math.min(...found.map(({ since }) => since)) / 1_000}`,
    ...(sunsets.length > 0 ? { Sunset: new Date(Math.min(...sunsets)).toUTCString() } : {}),
    Link: [...links].join(', '),
  };
}
