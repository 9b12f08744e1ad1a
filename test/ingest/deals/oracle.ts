/** A home as a comparison sees it. */
export interface PlainHome {
  id: number;
  lat: number;
  lng: number;
  price: number;
  area: number;
  bedrooms: number | null;
}

export interface PlainDeal {
  id: number;
  gap: number;
  sample: number;
  median: number;
  radius: number;
  sameBedrooms: boolean;
}

const CIRCLES: readonly (readonly [radius: number, sameBedrooms: boolean])[] = [
  [500, true],
  [1_000, true],
  [2_000, true],
  [2_000, false],
  [5_000, true],
  [5_000, false],
];

/** Meters between two points by the haversine formula. */
export function distance(a: PlainHome, b: PlainHome): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const lat = radians(b.lat - a.lat);
  const lng = radians(b.lng - a.lng);
  const h = Math.sin(lat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(lng / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(h));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/**
 * What a deal is, in plain code over the homes of one city, listing type and property type: each is held against every
 * other. Written from the documentation and apart from the stage.
 */
export function plainDeals(homes: readonly PlainHome[]): PlainDeal[] {
  const deals: PlainDeal[] = [];
  for (const home of homes) {
    const alike = homes
      .filter((other) => other !== home && other.area >= (home.area * 2) / 3 && other.area <= home.area * 1.5)
      .map((other) => ({ other, meters: distance(home, other) }));
    for (const [radius, sameBedrooms] of CIRCLES) {
      const near = alike.filter(
        ({ other, meters }) => meters <= radius && (!sameBedrooms || other.bedrooms === home.bedrooms),
      );
      if (near.length < 10) continue;
      const middle = median(near.map(({ other }) => other.price));
      const perSqm = median(near.map(({ other }) => other.price / other.area));
      const below = (value: number, of: number): number => Math.round((1 - value / of) * 10_000) / 100;
      const gap = Math.min(below(home.price, middle), below(home.price / home.area, perSqm));
      if (gap >= 20) deals.push({ id: home.id, gap, sample: near.length, median: middle, radius, sameBedrooms });
      break;
    }
  }
  return deals.sort((a, b) => b.gap - a.gap || b.id - a.id);
}
