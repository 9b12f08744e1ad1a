/**
 * Draws items until `length` of them differ, by their JSON.
 * @throws Error naming `what` if too few different items exist
 */
export function* distinct<Item>(what: string, length: number, draw: () => Item): Generator<Item, void> {
  const seen = new Set<string>();
  for (let tries = 0; seen.size < length; tries++) {
    if (tries > length * 50) throw new Error(`${what}: fewer than ${length} different requests exist`);
    const item = draw();
    const { size } = seen;
    if (seen.add(JSON.stringify(item)).size > size) yield item;
  }
}
