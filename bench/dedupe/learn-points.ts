import type { Ad } from '#ingest/identity/ads.ts';
import { forEachCandidate } from '#ingest/identity/cluster.ts';
import { POINTS, SAME_PROPERTY } from '#ingest/identity/points.ts';
import { evidenceOf, similarity } from '#ingest/identity/score.ts';
import { adSets } from '#ingest/identity/stage.ts';
import type { RunContext } from '#ingest/run/context.ts';
import { type Example, learn } from './regression.ts';

export interface PointsCheck {
  part: string;
  outcome: string;
  /** Points in use, and those that regression finds, with its error. */
  points: number;
  learned: number;
  error: number;
  pairs: number;
  /** Of them, of one property. */
  same: number;
}

export interface PointsLearned {
  rows: PointsCheck[];
  pairs: number;
  /** Of the pairs that the points in use, and the learned ones, put on the right side. */
  right: { points: number; learned: number };
  /** What the learned points begin with, beside that of the points in use. */
  threshold: number;
}

/** Pairs this far below being one property teach nothing, and are most. */
const TOO_FAR = SAME_PROPERTY - 16;

export type Lesson = Example & { score: number };

const COLUMNS = new Map<string, number>([['all', 0]]);
for (const [part, outcomes] of Object.entries(POINTS))
  for (const outcome of Object.keys(outcomes)) COLUMNS.set(`${part} ${outcome}`, COLUMNS.size);

/**
 * The pairs that are compared of the ads of a database of which the truth is known.
 * @param propertyOf the home of each ad, by its id; ads that have none teach nothing
 */
export async function lessonsOf(
  context: Pick<RunContext, 'pool' | 'signal'>,
  propertyOf: ReadonlyMap<number, number>,
): Promise<Lesson[]> {
  const examples: Lesson[] = [];
  for await (const { set } of adSets(context, { join: '', cities: 'true' })) {
    forEachCandidate(set, (i, j) => {
      const [a, b] = [propertyOf.get((set.ads[i] as Ad).id), propertyOf.get((set.ads[j] as Ad).id)];
      if (a === undefined || b === undefined) return;
      const score = similarity(set, i, j);
      if (score < TOO_FAR) return;
      const evidence = evidenceOf(set, i, j).filter(({ part }) => part !== 'before');
      if (evidence.some(({ part }) => part === 'units')) return;
      examples.push({
        yes: a === b,
        columns: [0, ...evidence.flatMap(({ part, outcome }) => COLUMNS.get(`${part} ${outcome}`) ?? [])],
        offset: evidence.find(({ part }) => part === 'block')?.points ?? 0,
        score: evidence.reduce((sum, { points }) => sum + points, 0),
      });
    });
  }
  return examples;
}

/** Learns points by logistic regression. */
export function learnPoints(examples: readonly Lesson[]): PointsLearned {
  const { weights, errors } = learn(examples, COLUMNS.size);
  const rows: PointsCheck[] = [];
  for (const [part, outcomes] of Object.entries(POINTS))
    for (const [outcome, points] of Object.entries(outcomes)) {
      const column = COLUMNS.get(`${part} ${outcome}`) as number;
      const with_ = examples.filter((example) => example.columns.includes(column));
      rows.push({
        part,
        outcome,
        points,
        learned: weights[column] as number,
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
    threshold: -(weights[0] as number),
  };
}
