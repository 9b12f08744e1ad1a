import { createHmac, timingSafeEqual } from 'node:crypto';

/** Maximum difference in seconds between the signature's timestamp and the receiver's clock. */
const TOLERANCE = 300;

/**
 * Verifies a delivery in the same way as a receiver. Returns whether the body was recently signed with one of the
 * secrets.
 * @param header value of the `Service-Signature` header
 * @param body raw body bytes
 * @param now epoch seconds
 */
export function isSigned(header: string, body: Uint8Array, secrets: readonly string[], now: number): boolean {
  const parts = header.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d+$/.test(time) || Math.abs(now - Number(time)) > TOLERANCE) return false;
  const given = parts.flatMap(([name, value]) => (name === 'v1' && value ? [Buffer.from(value, 'hex')] : []));
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
    return given.some((digest) => digest.length === expected.length && timingSafeEqual(digest, expected));
  });
}
