import { createHmac, hash } from 'node:crypto';
import type { RandomBytes } from '#src/accounts/keys.ts';

const TOKEN_BYTES = 32;
const CODE_DIGITS = 6;

/** 256 random bits for links, cookies and claims. Only their digest is stored. */
export const newToken = (random: RandomBytes): string => Buffer.from(random(TOKEN_BYTES)).toString('base64url');

/** A token has enough entropy for a digest without a key. */
export const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer');

export const newCode = (random: RandomBytes): string =>
  String(Buffer.from(random(6)).readUIntBE(0, 6) % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');

/** A code can be guessed, so its digest depends on the pepper and on its link. */
export const digestOfCode = (code: string, tokenHash: Buffer, pepper: string): Buffer =>
  createHmac('sha256', pepper).update('sign-in code ').update(tokenHash).update(code.replace(/\D/g, '')).digest();
