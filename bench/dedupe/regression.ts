/** A binary outcome and the columns that are set. The weights of the columns are learned. */
export interface Example {
  yes: boolean;
  columns: readonly number[];
  /** A fixed offset in the unit of the weights, which is not learned. */
  offset: number;
  /** Number of examples that this one counts as. */
  weight: number;
}

export interface Learned {
  weights: Float64Array;
  /** Standard errors of the weights. */
  errors: Float64Array;
}

const ROUNDS = 30;
const ENOUGH = 1e-6;

/**
 * Logistic regression by Newton's method, in binary logarithms of the odds. The first column should be set in all
 * examples. A small ridge penalty keeps weights finite if all examples of a column have the same outcome.
 */
export function learn(examples: readonly Example[], columns: number, ridge = 0.5): Learned {
  const weights = new Float64Array(columns);
  let inverse = identity(columns);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = Float64Array.from(weights, (weight) => -ridge * weight);
    const curvature = Array.from({ length: columns }, (_, at) => {
      const row = new Float64Array(columns);
      row[at] = ridge;
      return row;
    });
    for (const { yes, columns: set, offset, weight } of examples) {
      let sum = offset * Math.LN2;
      for (const column of set) sum += weights[column] as number;
      const likely = 1 / (1 + Math.exp(-sum));
      const slope = weight * likely * (1 - likely);
      for (const column of set) {
        gradient[column] = (gradient[column] as number) + weight * ((yes ? 1 : 0) - likely);
        const row = curvature[column] as Float64Array;
        for (const other of set) row[other] = (row[other] as number) + slope;
      }
    }
    inverse = inverted(curvature);
    let moved = 0;
    for (let at = 0; at < columns; at++) {
      const row = inverse[at] as Float64Array;
      let step = 0;
      for (let other = 0; other < columns; other++) step += (row[other] as number) * (gradient[other] as number);
      // A full step may overshoot far from the solution.
      step = Math.max(-2, Math.min(2, step));
      weights[at] = (weights[at] as number) + step;
      moved = Math.max(moved, Math.abs(step));
    }
    if (moved < ENOUGH) break;
  }
  return {
    weights: weights.map((weight) => weight / Math.LN2),
    errors: Float64Array.from(inverse, (row, at) => Math.sqrt(row[at] as number) / Math.LN2),
  };
}

function identity(size: number): Float64Array[] {
  return Array.from({ length: size }, (_, at) => {
    const row = new Float64Array(size);
    row[at] = 1;
    return row;
  });
}

/** Inverts a symmetric positive definite matrix by Gauss-Jordan elimination. */
function inverted(matrix: readonly Float64Array[]): Float64Array[] {
  const size = matrix.length;
  const left = matrix.map((row) => row.slice());
  const right = identity(size);
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(at(left, row, column)) > Math.abs(at(left, pivot, column))) pivot = row;
    for (const side of [left, right])
      [side[column], side[pivot]] = [side[pivot] as Float64Array, side[column] as Float64Array];
    const by = at(left, column, column);
    for (const side of [left, right]) {
      const own = side[column] as Float64Array;
      for (let other = 0; other < size; other++) own[other] = (own[other] as number) / by;
    }
    for (let row = 0; row < size; row++) {
      const factor = at(left, row, column);
      if (row === column || factor === 0) continue;
      for (const side of [left, right]) {
        const own = side[row] as Float64Array;
        const from = side[column] as Float64Array;
        for (let other = 0; other < size; other++)
          own[other] = (own[other] as number) - factor * (from[other] as number);
      }
    }
  }
  return right;
}

const at = (matrix: readonly Float64Array[], row: number, column: number): number =>
  (matrix[row] as Float64Array)[column] as number;
