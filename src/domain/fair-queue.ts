import { addTo } from './multimap.ts';

export interface FairQueueOptions {
  /** Maximum number of waiting items. */
  waiting: number;
  /** Maximum number of waiting items per name. One name never takes more than half of the free capacity. */
  waitingPerName?: number;
}

/** Thrown if an item cannot be queued. */
export class QueueError extends Error {
  readonly reason: 'name_full' | 'full';

  constructor(reason: QueueError['reason']) {
    super(`the queue is full: ${reason}`);
    this.name = 'QueueError';
    this.reason = reason;
  }
}

/** Items taken from the queue, in queue order. */
interface Batch<Item> {
  items: Item[];
  /** Must be called when the items have been processed. */
  done(): void;
}

/** Items taken from the queue together. */
export interface Taken<Item> extends Batch<Item> {
  /** The same items, grouped by name. */
  byName: Batch<Item>[];
}

/**
 * A bounded queue that serves names round robin: a name with a thousand items does not delay another name's only item.
 * While some of a name's items are processed, its other items wait.
 */
export class FairQueue<Item> {
  readonly #options: FairQueueOptions;
  /** Names in the order in which they are served. A name without items is removed. */
  readonly #names = new Map<string, Item[]>();
  readonly #busy = new Set<string>();
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Number of waiting items. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Number of names with waiting items. */
  get names(): number {
    return this.#names.size;
  }

  /** Number of waiting items for one name. */
  waitingOf(name: string): number {
    return this.#names.get(name)?.length ?? 0;
  }

  /**
   * Returns the reason why an item cannot be added for a name: `name_full` if the name's own items reach its limit,
   * `full` if other names' items fill the queue. Returns null if an item can be added.
   */
  refusal(name: string): QueueError['reason'] | null {
    const { waiting, waitingPerName = waiting } = this.#options;
    const room = waiting - this.#waiting;
    const mine = this.waitingOf(name);
    if (mine < Math.min(waitingPerName, room)) return null;
    return mine > 0 ? 'name_full' : 'full';
  }

  /**
   * Adds an item.
   * @returns a function that removes the item, without effect once the item was taken
   * @throws QueueError
   */
  add(name: string, item: Item): () => void {
    const refusal = this.refusal(name);
    if (refusal !== null) throw new QueueError(refusal);
    const line = this.#names.get(name) ?? [];
    line.push(item);
    this.#names.set(name, line);
    this.#waiting++;
    return () => {
      const at = line.indexOf(item);
      if (at === -1) return;
      line.splice(at, 1);
      this.#waiting--;
      if (line.length === 0) this.#names.delete(name);
    };
  }

  /** Takes up to `maxItems` items from up to `maxNames` names. Returns null if no item can be taken. */
  take(maxItems: number, maxNames: number): Taken<Item> | null {
    const items: Item[] = [];
    const names = new Map<string, Item[]>();
    // Deleting and inserting a name moves it to the end, so it is served after all others.
    for (const [name, line] of this.#names) {
      if (items.length === maxItems) break;
      if (this.#busy.has(name) || (names.size === maxNames && !names.has(name))) continue;
      const next = line.shift() as Item;
      items.push(next);
      addTo(names, name, next);
      this.#names.delete(name);
      if (line.length > 0) this.#names.set(name, line);
    }
    if (items.length === 0) return null;
    this.#waiting -= items.length;
    const byName = [...names].map(([name, mine]): Batch<Item> => {
      this.#busy.add(name);
      return { items: mine, done: () => this.#busy.delete(name) };
    });
    const done = (): void => {
      for (const batch of byName) batch.done();
    };
    return { items, done, byName };
  }
}
