interface Point {
  x: number;
  y: number;
}

export interface PixelBox extends Point {
  width: number;
  height: number;
}

/** Items that are drawn in one box. The one with the highest count is first. */
export interface Cluster<Item> extends PixelBox {
  count: number;
  members: readonly [Item, ...Item[]];
}

/** Distance in pixels between the places that `spread` tries, and the number of directions. */
const STEP = 6;
const DIRECTIONS = 24;

export const isApart = (a: PixelBox, b: PixelBox): boolean =>
  Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2;

/**
 * Moves items, so that no two boxes overlap each other or an obstacle. High counts are placed first, others at the
 * nearest space. An item without space within `farthest` pixels joins the nearest cluster. Pure.
 */
export function spread<Item extends PixelBox & { count: number }>(
  items: readonly Item[],
  farthest: number,
  obstacles: readonly PixelBox[] = [],
): Cluster<Item>[] {
  const placed: (Cluster<Item> & { members: [Item, ...Item[]] })[] = [];
  const taken = [...obstacles];
  for (const item of items.toSorted((a, b) => b.count - a.count)) {
    const { width, height, count } = item;
    const isFree = (at: Point): boolean => taken.every((box) => isApart({ x: at.x, y: at.y, width, height }, box));
    const free = isFree(item) ? item : placesAround(item, farthest).find(isFree);
    const distance = (other: Point): number => Math.hypot(other.x - item.x, other.y - item.y);
    const [nearest] = free ? [] : placed.toSorted((a, b) => distance(a) - distance(b));
    if (nearest) {
      nearest.members.push(item);
      nearest.count += count;
      continue;
    }
    const { x, y } = free ?? item;
    const box = { x, y, width, height };
    placed.push({ ...box, count, members: [item] });
    taken.push(box);
  }
  return placed;
}

function placesAround({ x, y }: Point, farthest: number): Point[] {
  return Array.from({ length: Math.floor(farthest / STEP) * DIRECTIONS }, (_, at) => {
    const [distance, angle] = [STEP * (1 + Math.floor(at / DIRECTIONS)), (2 * Math.PI * at) / DIRECTIONS];
    return { x: x + Math.round(distance * Math.cos(angle)), y: y + Math.round(distance * Math.sin(angle)) };
  });
}

/** Number of listings below which a median is unreliable, and its circle is hatched. */
export const FEW = 10;
const CLASSES = 4;

/**
 * Returns the lower limits of all price classes but the lowest, with two significant digits. The classes have about
 * the same number of listings. Pure.
 */
export function priceLimits(priced: readonly { price: number | null; count: number }[]): number[] {
  const known = priced.flatMap(({ price, count }) => (price === null ? [] : [{ price, count }]));
  const ordered = known.toSorted((a, b) => a.price - b.price);
  const total = ordered.reduce((sum, { count }) => sum + count, 0);
  const limits = new Set<number>();
  let passed = 0;
  for (const { price, count } of ordered) {
    const before = passed;
    passed += count;
    for (let at = 1; at < CLASSES; at++) {
      const rank = (at * total) / CLASSES;
      if (before <= rank && rank < passed) limits.add(Number(price.toPrecision(2)));
    }
  }
  const [lowest] = ordered;
  return [...limits].filter((limit) => lowest !== undefined && limit > lowest.price);
}

export const classOfPrice = (price: number, limits: readonly number[]): number =>
  limits.filter((limit) => limit <= price).length;
