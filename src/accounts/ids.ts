import type { RandomBytes } from './keys.ts';

/** Prefix of a public id such as `org_<hex>`. The prefix indicates the type of the object; the remainder is random. */
export type IdPrefix = 'org' | 'key' | 'prj' | 'mem' | 'aud' | 'exp' | 'whk' | 'dlv' | 'evt';

export const newId = (prefix: IdPrefix, random: RandomBytes): string =>
  `${prefix}_${Buffer.from(random(12)).toString('hex')}`;
