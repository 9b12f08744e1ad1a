export interface FairQueueOptions {
  /** That may be inside at once. */
  places: number;
  /** That may wait, under one name and in all. */
  waitingPerName: number;
  waiting: number;
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

interface Waiter {
  admit(): void;
  isLate: boolean;
}

/**
 * Lets so many in at once. Those who wait are let in by turns of their names: one with a thousand calls waiting does not
 * keep another's only call waiting.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** The name whose turn it is comes first. No name is here without someone who waits. */
  readonly #names = new Map<string, Waiter[]>();
  #inside = 0;
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /**
   * Waits for a place.
   * @param patience milliseconds
   * @returns what gives the place up
   * @throws QueueError
   */
  async enter(name: string, patience: number): Promise<() => void> {
    if (this.#inside < this.#options.places) this.#inside++;
    else await this.#wait(name, patience);
    let left = false;
    return () => {
      if (!left) this.#leave();
      left = true;
    };
  }

  #wait(name: string, patience: number): Promise<void> {
    const others = this.#names.get(name) ?? [];
    if (others.length >= this.#options.waitingPerName) throw new QueueError('name_full');
    if (this.#waiting >= this.#options.waiting) throw new QueueError('full');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiter.isLate = true;
        this.#waiting--;
        // Those of a name give up in the order they came: what is late is at the front.
        while (others[0]?.isLate) others.shift();
        if (others.length === 0) this.#names.delete(name);
        reject(new QueueError('late'));
      }, patience);
      const waiter: Waiter = {
        isLate: false,
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      others.push(waiter);
      this.#names.set(name, others);
      this.#waiting++;
    });
  }

  /** The place goes to the next name; it comes last in line then. */
  #leave(): void {
    for (const [name, waiters] of this.#names) {
      this.#names.delete(name);
      let next = waiters.shift();
      while (next?.isLate) next = waiters.shift();
      if (waiters.length > 0) this.#names.set(name, waiters);
      if (!next) continue;
      this.#waiting--;
      next.admit();
      return;
    }
    this.#inside--;
  }
}
