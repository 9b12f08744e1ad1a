import { imageSize } from 'image-size';
import PQueue from 'p-queue';
import sharp from 'sharp';
import { RASTER_SIDE } from './phash.ts';

/** Image formats that the CDN serves. SVG is excluded, because it can run scripts. */
const FORMATS = new Set(['jpg', 'png', 'webp', 'gif', 'avif']);
/** Maximum number of pixels: 75 MB when decoded, and more than advertisers' cameras produce. */
const MAX_PIXELS = 25_000_000;
/** Minimum sides in pixels of a large photo. Smaller ones are shown only in listings without a large photo. */
const MIN_LONG_SIDE = 200;
const MIN_SHORT_SIDE = 150;
/** Minimum side in pixels. Smaller images are tracking pixels, spacers or icons. */
const MIN_SIDE = 32;
/** libvips decodes JPEG in strips; other formats need up to 4 bytes per pixel. */
const DECODERS = 2;
const TIME_LIMIT_S = 20;

// libvips uses one thread per photo and no operation cache, so that the number of decoders bounds memory.
sharp.concurrency(1);
sharp.cache(false);
const decoders = new PQueue({ concurrency: DECODERS });

/** A photo that can never be stored, because fetching it again returns the same bytes. */
export class UnusableImageError extends Error {}

interface DecodedImage {
  extension: string;
  /** Whether the photo is smaller than 200 x 150 pixels. */
  small: boolean;
  /** Brightness of `RASTER_SIDE` × `RASTER_SIDE` pixels, row by row, in upright orientation. */
  raster: Uint8Array;
}

/** Reads format and size from the header. @throws UnusableImageError for other formats, tracking pixels and bombs */
function readHeader(bytes: Uint8Array): Omit<DecodedImage, 'raster'> {
  let header: ReturnType<typeof imageSize>;
  try {
    header = imageSize(bytes);
  } catch {
    throw new Error('not an image');
  }
  const { width, height, type = '' } = header;
  if (!FORMATS.has(type)) throw new UnusableImageError(`unsupported type ${type}`);
  if (!(width > 0 && height > 0)) throw new Error('an image without a size');
  if (width * height > MAX_PIXELS) throw new UnusableImageError('too many pixels');
  const [short, long] = width < height ? [width, height] : [height, width];
  if (short < MIN_SIDE) throw new UnusableImageError('too few pixels');
  return { extension: type, small: short < MIN_SHORT_SIDE || long < MIN_LONG_SIDE };
}

/**
 * Decodes a whole image, or the first frame of an animation.
 * @throws Error if the image is truncated or damaged, UnusableImageError if its format or size is not accepted
 */
export async function decodeImage(bytes: Uint8Array): Promise<DecodedImage> {
  const header = readHeader(bytes);
  return decoders.add(async () => {
    try {
      const raster = await sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS, sequentialRead: true })
        .timeout({ seconds: TIME_LIMIT_S })
        .autoOrient()
        .flatten({ background: '#fff' })
        .greyscale()
        .resize(RASTER_SIDE, RASTER_SIDE, { fit: 'fill', kernel: 'linear' })
        .raw()
        .toBuffer();
      return { ...header, raster };
    } catch (error) {
      if (error instanceof Error && /pixel limit/.test(error.message)) throw new UnusableImageError('too many pixels');
      throw new Error('not a whole image', { cause: error });
    }
  });
}
