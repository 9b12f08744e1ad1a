import type { AdSet } from './ads.ts';

/** Photos that an ad has in common with ads of other properties, from which on they are taken for theirs too. */
const MIN_PHOTOS = 2;
const MIN_SHARE = 0.5;

/**
 * Whether an ad shows photos that ads of other properties show too: at least two, and half of its own. A photo that is common
 * in the city counts. Each shared photo is on few ads, or it would be common, so that the work is bounded.
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
