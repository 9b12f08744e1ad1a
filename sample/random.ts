/** Pseudo-random numbers (sfc32). Every group of homes has a generator. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(seed: number, stream: number) {
    this.a = seed | 0;
    this.b = stream | 0;
    this.c = Math.floor(stream / 0x1_0000_0000) ^ 0x9e3779b9;
    for (let i = 0; i < 12; i++) this.next();
  }

  next(): number {
    const t = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + t;
    return (t >>> 0) / 0x1_0000_0000;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T;
  }

  /** Returns a standard normal number (Box-Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** Returns a log-normal number around 1. */
  spread(deviation: number): number {
    return Math.exp(this.normal() * deviation);
  }
}

export class Weighted<T> {
  private readonly items: readonly (readonly [T, number])[];
  private readonly total: number;

  constructor(items: readonly (readonly [T, number])[]) {
    this.items = items;
    this.total = items.reduce((sum, [, weight]) => sum + weight, 0);
  }

  pick(random: Random): T {
    let rest = random.next() * this.total;
    let at = -1;
    do rest -= this.items[++at]?.[1] ?? 0;
    while (rest >= 0 && at < this.items.length - 1);
    return this.items[at]?.[0] as T;
  }
}

export const weighted = <K extends string>(weights: Partial<Record<K, number>>): Weighted<K> =>
  new Weighted(Object.entries(weights) as [K, number][]);

/** Returns the 32-bit FNV-1a hash of a text. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
