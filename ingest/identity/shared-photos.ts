import type { AdSet } from './ads.ts';

/** Photos that an ad has in common with ads of other properties, from which on they are taken for theirs too. */
const MIN_PHOTOS = 2;
const MIN_SHARE = 0.5;

/**
 * Returns whether an ad shows photos of other properties' ads: at least two, and half of all its photos. Photos that are common in the
 * city count. Each other shared photo is on few ads, so that the work is bounded.
 * @param leaders for each ad of the set the one that represents its property
 */
export function hasSharedPhotos(set: AdSet, ad: number, leaders: Int32Array): boolean {
  const { photos } = set.columns;
  const common = set.commonPhotos(ad);
  const total = (photos.counts[ad] as number) + common;
  const isElsewhere = (photo: number): boolean => photos.adsWith(photo).some((other) => leaders[other] !== leaders[ad]);
  const shared = common + photos.of(ad).filter(isElsewhere).length;
  return shared >= MIN_PHOTOS && shared >= total * MIN_SHARE;
}
