import type { Context } from 'koa';
import type { Charge } from '#metering/charge.ts';
import type { Answer } from './endpoint.ts';

/** Headers of a metered success: the rate, and the quota unless the plan is unlimited. */
export function meteringHeaders(context: Context, charged: Charge): void {
  if (charged.kind === 'admin') return;
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

/** Writes an answer: bytes that are ready as they are, anything else as JSON. */
export function respond(context: Context, answer: Answer): void {
  context.status = answer.status ?? 200;
  if (answer.headers) context.set(answer.headers);
  context.set('Content-Type', 'application/json; charset=utf-8');
  const { bytes, free } = answer;
  if (free) context.res.once('close', free);
  if (!bytes) context.body = Buffer.from(JSON.stringify(answer.body));
  else context.body = bytes.length === 1 ? bytes[0] : Buffer.concat(bytes);
}
