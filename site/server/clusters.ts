export interface Counted {
  x: number;
  y: number;
  count: number;
}

/** Items that are drawn at the position of the item with the highest count. */
export interface Cluster<Item extends Counted> extends Counted {
  members: readonly [Item, ...Item[]];
}

/**
 * Clusters items within a box of the given size in pixels. In order of descending count, each item forms a cluster with
 * all items within the box that are in none yet. Pure.
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

/** Distances in pixels at which `spread` looks for space, and the number of directions. */
const STEP = 6;
const FARTHEST = 150;
const DIRECTIONS = 24;

/**
 * Returns the offset in pixels of each item, so that no two boxes overlap each other or an obstacle. High counts are
 * placed first, others at the nearest space; where there is none, they stay. Pure.
 */
export function spread<Item extends Counted>(
  items: readonly Item[],
  box: { width: number; height: number },
  obstacles: readonly { x: number; y: number; width: number; height: number }[] = [],
): Map<Item, [x: number, y: number]> {
  const taken = [...obstacles];
  const offsets = new Map<Item, [x: number, y: number]>();
  for (const item of items.toSorted((a, b) => b.count - a.count)) {
    const isFree = ([right, down]: [number, number]): boolean =>
      taken.every(
        ({ x, y, width, height }) =>
          Math.abs(item.x + right - x) >= (box.width + width) / 2 ||
          Math.abs(item.y + down - y) >= (box.height + height) / 2,
      );
    let offset: [number, number] = [0, 0];
    for (let at = 0; !isFree(offset) && at < (FARTHEST / STEP) * DIRECTIONS; at++) {
      const [distance, angle] = [STEP * (1 + Math.floor(at / DIRECTIONS)), (2 * Math.PI * at) / DIRECTIONS];
      offset = [Math.round(distance * Math.cos(angle)), Math.round(distance * Math.sin(angle))];
    }
    if (!isFree(offset)) offset = [0, 0];
    offsets.set(item, offset);
    taken.push({ x: item.x + offset[0], y: item.y + offset[1], ...box });
  }
  return offsets;
}

/** Number of listings below which the median of a cell is unreliable, and its circle is hatched. */
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

interface Point {
  lat: number;
  lng: number;
}

export interface CityGroup<City> {
  cities: City[];
  count: number;
}

interface Cell extends Point {
  bbox: readonly [west: number, south: number, east: number, north: number];
}

/** Returns the cities within a cell of a map, or the nearest city if there is none. Pure. */
export function citiesOfCell<City extends Point>({ lat, lng, bbox }: Cell, cities: readonly City[]): City[] {
  const [west, south, east, north] = bbox;
  const within = cities.filter((city) => city.lng >= west && city.lng < east && city.lat >= south && city.lat < north);
  const distance = (city: Point): number =>
    Math.hypot(city.lat - lat, (city.lng - lng) * Math.cos((lat * Math.PI) / 180));
  return within.length > 0 ? within : cities.toSorted((a, b) => distance(a) - distance(b)).slice(0, 1);
}

/** Assigns cells to cities. Cities that share a cell form one group. Groups are in order of descending count. Pure. */
export function groupByCity<City extends Point>(
  cells: readonly (Cell & { count: number })[],
  cities: readonly City[],
): CityGroup<City>[] {
  const groups: CityGroup<City>[] = [];
  for (const cell of cells) {
    const members = citiesOfCell(cell, cities);
    const shared = groups.filter((group) => group.cities.some((city) => members.includes(city)));
    for (const group of shared) groups.splice(groups.indexOf(group), 1);
    const all = new Set([...shared.flatMap((group) => group.cities), ...members]);
    groups.push({
      cities: cities.filter((city) => all.has(city)),
      count: shared.reduce((sum, group) => sum + group.count, cell.count),
    });
  }
  return groups.sort((a, b) => b.count - a.count);
}
