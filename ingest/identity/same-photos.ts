import { type CopyOutContext, copyOut, number, text } from '../postgres/copy-out.ts';
import { photoHash } from './ads.ts';

const COLUMNS = { key: text('key'), sameAs: text('same_as'), isFlat: number('(phash is null)::int') };

/**
 * Returns a function from an image key to a photo number, equal for all images of one photo; null for nearly uniform
 * images, which identify no property. Only these and duplicate images are held in memory. Images without a hash are
 * compared by their bytes.
 */
export async function loadSamePhotos(context: CopyOutContext) {
  const numbers = new Map<number, number | null>();
  for await (const rows of copyOut(context, COLUMNS, 'from photo_images where phash is null or same_as <> key'))
    for (const { key, sameAs, isFlat } of rows) numbers.set(photoHash(key), isFlat === 1 ? null : photoHash(sameAs));
  return (key: string): number | null => {
    const own = photoHash(key);
    const same = numbers.get(own);
    return same === undefined ? own : same;
  };
}
