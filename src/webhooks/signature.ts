import { createHmac } from 'node:crypto';

/**
 * Returns the value for the `Service-Signature` header: `t=<unix seconds>,v1=<hex>`, where `v1` is the HMAC-SHA256 of
 * `<t>.<body>` with the secret as the key. While two secrets are valid, there is a `v1` for each, so that a receiver
 * can verify with either. Pure.
 * @param seconds time of the attempt in epoch seconds
 */
export function signatureHeader(body: string, secrets: readonly string[], seconds: number): string {
  const digests = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
  return [`t=${seconds}`, ...digests.map((digest) => `v1=${digest}`)].join(',');
}
