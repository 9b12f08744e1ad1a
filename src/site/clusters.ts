/** A map item with a count and a screen position in pixels. */
export interface Counted {
  x: number;
  y: number;
  count: number;
}

/**
 * Items that are too close to draw separately. The cluster is drawn at the position of the item with the highest count.
 */
export interface Cluster<Item extends Counted> extends Counted {
  /** Members by descending count. */
  members: readonly [Item, ...Item[]];
}

/**
 * Clusters items that are within a box of the given size in pixels. In order of descending count, each item forms a
 * cluster with all nearby items that are not in a cluster yet. Every item is in exactly one cluster, so the total count
 * does not change. Pure.
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
