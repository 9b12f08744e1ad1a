/** Takes the place of the decoder of MapLibre tiles in the bundle of the map. The operator's file has Mapbox vector tiles. */
export const GEOMETRY_TYPE = {};

export function decodeTile(): never {
  throw new Error('MapLibre tiles are not supported.');
}
