import { imageSize } from 'image-size';
import { UnusableImageError } from './decode.ts';

/** Image formats that the CDN serves. SVG is excluded, because it can run scripts. */
const KINDS: Readonly<Record<string, { extension: string; contentType: string }>> = {
  jpg: { extension: 'jpg', contentType: 'image/jpeg' },
  png: { extension: 'png', contentType: 'image/png' },
  webp: { extension: 'webp', contentType: 'image/webp' },
  gif: { extension: 'gif', contentType: 'image/gif' },
  avif: { extension: 'avif', contentType: 'image/avif' },
};

export interface ImageKind {
  extension: string;
  contentType: string;
  width: number;
  height: number;
}

/**
 * Detects the image format from the bytes, regardless of headers.
 * @throws Error if the bytes are not an image, UnusableImageError for other formats
 */
export function readImageKind(bytes: Uint8Array): ImageKind {
  let size: ReturnType<typeof imageSize>;
  try {
    size = imageSize(bytes);
  } catch {
    throw new Error('not an image');
  }
  const kind = KINDS[size.type ?? ''];
  if (!kind) throw new UnusableImageError(`unsupported type ${size.type}`);
  if (!(size.width > 0 && size.height > 0)) throw new Error('an image without a size');
  return { ...kind, width: size.width, height: size.height };
}
