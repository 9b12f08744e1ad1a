/** Bytes of the header of a PMTiles file. */
export const TILES_HEADER_BYTES = 127;

const MAGIC = 'PMTiles';
const VERSION_AT = 7;
const VERSION = 3;
const TILE_TYPE_AT = 99;
const VECTOR_TILES = 1;

/** Returns what is wrong with the header of a file of map tiles, and the remedy; null if nothing. Source: PMTiles version 3. */
export function tilesFault(header: Uint8Array): string | null {
  if (header.length < TILES_HEADER_BYTES || Buffer.from(header.subarray(0, MAGIC.length)).toString('latin1') !== MAGIC)
    return 'It is no PMTiles file. Make one as docs/run.md describes.';
  const version = header[VERSION_AT];
  if (version !== VERSION) return `It has version ${version} of PMTiles. Convert it to version 3: pmtiles convert`;
  if (header[TILE_TYPE_AT] !== VECTOR_TILES) return 'It has images. Use a file of vector tiles (MVT).';
  return null;
}
