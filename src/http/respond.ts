import type { Admitted } from '#metering/charge.ts';
import { compress, type Encoding } from './compress.ts';
import type { HttpContext } from './context.ts';
import type { EndpointResponse } from './endpoint.ts';
import { allowCaching, hasTag, tagOf } from './validators.ts';

/** A response that only has to be sent. */
interface Rendered extends Pick<EndpointResponse, 'status' | 'headers'> {
  bytes: Uint8Array;
  encoding?: Encoding;
  /** Entity tag, if clients may cache the response. */
  tag?: string;
}

/** Renders the body of a response: bytes unchanged, other values as JSON. */
function serialize({ res, state }: HttpContext, answer: EndpointResponse): Rendered {
  const { status = 200, headers = {}, free } = answer;
  if (free) res.once('close', free);
  const bytes = bytesOf(answer);
  return { status, headers, bytes, ...(state.endpoint?.caching && status === 200 ? { tag: tagOf(bytes) } : {}) };
}

function bytesOf({ bytes, body }: EndpointResponse): Uint8Array {
  if (!bytes) return Buffer.from(JSON.stringify(body));
  const [only] = bytes;
  return only && bytes.length === 1 ? only : Buffer.concat(bytes);
}

/** Returns whether the client has the response already. */
export const isUnchanged = (context: HttpContext, { tag }: Rendered): boolean =>
  tag !== undefined && hasTag(context, tag);

/** Renders and compresses a response, so that it can be sent as soon as its call is charged. */
export async function render(context: HttpContext, answer: EndpointResponse): Promise<Rendered> {
  const rendered = serialize(context, answer);
  return isUnchanged(context, rendered) ? rendered : { ...rendered, ...(await compress(context, rendered.bytes)) };
}

export function send(context: HttpContext, rendered: Rendered): void {
  const { status = 200, headers = {}, bytes, encoding, tag } = rendered;
  const { caching } = context.state.endpoint ?? {};
  if (caching && tag !== undefined) allowCaching(context, caching, tag);
  context.set(headers);
  if (isUnchanged(context, rendered)) {
    context.status = 304;
    return;
  }
  context.status = status;
  context.set('Content-Type', 'application/json; charset=utf-8');
  if (encoding) {
    context.vary('Accept-Encoding');
    context.set('Content-Encoding', encoding);
  }
  context.body = bytes;
}

/** Writes a response, which `compressResponses` may compress. */
export const respond = (context: HttpContext, answer: EndpointResponse): void =>
  send(context, serialize(context, answer));

/** Sets the headers of a charged call. */
export function setMeteringHeaders(context: HttpContext, charged: Admitted): void {
  if (charged.kind === 'admin') return;
  context.state.units = charged.units;
  context.set('X-Request-Units', String(charged.units));
  if (charged.rate_limit !== null) {
    context.set('RateLimit-Limit', String(charged.rate_limit));
    context.set('RateLimit-Remaining', String(charged.rate_remaining));
    context.set('RateLimit-Reset', String(charged.rate_reset));
  }
  if (charged.quota_limit !== null) {
    context.set('X-Quota-Limit', String(charged.quota_limit));
    context.set('X-Quota-Remaining', String(charged.quota_remaining));
    context.set('X-Quota-Reset', String(charged.quota_reset));
  }
}
