import { doubled } from '../doubled.ts';
import type { Ad, AdSet } from './ads.ts';
import { Candidates } from './pairs.ts';
import {
  AMBIGUOUS,
  areTwoUnits,
  DIFFERENT_PROPERTY,
  MIN_MEAN_SCORE,
  SAME_PROPERTY,
  type Shared,
  similarity,
} from './score.ts';

/** Maximum number of ads in a cluster. Larger clusters are chains of similar ads. */
const MAX_CLUSTER = 24;
/** Maximum number of pairs that are kept per ad, those with the highest scores, which bounds memory. */
const MAX_PAIRS = 2 * MAX_CLUSTER;

/**
 * Clusters the ads by property. Returns for each ad the index of the ad that represents its property, possibly its own.
 * Merges pairs in descending order of score, and merges two clusters only if no two of their ads clearly differ. Pure;
 * the order of ads does not affect the result.
 */
export function findDuplicates(set: AdSet): Int32Array {
  const leaders = Int32Array.from({ length: set.size }, (_, index) => index);
  const groups = new Map<number, number[]>();
  const groupOf = (index: number): number[] => groups.get(leaders[index] as number) ?? [index];
  for (const [i, j] of pairsByScore(set)) {
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

/** Calls `visit` for every candidate pair, some in both directions, and `done` after the last pair of each ad. */
function forEachCandidate(set: AdSet, visit: (i: number, j: number, shared: Shared) => void, done?: () => void): void {
  const candidates = new Candidates(set);
  const seen = new Int32Array(set.size).fill(-1);
  for (let index = 0; index < set.size; index++) {
    const once = (other: number): void => {
      if (other === index || seen[other] === index) return;
      seen[other] = index;
      visit(index, other, candidates.shared(index, other));
    };
    candidates.visit(
      index,
      // Both ads find each other, so the pair is visited only from the ad with the lower index.
      (other) => {
        if (other > index) once(other);
      },
      once,
    );
    done?.();
  }
}

/** Returns the pairs that count as one property, in descending order of score. */
function pairsByScore(set: AdSet): Iterable<readonly [i: number, j: number]> {
  const pairs = new PairList(set);
  let found: { other: number; score: number }[] = [];
  let index = 0;
  forEachCandidate(
    set,
    (i, j, shared) => {
      const score = similarity(set, i, j, SAME_PROPERTY, shared);
      if (score >= SAME_PROPERTY) found.push({ other: j, score });
    },
    () => {
      if (found.length > MAX_PAIRS) {
        found.sort((a, b) => b.score - a.score || idOf(set, a.other) - idOf(set, b.other));
        found.length = MAX_PAIRS;
      }
      for (const { other, score } of found) pairs.push(index, other, score);
      found = [];
      index++;
    },
  );
  return pairs.sorted(pairs.ambiguous());
}

const idOf = ({ ads }: AdSet, index: number): number => (ads[index] as Ad).id;

/** Pairs and their scores in typed arrays, because there may be a million similar pairs. */
class PairList {
  readonly #set: AdSet;
  #length = 0;
  #ends = new Int32Array(512);
  #scores = new Float64Array(256);

  constructor(set: AdSet) {
    this.#set = set;
  }

  push(i: number, j: number, score: number): void {
    if (this.#length === this.#scores.length) {
      this.#ends = doubled(this.#ends);
      this.#scores = doubled(this.#scores);
    }
    const inOrder = idOf(this.#set, i) < idOf(this.#set, j);
    this.#ends[2 * this.#length] = inOrder ? i : j;
    this.#ends[2 * this.#length + 1] = inOrder ? j : i;
    this.#scores[this.#length++] = score;
  }

  /** Marks with 1 the pairs of an ad that fits two homes about equally well, such as units with one floor plan. */
  ambiguous(): Uint8Array {
    const found = new Uint8Array(this.#length);
    const { size } = this.#set;
    const ends = new Int32Array(size + 1);
    for (let at = 0; at < 2 * this.#length; at++) {
      const ad = (this.#ends[at] as number) + 1;
      ends[ad] = (ends[ad] as number) + 1;
    }
    for (let ad = 0; ad < size; ad++) ends[ad + 1] = (ends[ad + 1] as number) + (ends[ad] as number);
    const places = new Int32Array(2 * this.#length);
    const next = ends.slice();
    for (let at = 0; at < 2 * this.#length; at++) {
      const ad = this.#ends[at] as number;
      places[next[ad] as number] = at;
      next[ad] = (next[ad] as number) + 1;
    }
    for (let ad = 0; ad < size; ad++) {
      const own = places.subarray(ends[ad], ends[ad + 1]);
      // Compares only the pairs with the highest scores, which bounds the work.
      const idOfOther = (at: number): number => idOf(this.#set, this.#ends[at ^ 1] as number);
      own.sort(
        (a, b) => (this.#scores[b >> 1] as number) - (this.#scores[a >> 1] as number) || idOfOther(a) - idOfOther(b),
      );
      const most = Math.min(own.length, MAX_CLUSTER);
      for (let first = 0; first < most; first++)
        for (let second = first + 1; second < most; second++) {
          const [a, b] = [own[first] as number, own[second] as number];
          if ((this.#scores[a >> 1] as number) - (this.#scores[b >> 1] as number) > AMBIGUOUS) break;
          const [one, other] = [this.#ends[a ^ 1] as number, this.#ends[b ^ 1] as number];
          // The pair may have been found in both directions.
          if (one === other || !areTwoUnits(this.#set, one, other)) continue;
          found[a >> 1] = 1;
          found[b >> 1] = 1;
        }
    }
    return found;
  }

  /** Yields pairs by descending score, then older ads first. @param leftOut marks excluded pairs with 1 */
  *sorted(leftOut: Uint8Array): Generator<readonly [i: number, j: number]> {
    const id = (at: number, end: 0 | 1): number => idOf(this.#set, this.#ends[2 * at + end] as number);
    const order = Uint32Array.from({ length: this.#length }, (_, at) => at).sort(
      (a, b) => (this.#scores[b] as number) - (this.#scores[a] as number) || id(a, 0) - id(b, 0) || id(a, 1) - id(b, 1),
    );
    for (const at of order)
      if (leftOut[at] === 0) yield [this.#ends[2 * at] as number, this.#ends[2 * at + 1] as number];
  }
}

/** Returns whether two clusters may be merged: their pairs have a high mean score, and no two ads clearly differ. */
function areCompatible(set: AdSet, left: readonly number[], right: readonly number[]): boolean {
  let sum = 0;
  for (const i of left) {
    for (const j of right) {
      const score = similarity(set, i, j);
      if (score < DIFFERENT_PROPERTY) return false;
      sum += score;
    }
  }
  return sum >= MIN_MEAN_SCORE * left.length * right.length;
}

/**
 * Returns whether ad `a` is preferred over ad `b` to represent their property: ads that can be served take precedence,
 * then the oldest ad. The previous representative is irrelevant, so that the listings of a source are restored when the
 * source returns.
 */
function isPreferred({ ads }: AdSet, a: number, b: number): boolean {
  const left = ads[a] as Ad;
  const right = ads[b] as Ad;
  if (left.servable !== right.servable) return left.servable;
  return left.id < right.id;
}
