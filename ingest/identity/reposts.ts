import { SIGNATURE_SIZE, unpackSignature } from '../normalize/signature.ts';
import { areaStep } from './home-order.ts';

/** An ad of one advertiser on one source, city and listing type; NaN for a missing number. */
export interface PostedAd {
  id: number;
  /** `new` was added by this run, `withdrawn` was removed within the window, `live` is neither. */
  state: 'new' | 'withdrawn' | 'live';
  /** The kind of property within which ads are compared. */
  kind: string;
  area: number;
  textArea: number;
  price: number;
  bedrooms: number;
  floor: string | null;
  unit: string | null;
  signature: string;
  photos: readonly string[];
  /** Hash of the photo addresses, which is known before photos are copied; empty without photos. */
  photoList: string;
}

/** Maximum price change of a repost, as a share of the larger price. */
const REPRICED = 0.15;
/** Minimum share of a text that a repost has in common with the earlier ad. */
const SAME_TEXT = 0.9;
const SAME_PHOTOS = 0.5;

/**
 * Returns the earlier ad of each repost, by the id of the new ad. A new ad that fits two other ads, live or withdrawn, is not a
 * repost, because an advertiser may offer several units of one plan in the same words. Pure; independent of the order
 * of ads.
 */
export function findReposts(ads: readonly PostedAd[]): Map<number, number> {
  const found = new Map<number, number>();
  const fits = new Map<number, PostedAd[]>();
  const add = (ad: PostedAd, other: PostedAd): void => {
    fits.set(ad.id, [...(fits.get(ad.id) ?? []), other]);
  };
  // Ads of one home are in the same step of area or in adjacent ones.
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

/** Maximum number of compared ads of nearly one area; among more, none can be distinguished. */
const MAX_COMPARED = 400;

/** Returns whether two ads may be of one home: no fact differs, and text, photos or unit number are equal. */
function mayBeOne(a: PostedAd, b: PostedAd): boolean {
  const larger = Math.max(a.area, b.area);
  if (a.kind !== b.kind || !(Math.abs(a.area - b.area) <= Math.max(2.5, 0.01 * larger))) return false;
  if (Math.abs(a.price - b.price) > REPRICED * Math.max(a.price, b.price)) return false;
  if (Math.abs(a.bedrooms - b.bedrooms) > 1) return false;
  if (differ(a.floor, b.floor) || differ(a.unit, b.unit)) return false;
  if ((a.unit !== null && a.unit === b.unit) || sharePhotos(a, b)) return true;
  // An advertiser offers units of several plans in the same words.
  return Math.abs(a.area - b.area) < 0.5 && textSimilarity(a, b) >= SAME_TEXT;
}

const differ = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b;

function sharePhotos({ photos, photoList }: PostedAd, other: PostedAd): boolean {
  if (photoList !== '' && photoList === other.photoList) return true;
  const most = Math.max(photos.length, other.photos.length);
  return most > 0 && photos.filter((photo) => other.photos.includes(photo)).length >= most * SAME_PHOTOS;
}

const left = new Uint16Array(SIGNATURE_SIZE);
const right = new Uint16Array(SIGNATURE_SIZE);

function textSimilarity(a: PostedAd, b: PostedAd): number {
  if (!unpackSignature(a.signature, left, 0) || !unpackSignature(b.signature, right, 0)) return 0;
  let equal = 0;
  for (let place = 0; place < SIGNATURE_SIZE; place++) if (left[place] === right[place]) equal++;
  return equal / SIGNATURE_SIZE;
}
