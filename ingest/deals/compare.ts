import { metersBetween, squaredChord, unitVector } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { judgePrice, MIN_GAP, type Verdict } from '#domain/statistics/deals.ts';
import {
  AREA_TOLERANCE_PCT,
  agesAlike,
  cohortOf,
  dwellingKey,
  MAX_NEARBY,
  type Observation,
  RADII,
  type Subject,
  unitKey,
} from '#domain/statistics/price-band.ts';
import { PointGrid } from '../point-grid.ts';

export interface Home extends Omit<Observation, 'distance'> {
  neighborhood: number | null;
  /** Whether no other home has its photos. */
  ownPhotos: boolean;
}

export type Market = Pick<Subject, 'city' | 'listing_type' | 'property_type' | 'bedrooms'>;

interface Known {
  home: Home;
  /** Of `unitKey` and `dwellingKey`. Only `unitKey` includes the number of bathrooms. */
  unit: number;
  dwelling: number;
  /** On the unit sphere, where comparing distances needs only a few multiplications. */
  vector: readonly [x: number, y: number, z: number] | null;
}

/** `separation` is the squared chord on the unit sphere, 0 without a point. */
interface Near {
  other: Known;
  separation: number;
}

/** Meters. If it finds too few homes, the radii of price bands follow. */
const FIRST_RADIUS = 500;
const CELL_M = 500;
/** Bounds the work if a feed puts a whole city on one point. */
const MAX_CONSIDERED = { first: 4_000, further: 20_000 };

/** A deal, or so far below comparable homes that it is not accepted as one. */
export interface Found {
  id: number;
  verdict: NonNullable<Verdict>;
}

/** Only homes with their own photos can be deals, and only the oldest ad of a dwelling. */
export function judgeHomes(market: Market, homes: readonly Home[], signal?: AbortSignal): Found[] {
  const known = knownHomes(homes);
  const grid = new PointGrid<Known>(CELL_M);
  for (const each of known) if (isLocated(each.home)) grid.cellOf(each.home).push(each);
  const ofNeighborhood = Map.groupBy(known, ({ home }) => home.neighborhood);
  const found: Found[] = [];
  const dwellings = new Set<number>();
  for (const [index, each] of known.entries()) {
    if (index % 1_000 === 0) signal?.throwIfAborted();
    const { home } = each;
    if (!home.ownPhotos) continue;
    const nearby = isLocated(home)
      ? nearest(each, home, grid)
      : newestNeighbors(each, ofNeighborhood.get(home.neighborhood) ?? []);
    if (!canBeBelow(each, nearby)) continue;
    const point = isLocated(home) ? { lat: home.lat, lng: home.lng } : null;
    const { id, area, age, price } = home;
    const subject = { ...market, id, area, age, price, ...(point ?? { neighborhood_id: home.neighborhood as number }) };
    const observations = nearby.map(({ other }) => ({
      ...other.home,
      distance: point ? metersBetween(point, other.home as LatLng) : 0,
    }));
    const cohort = cohortOf(subject, observations);
    const verdict = cohort && judgePrice(subject, cohort);
    if (!verdict || (verdict.kind === 'deal' && dwellings.has(each.dwelling))) continue;
    if (verdict.kind === 'deal') dwellings.add(each.dwelling);
    found.push({ id, verdict });
  }
  return found;
}

const isLocated = (home: Home): home is Home & LatLng => home.lat !== null && home.lng !== null;

function knownHomes(homes: readonly Home[]): Known[] {
  const numbers = new Map<string, number>();
  const numberOf = (key: string): number => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  return homes
    .toSorted((a, b) => a.id - b.id)
    .map((home) => {
      // Dwelling keys contain only the point.
      const place = home.lat === null ? `in ${home.neighborhood}` : '';
      const unit = numberOf(`unit ${place} ${unitKey(home)}`);
      const dwelling = numberOf(`dwelling ${place} ${dwellingKey(home)}`);
      return { home, unit, dwelling, vector: isLocated(home) ? unitVector(home) : null };
    });
}

function isOfSimilarArea({ home: { area } }: Known, other: Known): boolean {
  const tolerance = (area * AREA_TOLERANCE_PCT) / 100;
  return other.home.area >= area - tolerance && other.home.area <= area + tolerance;
}

/** Homes of similar area, nearest first, then oldest first. */
function nearest(home: Known, point: LatLng, grid: PointGrid<Known>): Near[] {
  let found: Near[] = [];
  for (const radius of [FIRST_RADIUS, ...RADII]) {
    found = [];
    const limit = squaredChord(radius);
    let left = radius === FIRST_RADIUS ? MAX_CONSIDERED.first : MAX_CONSIDERED.further;
    for (const cell of grid.around(point, radius))
      for (const other of cell) {
        if (left-- === 0) break;
        if (other === home || !isOfSimilarArea(home, other)) continue;
        const separation = separationOf(home, other);
        if (separation <= limit) found.push({ other, separation });
      }
    if (found.length >= MAX_NEARBY) break;
  }
  found.sort((a, b) => a.separation - b.separation || a.other.home.id - b.other.home.id);
  return found.slice(0, MAX_NEARBY);
}

function separationOf({ vector: a }: Known, { vector: b }: Known): number {
  if (a === null || b === null) return 0;
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return x * x + y * y + z * z;
}

/** For a home without a point: the newest homes of similar area. */
function newestNeighbors(home: Known, neighbors: readonly Known[]): Near[] {
  const found: Near[] = [];
  for (const other of neighbors.slice(-MAX_CONSIDERED.further).reverse()) {
    if (found.length === MAX_NEARBY) break;
    if (other !== home && isOfSimilarArea(home, other)) found.push({ other, separation: 0 });
  }
  return found;
}

const RINGS = RADII.map(squaredChord);

/** Excludes most homes early: a deal needs a cohort in which at least half of the prices are higher by the gap. */
function canBeBelow({ home, dwelling }: Known, nearby: readonly Near[]): boolean {
  // Slightly below `MIN_GAP`, because the final comparison uses a rounded gap.
  const bound = home.price / (1 - (MIN_GAP - 0.1) / 100);
  const ages = agesAlike(home.age);
  const units = new Set<number>();
  const counts = { all: 0, above: 0, alike: 0, alikeAbove: 0 };
  const isBelow = (): boolean =>
    (counts.above > 0 && counts.above * 2 >= counts.all) ||
    (counts.alikeAbove > 0 && counts.alikeAbove * 2 >= counts.alike);
  let ring = 0;
  for (const { other, separation } of nearby) {
    for (; ring < RINGS.length && separation > (RINGS[ring] as number); ring++) if (isBelow()) return true;
    if (other.dwelling === dwelling || units.has(other.unit)) continue;
    units.add(other.unit);
    const above = other.home.price >= bound ? 1 : 0;
    counts.all++;
    counts.above += above;
    const { age } = other.home;
    if (ages !== null && age !== null && age >= ages.min && (ages.max === null || age <= ages.max)) {
      counts.alike++;
      counts.alikeAbove += above;
    }
  }
  return isBelow();
}
