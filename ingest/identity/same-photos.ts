import { type CopyOutContext, copyOut, number, text } from '../postgres/copy-out.ts';
import { photoHash } from './ads.ts';

const COLUMNS = { key: text('key'), sameAs: text('same_as'), isFlat: number('(phash is null)::int') };

/**
 * Returns a function that maps the key of an image to the number of its photo. Images of one photo have one number. A nearly
 * uniform image has none (null), because it identifies no property. Only keys of uniform images and of further images of a
 * photo are held in memory. An image without a stored hash is compared by its bytes.
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
