/** Something on a map that counts, where it lies on the screen. */
export interface Counted {
  x: number;
  y: number;
  count: number;
}

/** What lies too close to be drawn side by side, drawn where the one lies that counts most. */
export interface Cluster<Item extends Counted> extends Counted {
  /** The one that counts most comes first. */
  members: readonly [Item, ...Item[]];
}

/**
 * Groups what lies within a box of so many pixels: beginning with what counts most, each takes what is near it and not taken
 * yet. Every item is in one group, so that nothing is counted twice and nothing is left out. Pure.
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
