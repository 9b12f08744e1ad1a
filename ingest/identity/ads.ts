import { SIGNATURE_SIZE, unpackSignature } from './signature.ts';

/** An ad as identity compares it; NaN for a number that is not stated, 0 for a hash that is not. */
export interface Ad {
  id: number;
  /** Index of its source, the same for ads of one source. */
  source: number;
  neighborhood: number;
  bedrooms: number;
  bathrooms: number;
  livings: number;
  age: number;
  floor: string | null;
  area: number;
  price: number;
  lat: number;
  lng: number;
  advertiser: string | null;
  /** Whether `signatures` of the set holds a text for it. */
  hasText: boolean;
  photos: readonly string[];
  /** Whether it could be served: it has photos or needs none. */
  servable: boolean;
  /** Whether it was served before this run. */
  wasServed: boolean;
}

/** The live ads of one city, listing type and property type: what may be one property is always in one set. */
export class AdSet {
  readonly ads: Ad[] = [];
  #signatures = new Uint16Array(SIGNATURE_SIZE * 256);

  get size(): number {
    return this.ads.length;
  }

  add(ad: Omit<Ad, 'hasText'>, signature: string): void {
    const offset = this.ads.length * SIGNATURE_SIZE;
    if (offset + SIGNATURE_SIZE > this.#signatures.length) {
      const grown = new Uint16Array(this.#signatures.length * 2);
      grown.set(this.#signatures);
      this.#signatures = grown;
    }
    this.ads.push({ ...ad, hasText: unpackSignature(signature, this.#signatures, offset) });
  }

  /** Estimated share of words and word pairs that two ads' texts have in common; NaN where one has no text. */
  textSimilarity(a: number, b: number): number {
    if (!this.ads[a]?.hasText || !this.ads[b]?.hasText) return Number.NaN;
    let equal = 0;
    const left = a * SIGNATURE_SIZE;
    const right = b * SIGNATURE_SIZE;
    for (let place = 0; place < SIGNATURE_SIZE; place++) {
      if (this.#signatures[left + place] === this.#signatures[right + place]) equal++;
    }
    return equal / SIGNATURE_SIZE;
  }
}
