/** A feature of a GeoJSON file, whose parts are not checked. */
export type Feature = { properties?: unknown; geometry?: { type?: unknown; coordinates?: unknown } | null } | null;

/** @throws Error if the text is no FeatureCollection */
export function featuresOf(text: string): Feature[] {
  let collection: { type?: unknown; features?: unknown } | null;
  try {
    collection = JSON.parse(text);
  } catch {
    throw new Error('It is not JSON. Export the layer as GeoJSON.');
  }
  if (collection?.type !== 'FeatureCollection' || !Array.isArray(collection.features))
    throw new Error('It is no GeoJSON FeatureCollection. Export the layer as GeoJSON.');
  return collection.features;
}
