import type { AdSet } from './ads.ts';

/** Minimum number of photos that an ad must share with ads for other properties. */
const MIN_PHOTOS = 2;
const MIN_SHARE = 0.5;

/**
 * Returns whether an ad shows photos of other properties: at least two, and half of its photos, are on their ads or
 * common in the city.
 * @param leaders for each ad, the index of the ad that represents its property
 */
export function hasSharedPhotos(set: AdSet, ad: number, leaders: Int32Array): boolean {
  const { photos } = set.columns;
  const common = set.commonPhotos(ad);
  const total = (photos.counts[ad] as number) + common;
  const isElsewhere = (photo: number): boolean => photos.adsWith(photo).some((other) => leaders[other] !== leaders[ad]);
  const shared = common + photos.of(ad).filter(isElsewhere).length;
  return shared >= MIN_PHOTOS && shared >= total * MIN_SHARE;
}
