import type { Queryable } from '#stores/postgres/transaction.ts';
import { bandsOf, MAX_DISTANCE, nearBands } from './phash.ts';

/** An image in the CDN bucket. Equal bytes have equal keys. */
export interface PhotoImage {
  key: string;
  /** Perceptual hash; null for a nearly uniform image, or a stored image that cannot be decoded. */
  phash: bigint | null;
}

/** SQL for the first image with the most similar hash within the maximum distance. */
const NEAREST = `
  select key from photo_bands
   where band = any ($3::integer[]) and bit_count((phash # $2::bigint)::bit(64)) <= ${MAX_DISTANCE}
   order by bit_count((phash # $2::bigint)::bit(64)), key limit 1`;

/**
 * Stores each new image with the first image of the same photo: the nearest within `MAX_DISTANCE` bits, else itself.
 * Images are compared only with first images, so two images of one photo may differ in twice as many bits.
 */
export async function recordImages(db: Queryable, images: readonly PhotoImage[]): Promise<void> {
  for (const { key, phash } of images)
    await db.query({
      name: 'photo-image',
      text: `
        with image as (
          insert into photo_images (key, phash, same_as)
            values ($1::text, $2::bigint, coalesce((${NEAREST}), $1::text))
          on conflict do nothing returning same_as)
        insert into photo_bands (band, phash, key)
          select unnest($4::integer[]), $2, $1 from image where same_as = $1`,
      values: phash === null ? [key, null, [], []] : [key, String(phash), nearBands(phash), bandsOf(phash)],
    });
}
