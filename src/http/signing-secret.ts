import { createHmac, timingSafeEqual } from 'node:crypto';

/** The id identifies the secret in what it signed, so that secrets can be rotated. */
export interface SigningSecret {
  id: string;
  secret: string;
}

export const SIGNATURE_BYTES = 16;

export const signatureOf = (payload: Buffer, secret: string): Buffer =>
  createHmac('sha256', secret).update(payload).digest().subarray(0, SIGNATURE_BYTES);

/** @param signature of `SIGNATURE_BYTES` */
export const isSigned = (payload: Buffer, signature: Buffer, id: string, secrets: readonly SigningSecret[]): boolean =>
  // Secrets that are derived from two peppers share an id.
  secrets.some((each) => each.id === id && timingSafeEqual(signatureOf(payload, each.secret), signature));
