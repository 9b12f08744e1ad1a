import { createHmac, timingSafeEqual } from 'node:crypto';

/** Maximum difference in seconds between the time of a signature and the receiver's clock. */
const TOLERANCE = 300;

/**
 * Verifies a delivery like a receiver: returns whether one of the secrets signed the body recently.
 * @param header value of `Service-Signature`
 * @param body raw bytes of the body
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
