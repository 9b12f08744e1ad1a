export interface FairQueueOptions {
  /** That may wait, under one name and in all. */
  waitingPerName: number;
  waiting: number;
  /** Milliseconds that each may wait. */
  patience: number;
}

/** Why somebody may not wait, or waited in vain. */
export class QueueError extends Error {
  readonly reason: 'name_full' | 'full' | 'late';

  constructor(reason: QueueError['reason']) {
    super(`queue for charges: ${reason}`);
    this.name = 'QueueError';
    this.reason = reason;
  }
}

interface Waiter<Item> {
  item: Item;
  timer: NodeJS.Timeout;
}

/** Items that were taken out of the queue, in the order in which they came up. */
export interface Turn<Item> {
  items: Item[];
  /** To be called when nothing is done for them any more. */
  done(): void;
}

/** What was taken out of the queue together. */
export interface Taken<Item> extends Turn<Item> {
  /** The same by name. */
  turns: Turn<Item>[];
}

/**
 * Those who wait are taken by turns of their names: one with a thousand calls waiting does not keep another's only call
 * waiting. While something is done for a name, its others wait: they would wait for each other anyway, and in the way of
 * everyone.
 */
export class FairQueue<Item> {
  readonly #options: FairQueueOptions;
  /** The name whose turn it is comes first. No name is here without someone who waits. */
  readonly #names = new Map<string, Waiter<Item>[]>();
  readonly #busy = new Set<string>();
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /**
   * @param giveUp called when it has waited for too long
   * @throws QueueError
   */
  add(name: string, item: Item, giveUp: (late: QueueError) => void): void {
    const { waitingPerName, waiting, patience } = this.#options;
    const line = this.#names.get(name) ?? [];
    if (line.length >= waitingPerName) throw new QueueError('name_full');
    if (this.#waiting >= waiting) throw new QueueError('full');
    const timer = setTimeout(() => {
      // All have the same patience: who is late first came first.
      line.shift();
      this.#waiting--;
      if (line.length === 0) this.#names.delete(name);
      giveUp(new QueueError('late'));
    }, patience);
    line.push({ item, timer });
    this.#names.set(name, line);
    this.#waiting++;
  }

  /** Takes so many at most, of so many names; null when there is nobody to take. */
  take(most: number, mostNames: number): Taken<Item> | null {
    const items: Item[] = [];
    const names = new Map<string, Item[]>();
    // A name that is put back comes last, and so has its next turn after all others.
    for (const [name, line] of this.#names) {
      if (items.length === most) break;
      if (this.#busy.has(name) || (names.size === mostNames && !names.has(name))) continue;
      const next = line.shift() as Waiter<Item>;
      clearTimeout(next.timer);
      items.push(next.item);
      const mine = names.get(name);
      if (mine) mine.push(next.item);
      else names.set(name, [next.item]);
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
