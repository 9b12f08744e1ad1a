import { type Ad, type AdSet, blockOf } from './ads.ts';

/** About 100 m of latitude; of longitude a little less in this country. */
const CELL_DEGREES = 0.001;
/** Areas further apart than this are never of one property: a block is walked in order of area. */
const AREA_WINDOW = 1.03;
const AREA_WINDOW_METERS = 2.5;
/** An ad without an area is compared with those of like price. */
const PRICE_WINDOW = 1.2;
/** An ad is compared with at most this many others of one block: some feeds have one point for a whole city. */
const MAX_COMPARED = 400;

/**
 * Calls back for every pair that is worth scoring, up to twice each: ads in the same cell of about 100 m or in
 * neighboring ones, and ads of one block with similar areas, or similar prices where an area is missing.
 */
export function forEachCandidate(set: AdSet, visit: (i: number, j: number) => void): void {
  nearbyPairs(set, visit);
  similarPairs(set, visit);
}

function nearbyPairs({ ads }: AdSet, visit: (i: number, j: number) => void): void {
  const cells = new Map<number, number[]>();
  for (let index = 0; index < ads.length; index++) {
    const ad = ads[index] as Ad;
    if (Number.isNaN(ad.lat) || Number.isNaN(ad.lng)) continue;
    const cell = cellOf(ad.lat, ad.lng);
    const members = cells.get(cell);
    if (members) members.push(index);
    else cells.set(cell, [index]);
  }
  for (const [cell, members] of cells) {
    for (let position = 0; position < members.length; position++) {
      const end = Math.min(members.length, position + 1 + MAX_COMPARED);
      for (let other = position + 1; other < end; other++) visit(members[position] as number, members[other] as number);
    }
    // Four of the eight neighboring cells: for the other four, this cell is the neighbor.
    for (const step of [1, CELLS_PER_ROW - 1, CELLS_PER_ROW, CELLS_PER_ROW + 1]) {
      const neighbors = cells.get(cell + step);
      if (!neighbors) continue;
      for (const i of members) {
        for (let other = 0; other < Math.min(neighbors.length, MAX_COMPARED); other++)
          visit(i, neighbors[other] as number);
      }
    }
  }
}

const CELLS_PER_ROW = 1_000_000;

function cellOf(lat: number, lng: number): number {
  return Math.floor(lat / CELL_DEGREES) * CELLS_PER_ROW + Math.floor(lng / CELL_DEGREES) + CELLS_PER_ROW / 2;
}

function similarPairs({ ads }: AdSet, visit: (i: number, j: number) => void): void {
  const blocks = new Map<number, number[]>();
  for (let index = 0; index < ads.length; index++) {
    const ad = ads[index] as Ad;
    if (ad.neighborhood === 0) continue;
    const key = blockOf(ad);
    const members = blocks.get(key);
    if (members) members.push(index);
    else blocks.set(key, [index]);
  }
  for (const members of blocks.values()) {
    const without = members.filter((index) => Number.isNaN(ads[index]?.area));
    windowPairs(
      members.filter((index) => !Number.isNaN(ads[index]?.area)),
      (index) => (ads[index] as Ad).area,
      (area) => Math.max(area * AREA_WINDOW, area + AREA_WINDOW_METERS),
      visit,
    );
    if (without.length === 0) continue;
    const incomplete = new Set(without);
    windowPairs(
      members.filter((index) => !Number.isNaN(ads[index]?.price)),
      (index) => (ads[index] as Ad).price,
      (price) => price * PRICE_WINDOW,
      (i, j) => {
        if (incomplete.has(i) || incomplete.has(j)) visit(i, j);
      },
    );
  }
}

/** Pairs of which the larger value is within the limit that the smaller one gives. */
function windowPairs(
  members: number[],
  value: (index: number) => number,
  limitOf: (value: number) => number,
  visit: (i: number, j: number) => void,
): void {
  members.sort((a, b) => value(a) - value(b) || a - b);
  for (let position = 0; position < members.length; position++) {
    const limit = limitOf(value(members[position] as number));
    const end = Math.min(members.length, position + 1 + MAX_COMPARED);
    for (let other = position + 1; other < end; other++) {
      if (value(members[other] as number) > limit) break;
      visit(members[position] as number, members[other] as number);
    }
  }
}
