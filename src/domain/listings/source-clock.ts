/** Times in epoch seconds of the last complete crawl of each source, which confirmed its live listings. */
export class SourceClock {
  readonly #load: () => Promise<Map<string, number>>;
  #seen = new Map<string, number>();

  constructor(load: () => Promise<Map<string, number>>) {
    this.#load = load;
  }

  /** Reloads the times; a failed reload keeps the previous ones. */
  async refresh(): Promise<void> {
    this.#seen = await this.#load();
  }

  lastSeen(source: string): number | undefined {
    return this.#seen.get(source);
  }

  sources(): string[] {
    return [...this.#seen.keys()].sort();
  }
}
