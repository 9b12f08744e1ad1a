/** A GeoJSON square around a point, counterclockwise and closed. `half` is half of its side in degrees. */
export function square(lat: number, lng: number, half = 0.005) {
  const [west, east, south, north] = [lng - half, lng + half, lat - half, lat + half].map(
    (degrees) => Math.round(degrees * 1e6) / 1e6,
  ) as [number, number, number, number];
  return {
    type: 'Polygon' as const,
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}

export const featureOf = (properties: object, geometry: object): object => ({ type: 'Feature', properties, geometry });

/** A file of boundaries. */
export const fileOf = (...features: unknown[]): string => JSON.stringify({ type: 'FeatureCollection', features });
