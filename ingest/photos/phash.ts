/** Side in pixels of the grayscale raster that is hashed. */
export const RASTER_SIDE = 32;
const BITS = 64;
/** Number of frequencies in each direction, so that the 64 lowest are included. */
const FREQUENCIES = 11;
/** Minimum mean deviation of the low frequencies. Below it, noise would determine the bits. */
const MIN_CONTRAST = 12;

/** Maximum Hamming distance of one photo: encoded or resized again, or in 58% of cases with 5% cropped at a corner. */
export const MAX_DISTANCE = 10;

const COSINES = Float64Array.from({ length: FREQUENCIES * RASTER_SIDE }, (_, at) =>
  Math.cos(((2 * (at % RASTER_SIDE) + 1) * Math.floor(at / RASTER_SIDE) * Math.PI) / (2 * RASTER_SIDE)),
);

/** The 64 DCT coefficients of lowest frequency without the DC term, as `[down, across]`, in ascending order. */
const LOWEST = Array.from({ length: FREQUENCIES ** 2 }, (_, at) => [Math.floor(at / FREQUENCIES), at % FREQUENCIES])
  .map(([down = 0, across = 0]) => ({ down, across }))
  .sort((a, b) => a.down + a.across - b.down - b.across || a.down - b.down)
  .slice(1, BITS + 1);

/**
 * Returns a photo's perceptual hash: one bit for each of the 64 lowest frequencies of a discrete cosine transform, set if
 * the coefficient is above the median. Null for nearly uniform images, such as a placeholder.
 */
export function perceptualHash(raster: Uint8Array): bigint | null {
  const rows = new Float64Array(FREQUENCIES * RASTER_SIDE);
  for (let across = 0; across < FREQUENCIES; across++)
    for (let y = 0; y < RASTER_SIDE; y++) {
      let sum = 0;
      for (let x = 0; x < RASTER_SIDE; x++)
        sum += (raster[y * RASTER_SIDE + x] as number) * (COSINES[across * RASTER_SIDE + x] as number);
      rows[across * RASTER_SIDE + y] = sum;
    }
  const values = LOWEST.map(({ down, across }) => {
    let sum = 0;
    for (let y = 0; y < RASTER_SIDE; y++)
      sum += (rows[across * RASTER_SIDE + y] as number) * (COSINES[down * RASTER_SIDE + y] as number);
    return sum / RASTER_SIDE;
  });
  const sorted = Float64Array.from(values).sort();
  const median = ((sorted[BITS / 2 - 1] as number) + (sorted[BITS / 2] as number)) / 2;
  const contrast = values.reduce((sum, value) => sum + Math.abs(value - median), 0) / BITS;
  if (contrast < MIN_CONTRAST) return null;
  let bits = 0n;
  for (const value of values) bits = (bits << 1n) | (value > median ? 1n : 0n);
  return BigInt.asIntN(BITS, bits);
}

const BANDS = 4;
const BAND_BITS = BITS / BANDS;

/** Masks that flip up to two bits: in one of four bands, hashes within `MAX_DISTANCE` differ in no more. */
const MASKS = [0];
for (let high = 0; high < BAND_BITS; high++) {
  MASKS.push(1 << high);
  for (let low = 0; low < high; low++) MASKS.push((1 << high) | (1 << low));
}

/** Returns the bands of a hash, lowest bits first, as the band's number and bits. */
export function bandsOf(hash: bigint): number[] {
  const bits = BigInt.asUintN(BITS, hash);
  return Array.from(
    { length: BANDS },
    (_, band) => (band << BAND_BITS) | Number((bits >> BigInt(band * BAND_BITS)) & 0xffffn),
  );
}

/** Returns band values of which every hash within `MAX_DISTANCE` has at least one. */
export function nearBands(hash: bigint): number[] {
  return bandsOf(hash).flatMap((band) => MASKS.map((mask) => band ^ mask));
}
