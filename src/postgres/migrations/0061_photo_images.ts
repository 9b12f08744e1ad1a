import type { Knex } from 'knex';

/**
 * Images in the CDN bucket by content. Images that show the same photo, re-encoded or resized, reference the first of
 * them.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table photo_images (
      -- Starts with the SHA-256 of the bytes.
      key text primary key,
      -- Perceptual hash of 64 bits; null for a picture that is nearly uniform, which identifies no property.
      phash bigint,
      -- The first image stored that is within the distance; itself where there is none.
      same_as text not null
    );
    -- The four bands of 16 bits of the hashes of first images: the number of the band and its bits.
    create table photo_bands (
      band integer not null,
      phash bigint not null,
      key text not null
    );
    create index photo_bands_band on photo_bands (band) include (phash);
    create index photo_images_evidence on photo_images (key) include (same_as, phash) where phash is null or same_as <> key;
  `);
}
