import type { Admitted } from '#metering/charge.ts';
import { compress, type Encoding } from './compress.ts';
import type { HttpContext } from './context.ts';
import type { EndpointResponse } from './endpoint.ts';

/** A response that only has to be sent. */
interface Rendered extends Pick<EndpointResponse, 'status' | 'headers'> {
  bytes: Uint8Array;
  encoding?: Encoding;
}

/** Renders the body of a response: bytes unchanged, other values as JSON. */
function serialize({ res }: HttpContext, answer: EndpointResponse): Rendered {
  const { status = 200, headers = {}, bytes, free } = answer;
  if (free) res.once('close', free);
  if (!bytes) return { status, headers, bytes: Buffer.from(JSON.stringify(answer.body)) };
  const [only] = bytes;
  return { status, headers, bytes: only && bytes.length === 1 ? only : Buffer.concat(bytes) };
}

/** Renders and compresses a response, so that it can be sent as soon as its call is charged. */
export async function render(context: HttpContext, answer: EndpointResponse): Promise<Rendered> {
  const rendered = serialize(context, answer);
  return { ...rendered, ...(await compress(context, rendered.bytes)) };
}

export function send(context: HttpContext, { status = 200, headers = {}, bytes, encoding }: Rendered): void {
  context.status = status;
  context.set(headers);
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
