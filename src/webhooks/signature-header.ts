import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `<t>.<body>`, with a `v1` for each valid secret.
 * @param seconds time of the attempt
 */
export function signatureHeader(body: string, secrets: readonly string[], seconds: number): string {
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${digestOf(secret, seconds, body).toString('hex')}`)].join(
    ',',
  );
}

const digestOf = (secret: string, seconds: number | string, body: string | Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest();

/** The form of Standard Webhooks. Secrets of earlier releases are base64url, until the next rotation. */
const STANDARD_SECRET = /^whsec_([A-Za-z0-9+/]{43}=)$/;

/**
 * Returns the headers of Standard Webhooks (standardwebhooks.com); none without a secret in its form.
 * @param seconds time of the attempt
 */
export function standardHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  seconds: number,
): Readonly<Record<string, string>> {
  const signatures = secrets.flatMap((secret) => {
    const [, key] = STANDARD_SECRET.exec(secret) ?? [];
    if (key === undefined) return [];
    const digest = createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${seconds}.${body}`).digest('base64');
    return [`v1,${digest}`];
  });
  if (signatures.length === 0) return {};
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}

/** In seconds. */
const TOLERANCE = 300;

/**
 * Verifies a delivery as a receiver does.
 * @param header value of `Service-Signature`
 * @param now epoch seconds
 */
export function isSigned(header: string, body: Uint8Array, secrets: readonly string[], now: number): boolean {
  const parts = header.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d+$/.test(time) || Math.abs(now - Number(time)) > TOLERANCE) return false;
  const given = parts.flatMap(([name, value]) => (name === 'v1' && value ? [Buffer.from(value, 'hex')] : []));
  return secrets.some((secret) => {
    const expected = digestOf(secret, time, body);
    return given.some((digest) => digest.length === expected.length && timingSafeEqual(digest, expected));
  });
}
