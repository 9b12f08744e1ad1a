import { addTo } from '#domain/multimap.ts';
import type { ComparableAd } from './ads.ts';
import { Candidates } from './pairs.ts';
import { AMBIGUOUS, areTwoUnits, DIFFERENT_PROPERTY, MIN_MEAN_SCORE, SAME_PROPERTY, similarity } from './score.ts';

/** Larger clusters are chains of similar ads. */
const MAX_CLUSTER = 24;
/** Per ad, which bounds memory. */
const MAX_PAIRS = 2 * MAX_CLUSTER;

/**
 * Returns for each ad of the set the ad that represents its property, possibly itself. Merges pairs in descending order
 * of score, and two clusters only if no two of their ads clearly differ. Pure; the order of ads does not affect the
 * result.
 */
export function findDuplicates(set: readonly ComparableAd[]): ComparableAd[] {
  const groups = set.map((ad) => [ad]);
  const groupOf = ({ at }: ComparableAd): ComparableAd[] => groups[at] as ComparableAd[];
  for (const { older, newer, isAmbiguous } of pairsByScore(set)) {
    const [left, right] = [groupOf(older), groupOf(newer)];
    if (isAmbiguous || left === right || left.length + right.length > MAX_CLUSTER) continue;
    if (!areCompatible(left, right)) continue;
    const joined = [...left, ...right];
    for (const { at } of joined) groups[at] = joined;
  }
  const leaders = new Map([...new Set(groups)].map((group) => [group, group.reduce(preferred)]));
  return groups.map((group) => leaders.get(group) as ComparableAd);
}

interface Pair {
  older: ComparableAd;
  newer: ComparableAd;
  score: number;
  /** Whether one of the ads fits two homes about equally well, such as units with one floor plan. */
  isAmbiguous: boolean;
}

const byScore = (a: Pair, b: Pair): number => b.score - a.score || a.older.id - b.older.id || a.newer.id - b.newer.id;

/** Returns the pairs that count as one property, in descending order of score, then older ads first. */
function pairsByScore(set: readonly ComparableAd[]): Pair[] {
  const candidates = new Candidates(set);
  const pairs: Pair[] = [];
  for (const ad of set) {
    const found: Pair[] = [];
    for (const other of candidates.of(ad)) {
      const score = similarity(ad, other, SAME_PROPERTY);
      const [older, newer] = ad.id < other.id ? [ad, other] : [other, ad];
      if (score >= SAME_PROPERTY) found.push({ older, newer, score, isAmbiguous: false });
    }
    if (found.length > MAX_PAIRS) found.sort(byScore);
    pairs.push(...found.slice(0, MAX_PAIRS));
  }
  pairs.sort(byScore);
  markAmbiguous(pairs);
  return pairs;
}

/** @param pairs in descending order of score */
function markAmbiguous(pairs: readonly Pair[]): void {
  const pairsOf = new Map<ComparableAd, Pair[]>();
  for (const pair of pairs) for (const ad of [pair.older, pair.newer]) addTo(pairsOf, ad, pair);
  for (const [ad, all] of pairsOf) {
    const otherOf = ({ older, newer }: Pair): ComparableAd => (older === ad ? newer : older);
    // Compares only the pairs with the highest scores, which bounds the work.
    const own = all.slice(0, MAX_CLUSTER);
    for (const [at, pair] of own.entries())
      for (const rival of own.slice(at + 1)) {
        if (pair.score - rival.score > AMBIGUOUS) break;
        const [one, other] = [otherOf(pair), otherOf(rival)];
        // The pair may have been found in both directions.
        if (one === other || !areTwoUnits(one, other)) continue;
        pair.isAmbiguous = true;
        rival.isAmbiguous = true;
      }
  }
}

function areCompatible(left: readonly ComparableAd[], right: readonly ComparableAd[]): boolean {
  let sum = 0;
  for (const a of left) {
    for (const b of right) {
      const score = similarity(a, b);
      if (score < DIFFERENT_PROPERTY) return false;
      sum += score;
    }
  }
  return sum >= MIN_MEAN_SCORE * left.length * right.length;
}

/**
 * Ads that can be served take precedence, then the oldest ad. The previous representative is irrelevant, so that the
 * listings of a source are restored when the source returns.
 */
function preferred(a: ComparableAd, b: ComparableAd): ComparableAd {
  if (a.servable !== b.servable) return a.servable ? a : b;
  return a.id < b.id ? a : b;
}
