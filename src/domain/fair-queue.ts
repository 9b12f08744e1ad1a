export interface FairQueueOptions {
  /** Items that may wait, in all. */
  waiting: number;
  /** Items of one name that may wait. A name never takes more than half of the room that others have left. */
  waitingPerName?: number;
}

/** An item cannot be queued. */
export class QueueError extends Error {
  readonly reason: 'name_full' | 'full';

  constructor(reason: QueueError['reason']) {
    super(`the queue is full: ${reason}`);
    this.name = 'QueueError';
    this.reason = reason;
  }
}

/** Items that were taken out of the queue, in the order in which they came up. */
interface Turn<Item> {
  items: Item[];
  /** To be called when nothing is done for them any more. */
  done(): void;
}

/** Items taken from the queue together. */
export interface Taken<Item> extends Turn<Item> {
  /** The same by name. */
  turns: Turn<Item>[];
}

/**
 * A bounded queue that serves names round robin: a name with a thousand items does not delay the only item of another. While
 * the items of a turn are processed, other items of the name wait.
 */
export class FairQueue<Item> {
  readonly #options: FairQueueOptions;
  /** The name whose turn it is comes first. A name without items is removed. */
  readonly #names = new Map<string, Item[]>();
  readonly #busy = new Set<string>();
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Items that wait, of all names. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Names with items that wait. */
  get names(): number {
    return this.#names.size;
  }

  /** Items of a name that wait. */
  waitingOf(name: string): number {
    return this.#names.get(name)?.length ?? 0;
  }

  /**
   * Returns why no item of a name can be added: `name_full` if its own items fill the queue, `full` if those of others do;
   * otherwise null.
   */
  refusal(name: string): QueueError['reason'] | null {
    const { waiting, waitingPerName = waiting } = this.#options;
    const room = waiting - this.#waiting;
    const mine = this.waitingOf(name);
    if (mine < Math.min(waitingPerName, room)) return null;
    return mine > 0 ? 'name_full' : 'full';
  }

  /**
   * @returns a function that removes the item; it has no effect once the item was taken
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

  /** Takes a limited number of items from a limited number of names; null when there are none to take. */
  take(most: number, mostNames: number): Taken<Item> | null {
    const items: Item[] = [];
    const names = new Map<string, Item[]>();
    // A name that is put back comes last, and so has its next turn after all others.
    for (const [name, line] of this.#names) {
      if (items.length === most) break;
      if (this.#busy.has(name) || (names.size === mostNames && !names.has(name))) continue;
      const next = line.shift() as Item;
      items.push(next);
      const mine = names.get(name);
      if (mine) mine.push(next);
      else names.set(name, [next]);
      this.#names.delete(name);
      if (line.length > 0) this.#names.set(name, line);
    }
    if (items.length === 0) return null;
    this.#waiting -= items.length;
    const turns = [...names].map(([name, mine]): Turn<Item> => {
      this.#busy.add(name);
      return { items: mine, done: () => this.#busy.delete(name) };
    });
    const done = (): void => {
      for (const turn of turns) turn.done();
    };
    return { items, done, turns };
  }
}
