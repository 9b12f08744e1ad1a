import { SIGNATURE_SIZE, slotsOf } from '../normalize/signature.ts';
import { areaStep, differ } from './sharing.ts';

/** An ad among those of its advertiser, source, city and listing type; missing numbers are NaN. */
export interface PostedAd {
  id: number;
  /** `new`: added by this run. `withdrawn`: withdrawn within the repost window. `live`: neither. */
  state: 'new' | 'withdrawn' | 'live';
  kind: string;
  area: number;
  textArea: number;
  price: number;
  bedrooms: number;
  floor: string | null;
  unit: string | null;
  signature: string;
  photos: readonly string[];
  /** Hash of the URLs, which are known before photos are copied; empty without photos. */
  photoList: string;
}

/** Share of the larger price. */
const REPRICED = 0.15;
const SAME_TEXT = 0.9;
const SAME_PHOTOS = 0.5;

/**
 * Returns originals by the id of the repost. An ad that matches two others is no repost, because an advertiser may
 * offer several units in the same words. Pure; the order of ads does not affect the result.
 */
export function findReposts(ads: readonly PostedAd[]): Map<number, number> {
  const found = new Map<number, number>();
  const fits = new Map<number, PostedAd[]>();
  const add = (ad: PostedAd, other: PostedAd): void => {
    fits.set(ad.id, [...(fits.get(ad.id) ?? []), other]);
  };
  // Ads for one home are in the same area step or in adjacent ones.
  const steps = Map.groupBy(ads, areaStep);
  for (const [step, own] of steps) {
    if (step === 0) continue;
    const near = [...own, ...(steps.get(step + 1) ?? [])];
    if (near.length > MAX_COMPARED) continue;
    for (const [at, ad] of own.entries())
      for (const other of near.slice(at + 1))
        if (mayBeOne(ad, other)) {
          add(ad, other);
          add(other, ad);
        }
  }
  for (const ad of ads) {
    if (ad.state !== 'new') continue;
    const [other, ...more] = fits.get(ad.id) ?? [];
    if (other?.state === 'withdrawn' && more.length === 0 && fits.get(other.id)?.length === 1)
      found.set(ad.id, other.id);
  }
  return found;
}

/** In a larger group of one area, ads cannot be distinguished reliably. */
const MAX_COMPARED = 400;

/** No fact clearly differs, and texts, photos or unit numbers match. */
function mayBeOne(a: PostedAd, b: PostedAd): boolean {
  const larger = Math.max(a.area, b.area);
  if (a.kind !== b.kind || !(Math.abs(a.area - b.area) <= Math.max(2.5, 0.01 * larger))) return false;
  if (Math.abs(a.price - b.price) > REPRICED * Math.max(a.price, b.price)) return false;
  if (Math.abs(a.bedrooms - b.bedrooms) > 1) return false;
  if (differ(a.floor, b.floor) || differ(a.unit, b.unit)) return false;
  if ((a.unit !== null && a.unit === b.unit) || sharePhotos(a, b)) return true;
  // An advertiser may describe units with different floor plans in the same words, so equal text is not sufficient.
  return Math.abs(a.area - b.area) < 0.5 && textSimilarity(a, b) >= SAME_TEXT;
}

function sharePhotos({ photos, photoList }: PostedAd, other: PostedAd): boolean {
  if (photoList !== '' && photoList === other.photoList) return true;
  const most = Math.max(photos.length, other.photos.length);
  return most > 0 && photos.filter((photo) => other.photos.includes(photo)).length >= most * SAME_PHOTOS;
}

function textSimilarity(a: PostedAd, b: PostedAd): number {
  const others = slotsOf(b.signature);
  return slotsOf(a.signature).filter((slot, place) => slot === others[place]).length / SIGNATURE_SIZE;
}
