import { toAmount } from '#domain/money.ts';
import { addTo } from '#domain/multimap.ts';
import {
  type Bounds,
  boundsOf,
  cellName,
  FENCE_KINDS,
  type Fence,
  type FenceKind,
  fenceKey,
  flagsOf,
  isPricedByArea,
  isPricePerSqm,
  KINDS,
  makeFence,
  type PlausibilityFacts,
  TIERS,
} from './fences.ts';

interface PricedAd {
  id: number;
  price: number | null;
  area: number | null;
}

/** Ads that differ only in price and area. A market has only a few thousand profiles. */
interface Profile<Ad> {
  judged: PlausibilityFacts;
  ads: Ad[];
}

/** Usually, two passes suffice. */
const MAX_PASSES = 10;

export class Market<Ad extends PricedAd = PricedAd> {
  readonly #profiles = new Map<string, Profile<Ad>>();
  size = 0;

  /** @param key equal for ads with equal `judged`, apart from price and area */
  add(key: string, judged: () => PlausibilityFacts, ad: Ad): void {
    let profile = this.#profiles.get(key);
    if (profile === undefined) {
      profile = { judged: judged(), ads: [] };
      this.#profiles.set(key, profile);
    }
    profile.ads.push(ad);
    this.size++;
  }

  /** By `fenceKey`, for cells with enough prices. */
  fences(kinds: readonly FenceKind[] = FENCE_KINDS): Map<string, Fence> {
    const fences = new Map<string, Fence>();
    for (const kind of kinds)
      for (const tier of TIERS) {
        const cells = new Map<string, number[]>();
        for (const { judged, ads } of this.#profiles.values()) {
          const cell = cellName(kind, tier, judged);
          if (cell === null) continue;
          for (const { price, area } of ads) {
            const value = kind === 'per_sqm' ? (price ?? 0) / (area ?? 0) : (price ?? 0);
            if (value > 0 && Number.isFinite(value)) addTo(cells, cell, value);
          }
        }
        for (const [cell, prices] of cells) {
          const fence = makeFence(kind, tier, cell, Float64Array.from(prices));
          if (fence) fences.set(fenceKey(kind, tier, cell), fence);
        }
      }
    return fences;
  }

  /** Sales whose price is per square meter get a total price. @returns these sales */
  correctPricesPerSqm(): { id: number; price: number }[] {
    const corrected = new Map<number, { id: number; price: number }>();
    // Corrections change the fences, so passes repeat until nothing is found. A resumed stage then finds nothing more.
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const fences = this.fences(['per_sqm']);
      const before = corrected.size;
      for (const { judged, ads } of this.#profiles.values()) {
        if (judged.listing_type !== 'sale' || !isPricedByArea(judged.property_type)) continue;
        const { perSqm } = boundsOf('typed', judged, fences);
        if (perSqm === undefined) continue;
        for (const ad of ads) {
          const { id, price, area } = ad;
          if (price === null || area === null || !isPricePerSqm(price, area, perSqm)) continue;
          ad.price = toAmount(price * area);
          corrected.set(id, { id, price: ad.price });
        }
      }
      if (corrected.size === before) break;
    }
    return [...corrected.values()];
  }

  /** As `flagsOf`. */
  *verdicts(fences: ReadonlyMap<string, Fence>): Generator<[ad: Ad, flags: number]> {
    for (const { judged, ads } of this.#profiles.values()) {
      const [typed, pooled] = KINDS.map((kind) => boundsOf(kind, judged, fences)) as [Bounds, Bounds];
      for (const ad of ads) {
        const price = ad.price !== null && ad.price > 0 ? ad.price : null;
        yield [ad, flagsOf({ ...judged, price, area_sqm: ad.area }, { typed, pooled })];
      }
    }
  }
}
