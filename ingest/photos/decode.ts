import PQueue from 'p-queue';
import sharp from 'sharp';
import { RASTER_SIDE } from './phash.ts';

/** Maximum number of pixels: 75 MB when decoded, and more than advertisers' cameras produce. */
const MAX_PIXELS = 25_000_000;
/** Minimum side lengths of a large photo in pixels. Smaller photos are shown only in listings without a large photo. */
const MIN_LONG_SIDE = 200;
const MIN_SHORT_SIDE = 150;
/** Minimum length of the shorter side in pixels. Smaller images are tracking pixels, spacers or icons. */
const MIN_SIDE = 32;
/** Number of concurrent decoders. libvips decodes JPEG in strips; other formats need up to 4 bytes per pixel. */
const DECODERS = 2;
const TIME_LIMIT_S = 20;

// libvips uses one thread per photo and no operation cache, so that the number of decoders bounds memory.
sharp.concurrency(1);
sharp.cache(false);
const decoders = new PQueue({ concurrency: DECODERS });

/** A photo that can never be stored, because fetching it again returns the same bytes. */
export class UnusableImageError extends Error {}

export interface DecodedImage {
  /** Whether the photo is smaller than 200 x 150 pixels. */
  small: boolean;
  /** Brightness of `RASTER_SIDE` × `RASTER_SIDE` pixels, row by row, in upright orientation. */
  raster: Uint8Array;
}

/** Returns whether an image is below 200 x 150 pixels. @throws UnusableImageError for tracking pixels and bombs */
function isSmall(width: number, height: number): boolean {
  if (width * height > MAX_PIXELS) throw new UnusableImageError('too many pixels');
  const [short, long] = width < height ? [width, height] : [height, width];
  if (short < MIN_SIDE) throw new UnusableImageError('too few pixels');
  return short < MIN_SHORT_SIDE || long < MIN_LONG_SIDE;
}

/**
 * Decodes a whole image, or the first frame of an animation. Concurrency is limited; further calls are queued.
 * @throws Error if the image is truncated or damaged, UnusableImageError if its size is out of bounds
 */
export function decodeImage(bytes: Uint8Array, { width, height }: { width: number; height: number }) {
  const small = isSmall(width, height);
  return decoders.add(async (): Promise<DecodedImage> => {
    try {
      const raster = await sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS, sequentialRead: true })
        .timeout({ seconds: TIME_LIMIT_S })
        .autoOrient()
        .flatten({ background: '#fff' })
        .greyscale()
        .resize(RASTER_SIDE, RASTER_SIDE, { fit: 'fill', kernel: 'linear' })
        .raw()
        .toBuffer();
      return { small, raster };
    } catch (error) {
      if (error instanceof Error && /pixel limit/.test(error.message)) throw new UnusableImageError('too many pixels');
      throw new Error('not a whole image', { cause: error });
    }
  });
}
