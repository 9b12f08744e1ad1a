import { copyOut, number, text } from '../postgres/copy-out.ts';
import type { RunContext } from '../run/context.ts';
import { photoHash } from './ads.ts';

const COLUMNS = { key: text('key'), sameAs: text('same_as'), isFlat: number('(phash is null)::int') };

/**
 * Numbers photos: images of one photo have one number. Null for a nearly uniform image, which identifies no property. Only
 * these keys are held in memory; an image without a stored hash is compared by its bytes.
 */
export async function loadSamePhotos(context: Pick<RunContext, 'pool' | 'signal'>) {
  const numbers = new Map<number, number | null>();
  for await (const rows of copyOut(context, COLUMNS, 'from photo_images where phash is null or same_as <> key'))
    for (const { key, sameAs, isFlat } of rows) numbers.set(photoHash(key), isFlat === 1 ? null : photoHash(sameAs));
  return (key: string): number | null => {
    const own = photoHash(key);
    const same = numbers.get(own);
    return same === undefined ? own : same;
  };
}
