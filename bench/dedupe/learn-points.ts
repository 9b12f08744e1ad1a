import type { Ad, AdSet } from '#ingest/identity/ads.ts';
import { forEachCandidate } from '#ingest/identity/cluster.ts';
import { POINTS, SAME_PROPERTY } from '#ingest/identity/points.ts';
import { evidenceOf, similarity } from '#ingest/identity/score.ts';
import { adSets } from '#ingest/identity/stage.ts';
import type { RunContext } from '#ingest/run/context.ts';
import type { HomeTruth } from './judge.ts';
import { type Example, learn } from './regression.ts';

interface PointsCheck {
  part: string;
  outcome: string;
  /** The points in use, and the points found by regression with their standard error. */
  points: number;
  learned: number;
  error: number;
  pairs: number;
  /** Pairs that belong to one property. */
  same: number;
}

export interface PointsLearned {
  rows: PointsCheck[];
  pairs: number;
  /** Pairs classified correctly by the points in use and by the learned points. */
  right: { points: number; learned: number };
  /** The intercept of the learned points, next to that of the points in use. */
  threshold: number;
}

/** Ridge penalty: keeps weights with few examples from growing large. */
const RIDGE = 5;
/** Pairs this far below the threshold are the majority and carry no information. */
const TOO_FAR = SAME_PROPERTY - 16;

export type Lesson = Example & { score: number };

const COLUMNS = new Map<string, number>([['all', 0]]);
for (const [part, outcomes] of Object.entries(POINTS))
  for (const outcome of Object.keys(outcomes)) COLUMNS.set(`${part} ${outcome}`, COLUMNS.size);

/** Indistinguishable units of one building form many pairs that carry little information about other homes. */
const WEIGHT_OF_UNITS = 0.05;

/**
 * Returns the compared pairs of the ads of a database with known ground truth.
 * @param truthOf returns the home of an ad by id; ads without a home are ignored
 * @param weight number of examples that a pair counts as
 */
export async function lessonsOf(
  context: Pick<RunContext, 'pool' | 'signal'>,
  truthOf: (id: number) => HomeTruth | undefined,
  weight: number,
): Promise<Lesson[]> {
  const lessons: Lesson[] = [];
  for await (const { set } of adSets(context, { join: '', cities: 'true' }))
    for (const lesson of lessonsOfSet(set, truthOf, weight)) lessons.push(lesson);
  return lessons;
}

/** The same for a single set. */
export function lessonsOfSet(set: AdSet, truthOf: (id: number) => HomeTruth | undefined, weight: number): Lesson[] {
  const lessons: Lesson[] = [];
  forEachCandidate(set, (i, j) => {
    const [a, b] = [truthOf((set.ads[i] as Ad).id), truthOf((set.ads[j] as Ad).id)];
    if (a === undefined || b === undefined || similarity(set, i, j) < TOO_FAR) return;
    const yes = a.home_id === b.home_id;
    const lesson = lessonOf(
      set,
      i,
      j,
      yes,
      !yes && a.kind === 'compound' && b.kind === 'compound' ? weight * WEIGHT_OF_UNITS : weight,
    );
    if (lesson !== null) lessons.push(lesson);
  });
  return lessons;
}

/** Null if the two ads state that they are different properties. */
export function lessonOf(set: AdSet, i: number, j: number, yes: boolean, weight: number): Lesson | null {
  const evidence = evidenceOf(set, i, j).filter(({ part }) => part !== 'before');
  if (evidence.some(({ part }) => part === 'units')) return null;
  const score = evidence.reduce((sum, { points }) => sum + points, 0);
  return {
    yes,
    weight,
    columns: [0, ...evidence.flatMap(({ part, outcome }) => COLUMNS.get(`${part} ${outcome}`) ?? [])],
    offset: score - SAME_PROPERTY,
    score,
  };
}

/** Thresholds of the curve, in addition to the one in use. */
const THRESHOLDS = [-4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8];

/** Precision and recall of the compared pairs by threshold, before ads are merged into clusters. */
export function precisionRecall(
  lessons: readonly Lesson[],
): { threshold: number; precision: number; recall: number }[] {
  const same = lessons.filter(({ yes }) => yes).length;
  return THRESHOLDS.map((beside) => {
    const threshold = SAME_PROPERTY + beside;
    const found = lessons.filter(({ score }) => score >= threshold);
    const right = found.filter(({ yes }) => yes).length;
    return { threshold, precision: right / found.length, recall: right / same };
  });
}

/** Learns corrections to the points in use by logistic regression. Points with few examples barely change. */
export function learnPoints(examples: readonly Lesson[]): PointsLearned {
  const { weights, errors } = learn(examples, COLUMNS.size, RIDGE);
  const rows: PointsCheck[] = [];
  for (const [part, outcomes] of Object.entries(POINTS))
    for (const [outcome, points] of Object.entries(outcomes)) {
      const column = COLUMNS.get(`${part} ${outcome}`) as number;
      const with_ = examples.filter((example) => example.columns.includes(column));
      rows.push({
        part,
        outcome,
        points,
        learned: points + (weights[column] as number),
        error: errors[column] as number,
        pairs: with_.length,
        same: with_.filter(({ yes }) => yes).length,
      });
    }
  const learned = ({ columns: set, offset }: Example): number =>
    set.reduce((sum, column) => sum + (weights[column] as number), offset);
  return {
    rows,
    pairs: examples.length,
    right: {
      points: examples.filter(({ score, yes }) => score >= SAME_PROPERTY === yes).length / examples.length,
      learned: examples.filter((example) => learned(example) >= 0 === example.yes).length / examples.length,
    },
    threshold: SAME_PROPERTY - (weights[0] as number),
  };
}
