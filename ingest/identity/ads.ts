import { SIGNATURE_SIZE, unpackSignature } from './signature.ts';

/** An ad as identity compares it; NaN for a number that is not stated. */
export interface Ad {
  id: number;
  /** Index of its source, the same for ads of one source. */
  source: number;
  /** 0 where not stated. */
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

/** The live ads of one city, listing type and property type: ads of one property are always in one set. */
export class AdSet {
  readonly ads: Ad[] = [];
  #signatures = new Uint16Array(SIGNATURE_SIZE * 256);
  #blockPenalties: Float32Array | null = null;

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
    this.#blockPenalties = null;
    this.ads.push({ ...ad, hasText: unpackSignature(signature, this.#signatures, offset) });
  }

  /**
   * Points that a pair loses because its block is large: the more ads of one neighborhood and number of bedrooms there
   * are, the more of them look alike by chance. One for each doubling beyond `TYPICAL_BLOCK`.
   */
  blockPenalty(a: number, b: number): number {
    this.#blockPenalties ??= blockPenaltiesOf(this.ads);
    return Math.max(this.#blockPenalties[a] as number, this.#blockPenalties[b] as number);
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

/** Ads in a block of usual size. */
const TYPICAL_BLOCK = 24;

function blockPenaltiesOf(ads: readonly Ad[]): Float32Array {
  const sizes = new Map<number, number>();
  const blocks = ads.map(blockOf);
  for (const block of blocks) sizes.set(block, (sizes.get(block) ?? 0) + 1);
  return Float32Array.from(blocks, (block) => Math.log2(Math.max(1, (sizes.get(block) ?? 1) / TYPICAL_BLOCK)));
}

/** A block is the ads of one neighborhood and number of bedrooms. Those that do not state them are blocks of their own. */
export function blockOf({ neighborhood, bedrooms }: Ad): number {
  return neighborhood * 1_000 + (Number.isNaN(bedrooms) ? 999 : Math.min(bedrooms, 998));
}
