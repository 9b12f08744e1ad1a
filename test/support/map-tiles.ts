import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { zxyToTileId } from 'pmtiles';

const HEADER_BYTES = 127;
const EXTENT = 4_096;
const [NONE, VECTOR] = [1, 1];

/** A number in the variable length of protocol buffers. */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

/** A file with one tile: a highway from west to east through its middle, with a name in both languages. */
export function tilesFile({ zoom, x, y }: { zoom: number; x: number; y: number }): Buffer {
  const middle = EXTENT / 2;
  const road = {
    type: 2 as const,
    geometry: [
      [
        [0, middle],
        [EXTENT, middle],
      ],
    ],
    tags: { kind: 'highway', name: 'Salt Road', 'name:en': 'Salt Road', 'name:ar': 'طريق الملح' },
  };
  const tile = fromGeojsonVt({ roads: { features: [road] } as never }, { version: 2, extent: EXTENT });
  // One entry: tile id, number of tiles, length, and offset plus 1.
  const directory = Buffer.from([1, zxyToTileId(zoom, x, y), 1, tile.length, 1].flatMap(varint));
  const metadata = Buffer.from(JSON.stringify({ vector_layers: [{ id: 'roads', fields: {} }] }));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 'latin1');
  header[7] = 3;
  const parts = [directory, metadata, Buffer.alloc(0), Buffer.from(tile)];
  let offset = HEADER_BYTES;
  for (const [at, part] of parts.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * at);
    header.writeBigUInt64LE(BigInt(part.length), 16 + 16 * at);
    offset += part.length;
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at);
  header.set([1, NONE, NONE, VECTOR, zoom, zoom], 96);
  for (const [at, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + 4 * at);
  header[118] = zoom;
  return Buffer.concat([header, ...parts]);
}
