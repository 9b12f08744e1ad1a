import PQueue from 'p-queue';
import sharp from 'sharp';
import { type PhotoFormat, withoutMetadata } from './metadata.ts';
import { RASTER_SIDE } from './phash.ts';

/** Image formats that the CDN serves, by the decoder's name. SVG is excluded, because it can run scripts. */
const FORMATS: Readonly<Record<string, PhotoFormat>> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  heif: 'avif',
};
/** Maximum number of pixels of formats that are shrunk or read in strips while they are decoded, and of the others. */
const MAX_PIXELS = 100_000_000;
const MAX_WHOLE_PIXELS = 25_000_000;
const DECODED_WHOLE: ReadonlySet<PhotoFormat> = new Set(['gif', 'avif']);
/** Minimum sides in pixels of a large photo. Smaller ones are shown only in listings without a large photo. */
const MIN_LONG_SIDE = 200;
const MIN_SHORT_SIDE = 150;
/** Minimum side in pixels. Smaller images are tracking pixels, spacers or icons. */
const MIN_SIDE = 32;
const TIME_LIMIT_S = 20;

// libvips uses one thread per photo and no operation cache, so that the number of decoders bounds memory.
sharp.concurrency(1);
sharp.cache(false);
const decoders = new PQueue({ concurrency: 2 });
// UltraHDR photos are decoded as the JPEG that they are.
sharp.block({ operation: ['VipsForeignLoadUhdr'] });
/** A progressive JPEG of 100 megapixels takes 0.3 to 0.6 GB, of 25 megapixels a quarter of it. */
const largeDecoders = new PQueue({ concurrency: 1 });

/** A photo that can never be stored, because fetching it again returns the same bytes. */
export class UnusableImageError extends Error {}

interface Header {
  extension: PhotoFormat;
  /** Without metadata. */
  bytes: Buffer;
  pixels: number;
  /** Whether the photo is smaller than 200 x 150 pixels. */
  small: boolean;
}

interface DecodedImage extends Header {
  /** Brightness of `RASTER_SIDE` × `RASTER_SIDE` pixels, row by row, in upright orientation. */
  raster: Uint8Array;
}

/** Reads format and size from the header. @throws UnusableImageError for other formats, tracking pixels and bombs */
async function readHeader(bytes: Buffer): Promise<Header> {
  const described = await sharp(bytes)
    .metadata()
    .catch((error: unknown) => {
      throw isTooLarge(error) ? tooManyPixels() : new Error('not an image', { cause: error });
    });
  const { width, height, format, compression } = described;
  const extension = FORMATS[format];
  if (extension === undefined || (extension === 'avif' && compression !== 'av1'))
    throw new UnusableImageError(`unsupported type ${format}`);
  const pixels = width * height;
  if (pixels > (DECODED_WHOLE.has(extension) ? MAX_WHOLE_PIXELS : MAX_PIXELS)) throw tooManyPixels();
  const [short, long] = width < height ? [width, height] : [height, width];
  if (short < MIN_SIDE) throw new UnusableImageError('too few pixels');
  const small = short < MIN_SHORT_SIDE || long < MIN_LONG_SIDE;
  return { extension, bytes: withoutMetadata(bytes, extension, described), pixels, small };
}

const isTooLarge = (error: unknown): boolean => error instanceof Error && /pixel limit/.test(error.message);
const tooManyPixels = () => new UnusableImageError('too many pixels');

/**
 * Removes metadata, then decodes the whole image, or the first frame of an animation.
 * @throws Error if the image is truncated or damaged, UnusableImageError if its format or size is not accepted
 */
export async function decodeImage(bytes: Buffer): Promise<DecodedImage> {
  const header = await readHeader(bytes);
  const queue = header.pixels > MAX_WHOLE_PIXELS ? largeDecoders : decoders;
  return queue.add(async () => {
    try {
      const raster = await sharp(header.bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS, sequentialRead: true })
        .timeout({ seconds: TIME_LIMIT_S })
        .autoOrient()
        .flatten({ background: '#fff' })
        .greyscale()
        .resize(RASTER_SIDE, RASTER_SIDE, { fit: 'fill', kernel: 'linear' })
        .raw()
        .toBuffer();
      return { ...header, raster };
    } catch (error) {
      throw isTooLarge(error) ? tooManyPixels() : new Error('not a whole image', { cause: error });
    }
  });
}
