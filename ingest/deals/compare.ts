import { metersBetween, squaredChord } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { judgePrice, MIN_GAP, type Verdict } from '#domain/statistics/deals.ts';
import { AREA_TOLERANCE_PCT, agesAlike, cohortOf, MAX_NEARBY, RADII } from '#domain/statistics/price-band.ts';
import { type Home, type Homes, MAX_RUNS } from './homes.ts';

/** Meters. If it finds too few homes, the radii of price bands follow. */
const FIRST_RADIUS = 500;
/** Bounds the work if a feed puts a whole city on one point. */
const MAX_CONSIDERED = { first: 4_000, further: 20_000 };

/** A deal, or so far below comparable homes that it is not accepted as one. */
export interface Found {
  id: number;
  verdict: NonNullable<Verdict>;
}

/** Homes with their own photos, with the cohort of their price band. Returns only the oldest deal of a dwelling. */
export function judgeHomes(homes: Homes, signal?: AbortSignal): Found[] {
  const nearest = new Nearest();
  const seen = new Int32Array(homes.size);
  const found: (Found & { dwelling: number })[] = [];
  for (let index = 0; index < homes.size; index++) {
    if (index % 1_000 === 0) signal?.throwIfAborted();
    if (!homes.home[index]?.ownPhotos) continue;
    nearest.find(homes, index);
    if (!canBeBelow(homes, index, nearest, seen)) continue;
    const home = homes.home[index] as Home;
    const place = placeOf(home);
    const nearby = Array.from(nearest.index.subarray(0, nearest.size), (other) => {
      const observation = homes.home[other] as Home;
      const distance = 'lat' in place ? metersBetween(place, observation as LatLng) : 0;
      return { ...observation, distance };
    });
    const { id, area, age, price } = home;
    const subject = { ...homes.market, id, area, age, price, ...place };
    const cohort = cohortOf(subject, nearby);
    const verdict = cohort && judgePrice(subject, cohort);
    if (verdict) found.push({ id: home.id, verdict, dwelling: homes.dwelling[index] as number });
  }
  const dwellings = new Set<number>();
  return found
    .sort((a, b) => a.id - b.id)
    .filter(({ verdict, dwelling }) => {
      if (verdict.kind !== 'deal') return true;
      const first = !dwellings.has(dwelling);
      dwellings.add(dwelling);
      return first;
    });
}

function placeOf({ lat, lng, neighborhood }: Home): LatLng | { neighborhood_id: number } {
  return lat === null || lng === null ? { neighborhood_id: neighborhood as number } : { lat, lng };
}

/**
 * Finds homes of similar area, nearest first, else the newest in the neighborhood. The object is reused for all homes.
 */
class Nearest {
  readonly index = new Int32Array(MAX_NEARBY);
  size = 0;
  /** Squared chords on the unit sphere. */
  readonly separation = new Float64Array(MAX_NEARBY);
  readonly #runs = new Int32Array(MAX_RUNS);
  readonly #candidates: { at: number; separation: number; id: number }[] = [];

  find(homes: Homes, index: number): void {
    if (index >= homes.located) {
      this.#findInNeighborhood(homes, index);
      return;
    }
    for (const radius of [FIRST_RADIUS, ...RADII]) {
      this.#gather(homes, index, radius);
      if (this.#candidates.length >= MAX_NEARBY) break;
    }
    this.#cut();
    this.size = this.#candidates.length;
    for (const [position, { at, separation }] of this.#candidates.entries()) {
      this.index[position] = at;
      this.separation[position] = separation;
    }
  }

  #findInNeighborhood(homes: Homes, index: number): void {
    const own = homes.area[index] as number;
    const tolerance = (own * AREA_TOLERANCE_PCT) / 100;
    this.size = 0;
    let considered = 0;
    for (const at of homes.neighborsOf(index)) {
      if (this.size === MAX_NEARBY || considered++ === MAX_CONSIDERED.further) break;
      const other = homes.area[at] as number;
      if (at === index || other < own - tolerance || other > own + tolerance) continue;
      this.separation[this.size] = 0;
      this.index[this.size++] = at;
    }
  }

  #gather(homes: Homes, index: number, radius: number): void {
    const candidates = this.#candidates;
    candidates.length = 0;
    const { area, id } = homes;
    const own = area[index] as number;
    const tolerance = (own * AREA_TOLERANCE_PCT) / 100;
    const [smallest, largest] = [own - tolerance, own + tolerance];
    let limit = squaredChord(radius);
    let limitId = Number.POSITIVE_INFINITY;
    const most = radius === FIRST_RADIUS ? MAX_CONSIDERED.first : MAX_CONSIDERED.further;
    let considered = 0;
    const length = homes.runsAround(index, radius, this.#runs);
    for (let run = 0; run < length; run += 2) {
      const end = this.#runs[run + 1] as number;
      for (let at = this.#runs[run] as number; at < end && considered < most; at++) {
        considered++;
        const other = area[at] as number;
        if (at === index || other < smallest || other > largest) continue;
        const separation = homes.separation(index, at);
        // Ids ascend within a cell, so that of homes at one point the lowest ids are kept.
        if (separation > limit || (separation === limit && (id[at] as number) > limitId)) continue;
        candidates.push({ at, separation, id: id[at] as number });
        if (candidates.length < 2 * MAX_NEARBY) continue;
        this.#cut();
        ({ separation: limit, id: limitId } = candidates.at(-1) as { separation: number; id: number });
      }
    }
  }

  #cut(): void {
    this.#candidates.sort((a, b) => a.separation - b.separation || a.id - b.id);
    if (this.#candidates.length > MAX_NEARBY) this.#candidates.length = MAX_NEARBY;
  }
}

const RINGS = RADII.map(squaredChord);

/** Excludes most homes early: a deal needs a cohort in which at least half of the prices are higher by the gap. */
function canBeBelow(
  homes: Homes,
  index: number,
  { index: near, separation, size }: Nearest,
  seen: Int32Array,
): boolean {
  const { price, age, unit, dwelling } = homes;
  // Slightly below `MIN_GAP`, because the final comparison uses a rounded gap.
  const bound = (price[index] as number) / (1 - (MIN_GAP - 0.1) / 100);
  const ages = agesAlike((age[index] as number) < 0 ? null : (age[index] as number));
  const counts = { all: 0, above: 0, alike: 0, alikeAbove: 0 };
  const isBelow = (): boolean =>
    (counts.above > 0 && counts.above * 2 >= counts.all) ||
    (counts.alikeAbove > 0 && counts.alikeAbove * 2 >= counts.alike);
  let ring = 0;
  for (let position = 0; position < size; position++) {
    const at = near[position] as number;
    while (ring < RINGS.length && (separation[position] as number) > (RINGS[ring] as number)) {
      if (isBelow()) return true;
      ring++;
    }
    if (dwelling[at] === dwelling[index] || seen[unit[at] as number] === index + 1) continue;
    seen[unit[at] as number] = index + 1;
    const above = (price[at] as number) >= bound ? 1 : 0;
    counts.all++;
    counts.above += above;
    const years = age[at] as number;
    if (ages !== null && years >= ages.min && (ages.max === null || years <= ages.max)) {
      counts.alike++;
      counts.alikeAbove += above;
    }
  }
  return isBelow();
}
