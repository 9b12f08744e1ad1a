import type { Admitted } from '#metering/charge.ts';
import type { HttpContext } from './context.ts';
import type { EndpointResponse } from './endpoint.ts';

/** Writes a response. Bytes are sent unchanged, other values as JSON. */
export function respond(context: HttpContext, answer: EndpointResponse): void {
  context.status = answer.status ?? 200;
  if (answer.headers) context.set(answer.headers);
  context.set('Content-Type', 'application/json; charset=utf-8');
  const { bytes, free } = answer;
  if (free) context.res.once('close', free);
  if (!bytes) context.body = Buffer.from(JSON.stringify(answer.body));
  else context.body = bytes.length === 1 ? bytes[0] : Buffer.concat(bytes);
}

/** Writes the response to a charged call. */
export function respondMetered(context: HttpContext, answer: EndpointResponse, charged: Admitted): void {
  respond(context, answer);
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
