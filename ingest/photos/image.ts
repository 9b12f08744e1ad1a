import { imageSize } from 'image-size';

/** Kinds of image that are put on the CDN. SVG is a document that can run scripts, and is not among them. */
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

/** What an image is by its own bytes, whatever the host says it is. @throws Error when they are no image of these kinds */
export function readImageKind(bytes: Uint8Array): ImageKind {
  let size: ReturnType<typeof imageSize>;
  try {
    size = imageSize(bytes);
  } catch {
    throw new Error('not an image');
  }
  const kind = KINDS[size.type ?? ''];
  if (!kind) throw new Error(`an image of type ${size.type}, which is not taken`);
  if (!(size.width > 0 && size.height > 0)) throw new Error('an image without a size');
  return { ...kind, width: size.width, height: size.height };
}
