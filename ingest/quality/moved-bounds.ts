import {
  type Bounds,
  boundsOf,
  cellName,
  confirmedWithin,
  FENCE_KINDS,
  type FenceKind,
  fenceKey,
  type Judged,
  KINDS,
  type Range,
  TIERS,
} from './fences.ts';

/** Inclusive; a moved fence may have changed the verdict within it. */
export interface MovedBound {
  perSqm: boolean;
  low: number;
  high: number;
}

/** Returns the keys of added, removed or changed fences. */
export function movedFences(before: ReadonlyMap<string, Range>, now: ReadonlyMap<string, Range>): Set<string> {
  const moved = new Set<string>();
  for (const [key, { low, high }] of now) {
    const known = before.get(key);
    if (known === undefined || known.low !== low || known.high !== high) moved.add(key);
  }
  for (const key of before.keys()) if (!now.has(key)) moved.add(key);
  return moved;
}

/**
 * Returns the ranges of prices between the old and the new bound; at other prices the verdict is unchanged, for any
 * area.
 * @param moved keys from `movedFences`
 */
export function movedBounds(
  ad: Judged,
  before: ReadonlyMap<string, Range>,
  now: ReadonlyMap<string, Range>,
  moved: ReadonlySet<string>,
): MovedBound[] {
  if (!touches(ad, moved)) return [];
  return KINDS.flatMap((kind) => between(boundsOf(kind, ad, before), boundsOf(kind, ad, now)));
}

function touches(ad: Judged, cells: ReadonlySet<string>): boolean {
  return FENCE_KINDS.some((kind: FenceKind) =>
    TIERS.some((tier) => {
      const cell = cellName(kind, tier, ad);
      return cell !== null && cells.has(fenceKey(kind, tier, cell));
    }),
  );
}

function between(before: Bounds<Range>, now: Bounds<Range>): MovedBound[] {
  // The verdict may have changed at any price.
  if ((before.perSqm === undefined) !== (now.perSqm === undefined)) return [{ perSqm: false, ...EVERY_PRICE }];
  const ends: [perSqm: boolean, was: number, is: number][] = [
    [false, lowOf(before.fence), lowOf(now.fence)],
    [false, highOf(before.fence), highOf(now.fence)],
    [false, lowOf(before.floor), lowOf(now.floor)],
    [true, lowOf(before.perSqm), lowOf(now.perSqm)],
    [true, highOf(before.perSqm), highOf(now.perSqm)],
    [true, lowOf(vouchedOf(before)), lowOf(vouchedOf(now))],
    [true, highOf(vouchedOf(before)), highOf(vouchedOf(now))],
    [true, lowOf(before.perSqmFloor), lowOf(now.perSqmFloor)],
  ];
  return ends
    .filter(([, was, is]) => was !== is)
    .map(([perSqm, was, is]) => ({ perSqm, low: Math.min(was, is), high: Math.max(was, is) }));
}

const EVERY_PRICE = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

const vouchedOf = ({ perSqm }: Bounds<Range>): Range | undefined => perSqm && confirmedWithin(perSqm);
const lowOf = (range: Range | undefined): number => range?.low ?? Number.NEGATIVE_INFINITY;
const highOf = (range: Range | undefined): number => range?.high ?? Number.POSITIVE_INFINITY;
