/** Epoch seconds of the last complete crawl of each source, which confirms that its listings are live. */
export class SourceClock {
  readonly #load: () => Promise<Map<string, number>>;
  #seen = new Map<string, number>();

  constructor(load: () => Promise<Map<string, number>>) {
    this.#load = load;
  }

  /** If the reload fails, the previous times are kept. */
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
