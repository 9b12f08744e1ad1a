import type { Ad, AdSet } from './ads.ts';
import { forEachCandidate } from './pairs.ts';
import { DIFFERENT_PROPERTY, SAME_PROPERTY, similarity } from './score.ts';
import { ScoreBound } from './score-bound.ts';

/** A property seldom has more ads than there are sources; a larger cluster is a chain of look-alikes. */
const MAX_CLUSTER = 24;

/**
 * Which ads are of one property: for each ad the index of the ad that represents its property, which may be its own.
 * Pairs are joined from the highest score down, and two groups only when no two of their ads are clearly different.
 * Pure; the order of the ads makes no difference.
 */
export function findDuplicates(set: AdSet): Int32Array {
  const leaders = Int32Array.from({ length: set.size }, (_, index) => index);
  const groups = new Map<number, number[]>();
  const groupOf = (index: number): number[] => groups.get(leaders[index] as number) ?? [index];
  for (const { i, j } of pairsByScore(set)) {
    if (leaders[i] === leaders[j]) continue;
    const left = groupOf(i);
    const right = groupOf(j);
    if (left.length + right.length > MAX_CLUSTER || !areCompatible(set, left, right)) continue;
    const joined = [...left, ...right];
    const leader = joined.reduce((best, index) => (isPreferred(set, index, best) ? index : best));
    groups.delete(leaders[i] as number);
    groups.delete(leaders[j] as number);
    groups.set(leader, joined);
    for (const index of joined) leaders[index] = leader;
  }
  return leaders;
}

interface Pair {
  i: number;
  j: number;
  score: number;
}

/** Pairs that are taken for one property, the highest score first. */
function pairsByScore(set: AdSet): Pair[] {
  const pairs: Pair[] = [];
  const bound = new ScoreBound(set);
  forEachCandidate(set, (i, j) => {
    if (!bound.allows(i, j)) return;
    const score = similarity(set, i, j);
    if (score >= SAME_PROPERTY) pairs.push({ i, j, score });
  });
  const low = ({ i, j }: Pair) => Math.min((set.ads[i] as Ad).id, (set.ads[j] as Ad).id);
  const high = ({ i, j }: Pair) => Math.max((set.ads[i] as Ad).id, (set.ads[j] as Ad).id);
  return pairs.sort((a, b) => b.score - a.score || low(a) - low(b) || high(a) - high(b));
}

/** Whether two groups may be joined: on average their ads are alike, and no two are clearly different. */
function areCompatible(set: AdSet, left: readonly number[], right: readonly number[]): boolean {
  let sum = 0;
  for (const i of left) {
    for (const j of right) {
      const score = similarity(set, i, j);
      if (score < DIFFERENT_PROPERTY) return false;
      sum += score;
    }
  }
  return sum >= (SAME_PROPERTY / 2) * left.length * right.length;
}

/**
 * Whether an ad rather than another represents their property: one that can be served, then one that was served already,
 * so that ids seldom change, then the oldest.
 */
function isPreferred({ ads }: AdSet, a: number, b: number): boolean {
  const left = ads[a] as Ad;
  const right = ads[b] as Ad;
  if (left.servable !== right.servable) return left.servable;
  if (left.wasServed !== right.wasServed) return left.wasServed;
  return left.id < right.id;
}
