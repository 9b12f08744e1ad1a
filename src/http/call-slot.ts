import { OverloadError, type Requester, type SearchQueues, type Slot, waitFor } from '#domain/search-queues.ts';
import type { Endpoint } from './endpoint.ts';
import type { Prefetch } from './prefetch.ts';

const ENDED = 'the call has ended';

/**
 * Queue slot of a call to an endpoint with a `load`. A call enters the queue before it is charged, so that no database
 * query is needed to refuse it. It stays in the queue during the charge, and starts its work once it has been charged
 * and has a slot.
 */
export class CallSlot implements Requester {
  readonly name: string;
  readonly #queues: SearchQueues;
  readonly #charged = Promise.withResolvers<void>();
  readonly #queued = Promise.withResolvers<void>();
  #ended: AbortController | null = null;
  #hasEnded = false;
  #slot: Slot | null = null;

  constructor(queues: SearchQueues, name: string) {
    this.#queues = queues;
    this.name = name;
  }

  get signal(): AbortSignal {
    this.#ended ??= new AbortController();
    if (this.#hasEnded) this.#ended.abort(ENDED);
    return this.#ended.signal;
  }

  get charged(): Promise<void> {
    return this.#charged.promise;
  }

  queued(): void {
    this.#queued.resolve();
  }

  /**
   * Adds a call to the queue, unless its endpoint has no `load` or its result is cached.
   * @throws OverloadError, which refuses the call, if the queue is full or the expected wait is too long
   */
  async enter({ load }: Endpoint, prefetch: Prefetch): Promise<void> {
    if (load === undefined) return;
    if (load !== 'shared') {
      this.#slot = this.#queues.enter(load, this.name);
      return;
    }
    // Other failures are reported after the charge, and only to callers with access.
    const fetched = prefetch.start().catch((error: unknown) => {
      if (error instanceof OverloadError) throw error;
    });
    await Promise.race([this.#queued.promise, fetched]);
  }

  /** Whether the call can start: it has a slot or does not require one. */
  get hasBegun(): boolean {
    return this.#slot?.hasBegun ?? true;
  }

  /** Marks the call as charged, or as likely to be charged, so that it may use its slot. */
  setCharged(): void {
    this.#charged.resolve();
  }

  /** Waits until the call has a slot, if it requires one. @throws StoreError if the deadline passes first */
  async begin(deadline: number): Promise<void> {
    if (this.#slot && !this.#slot.hasBegun) await waitFor(this.#slot.begun, this, deadline);
  }

  /**
   * Called when the client disconnects. A queued call leaves the queue; a running call keeps its slot until it ends.
   */
  disconnect(): void {
    if (!this.#slot?.hasBegun) this.end();
  }

  /** Called when the call ends. Frees the slot or leaves the queue. */
  end(): void {
    this.#hasEnded = true;
    this.#slot?.leave();
    // An explicit reason is passed, because capturing the stack trace of the default error costs more than the abort.
    this.#ended?.abort(ENDED);
  }
}
