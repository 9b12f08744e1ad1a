/** Suffix of the names of off-plan project feeds, whose states are separate from those of listing feeds. */
const PROJECTS = '/projects';

/** Epoch seconds of the last complete crawl of each source, which confirms that the source's listings are live. */
export class SourceClock {
  readonly #load: () => Promise<Map<string, number>>;
  #seen = new Map<string, number>();

  constructor(load: () => Promise<Map<string, number>>) {
    this.#load = load;
  }

  /** Reloads the times. If this fails, the previous ones are kept. */
  async refresh(): Promise<void> {
    this.#seen = await this.#load();
  }

  lastSeen(source: string): number | undefined {
    return this.#seen.get(source);
  }

  sources(): string[] {
    return [...this.#seen.keys()].filter((name) => !name.endsWith(PROJECTS)).sort();
  }

  allSources(): string[] {
    return [...new Set([...this.#seen.keys()].map((name) => name.replace(PROJECTS, '')))].sort();
  }
}
