/** When each source was last read completely, in epoch seconds: its live listings were confirmed then. */
export class SourceClock {
  readonly #load: () => Promise<Map<string, number>>;
  #seen = new Map<string, number>();

  constructor(load: () => Promise<Map<string, number>>) {
    this.#load = load;
  }

  /** Reloads the times; after a failure the old ones stay. */
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
