import { createHmac } from 'node:crypto';

/**
 * The value of `Service-Signature`: `t=<unix seconds>,v1=<hex>`, the HMAC-SHA256 of `<t>.<body>` under the secret. While
 * two secrets are in force there is a `v1` of each, so that a receiver may know either. Pure.
 * @param seconds the time of the attempt
 */
export function signatureHeader(body: string, secrets: readonly string[], seconds: number): string {
  const digests = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
  return [`t=${seconds}`, ...digests.map((digest) => `v1=${digest}`)].join(',');
}
