import type { RandomBytes } from './keys.ts';

export type IdPrefix = 'org' | 'key' | 'prj' | 'mem' | 'aud' | 'exp' | 'whk' | 'dlv' | 'evt' | 'per' | 'ses' | 'con';

export const newId = (prefix: IdPrefix, random: RandomBytes): string =>
  `${prefix}_${Buffer.from(random(12)).toString('hex')}`;
