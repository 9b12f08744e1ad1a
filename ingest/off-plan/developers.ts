import { addTo } from '#domain/multimap.ts';
import { developerKey } from './names.ts';
import { skeletonOf, soundLikeness, soundsOf } from './phonetic-key.ts';

export interface StatedDeveloper {
  developer_en: string | null;
  developer_ar: string | null;
}

export interface Developers {
  /** Id of each stated developer; null if none is named. */
  ids: (number | null)[];
  /** By `developerKey`. */
  keys: Map<string, number>;
  /** By id, as first stated. */
  names: Map<number, { name_en: string | null; name_ar: string | null }>;
}

/**
 * All spellings of a name share one id, and so do the Arabic and English names that a source states together. If two
 * known developers are found to be the same, the older id is kept. Pure.
 * @param known ids by `developerKey`
 * @param stated oldest first
 * @param last the highest id that was ever assigned
 */
export function identifyDevelopers(
  known: ReadonlyMap<string, number>,
  stated: readonly StatedDeveloper[],
  last = 0,
): Developers {
  const keys = new Map(known);
  const names: Developers['names'] = new Map();
  let next = Math.max(last, ...known.values()) + 1;
  const keysOf = ({ developer_en, developer_ar }: StatedDeveloper): string[] =>
    [developer_en, developer_ar].flatMap((name) => (name === null ? [] : (developerKey(name) ?? [])));
  const all = stated.map(keysOf);
  const bySkeleton = new Map<string, SoundingKey[]>();
  const learn = (key: string): void =>
    addTo(bySkeleton, skeletonOf(soundsOfKey(key)), { key, sounds: soundsOfKey(key) });
  for (const key of known.keys()) learn(key);
  const compared = new Set<string>();
  for (const [index, own] of all.entries()) {
    if (own.length === 0) continue;
    const found = own.flatMap((key) => keys.get(key) ?? []);
    const fresh = own.filter((key) => !compared.has(key));
    for (const key of fresh) {
      const other = soundingLike(key, bySkeleton);
      if (other !== null) found.push(keys.get(other) as number);
    }
    for (const key of fresh) {
      compared.add(key);
      if (!keys.has(key)) learn(key);
    }
    const id = found.length > 0 ? Math.min(...found) : next++;
    for (const other of new Set(found)) {
      if (other === id) continue;
      for (const [key, holder] of keys) if (holder === other) keys.set(key, id);
    }
    for (const key of own) keys.set(key, id);
    const { developer_en, developer_ar } = stated[index] as StatedDeveloper;
    const held = names.get(id);
    names.set(id, { name_en: held?.name_en ?? developer_en, name_ar: held?.name_ar ?? developer_ar });
  }
  return { ids: all.map((own) => (own[0] === undefined ? null : (keys.get(own[0]) ?? null))), keys, names };
}

interface SoundingKey {
  key: string;
  sounds: string;
}

const ONE_NAME = 0.93;

const soundsOfKey = (key: string): string => soundsOf(key.slice(3));

/** In the other alphabet or in Latin spelling. */
function soundingLike(key: string, bySkeleton: ReadonlyMap<string, readonly SoundingKey[]>): string | null {
  const sounds = soundsOfKey(key);
  let [best, found]: [number, string | null] = [ONE_NAME, null];
  for (const other of bySkeleton.get(skeletonOf(sounds)) ?? []) {
    // Arabic names have a single spelling, so different Arabic keys are different names.
    if (other.key === key || (key.startsWith('ar:') && other.key.startsWith('ar:'))) continue;
    const likeness = soundLikeness(sounds, other.sounds);
    if (likeness < best || (likeness === best && found !== null)) continue;
    [best, found] = [likeness, other.key];
  }
  return found;
}
