/** 125 to 250 kB per million ids up to the highest one, because its capacity doubles. */
export class IdSet {
  #bits = new Uint8Array(1 << 13);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: number): boolean {
    const byte = this.#bits[Math.floor(id / 8)];
    return byte !== undefined && (byte & (1 << (id % 8))) !== 0;
  }

  add(id: number): void {
    const index = Math.floor(id / 8);
    if (index >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(index + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    const byte = this.#bits[index] as number;
    const bit = 1 << (id % 8);
    if ((byte & bit) !== 0) return;
    this.#bits[index] = byte | bit;
    this.#size += 1;
  }

  delete(id: number): void {
    if (!this.has(id)) return;
    const index = Math.floor(id / 8);
    this.#bits[index] = (this.#bits[index] as number) & ~(1 << (id % 8));
    this.#size -= 1;
  }
}
