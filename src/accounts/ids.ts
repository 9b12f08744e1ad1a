import type { RandomBytes } from './keys.ts';

/** Public ids, `org_<hex>` and the like: unguessable, and they say what they name. */
export type IdPrefix = 'org' | 'key' | 'prj' | 'mem' | 'aud' | 'exp';

export const newId = (prefix: IdPrefix, random: RandomBytes): string =>
  `${prefix}_${Buffer.from(random(12)).toString('hex')}`;
