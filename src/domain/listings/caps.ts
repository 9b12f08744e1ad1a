import type { PropertyType } from './vocabulary.ts';

export interface Caps {
  /** Most bedrooms that one unit of the type has. */
  bedrooms: number;
  /** Least and most area, m². */
  area: readonly [least: number, most: number];
}

/** Bounds of one unit of each type, wide: what lies outside is a slip of the pen (a price in the area field, a telephone number). */
export const CAPS: Readonly<Record<PropertyType, Caps>> = {
  apartment: { bedrooms: 10, area: [15, 1_500] },
  villa: { bedrooms: 20, area: [50, 10_000] },
  floor: { bedrooms: 12, area: [30, 2_500] },
  duplex: { bedrooms: 15, area: [50, 3_000] },
  townhouse: { bedrooms: 12, area: [50, 2_500] },
  studio: { bedrooms: 2, area: [8, 250] },
  room: { bedrooms: 3, area: [4, 200] },
  residential_building: { bedrooms: 200, area: [80, 50_000] },
  rest_house: { bedrooms: 20, area: [50, 100_000] },
  chalet: { bedrooms: 15, area: [30, 50_000] },
  farm: { bedrooms: 30, area: [500, 50_000_000] },
  land: { bedrooms: 0, area: [50, 50_000_000] },
  commercial_land: { bedrooms: 0, area: [50, 50_000_000] },
  commercial_building: { bedrooms: 300, area: [50, 200_000] },
  office: { bedrooms: 50, area: [6, 50_000] },
  shop: { bedrooms: 20, area: [4, 10_000] },
  showroom: { bedrooms: 20, area: [20, 50_000] },
  warehouse: { bedrooms: 50, area: [20, 500_000] },
};

const ALL = Object.values(CAPS);

/** The bounds where types are pooled: the widest of all. */
export const POOLED_CAPS: Caps = {
  bedrooms: Math.max(...ALL.map((caps) => caps.bedrooms)),
  area: [Math.min(...ALL.map((caps) => caps.area[0])), Math.max(...ALL.map((caps) => caps.area[1]))],
};

/** Which bound is broken; null when none is. What is not stated breaks none. */
export function brokenCap(caps: Caps, bedrooms: number | null, area: number | null): 'bedrooms' | 'area' | null {
  if (bedrooms !== null && bedrooms > caps.bedrooms) return 'bedrooms';
  if (area !== null && (area < caps.area[0] || area > caps.area[1])) return 'area';
  return null;
}
