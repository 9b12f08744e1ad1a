/** An item on a map with a count and its position on the screen, in pixels. */
export interface Counted {
  x: number;
  y: number;
  count: number;
}

/** Items that are too close to draw separately, drawn at the position of the item with the highest count. */
export interface Cluster<Item extends Counted> extends Counted {
  /** Sorted by count, highest first. */
  members: readonly [Item, ...Item[]];
}

/**
 * Groups items within a box of the given size in pixels. Starting with the highest count, each item forms a group with all
 * nearby items that are not in a group yet. Every item is in exactly one group, so the total count does not change. Pure.
 */
export function clustersOf<Item extends Counted>(
  items: readonly Item[],
  box: { width: number; height: number },
): Cluster<Item>[] {
  let left = items.toSorted((a, b) => b.count - a.count);
  const clusters: Cluster<Item>[] = [];
  for (let [first] = left; first !== undefined; [first] = left) {
    const { x, y } = first;
    const isNear = (other: Item): boolean => Math.abs(other.x - x) < box.width && Math.abs(other.y - y) < box.height;
    const [, ...others] = left;
    const members: [Item, ...Item[]] = [first, ...others.filter(isNear)];
    left = others.filter((other) => !isNear(other));
    clusters.push({ x, y, count: members.reduce((sum, member) => sum + member.count, 0), members });
  }
  return clusters;
}
