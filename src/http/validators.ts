import { hash } from 'node:crypto';
import type { HttpContext } from './context.ts';
import type { Caching } from './endpoint.ts';

const MAX_AGE_S = 300;
const CACHE_CONTROL: Readonly<Record<Caching, string>> = {
  fresh: `private, max-age=${MAX_AGE_S}`,
  validate: 'private, no-cache',
};

const TAG_LENGTH = 22;

/** Returns the entity tag of a body. It is weak, because compressed bodies have the same tag. */
export const tagOf = (bytes: Uint8Array): string => `W/"${hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH)}"`;

/** Returns whether a request has the tag of its response, so that 304 is returned instead. */
export function hasTag(context: HttpContext, tag: string): boolean {
  const header = context.get('If-None-Match');
  if (header === '') return false;
  const strong = (each: string): string => each.trim().replace(/^W\//, '');
  return header.split(',').some((each) => each.trim() === '*' || strong(each) === strong(tag));
}

/** Sets the headers by which clients cache a response. */
export function allowCaching(context: HttpContext, caching: Caching, tag: string): void {
  context.set({ ETag: tag, 'Cache-Control': CACHE_CONTROL[caching] });
  context.vary('Authorization');
}
