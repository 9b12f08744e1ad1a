import type { PropertyType } from '../listing-vocabulary.ts';

export interface Caps {
  bedrooms: number;
  /** Bounds in m². */
  area: readonly [min: number, max: number];
}

/** Wide bounds for one unit. Values outside are errors, such as a price in the area field. */
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

export function brokenCap(caps: Caps, bedrooms: number | null, area: number | null): 'bedrooms' | 'area' | null {
  if (bedrooms !== null && bedrooms > caps.bedrooms) return 'bedrooms';
  if (area !== null && (area < caps.area[0] || area > caps.area[1])) return 'area';
  return null;
}
