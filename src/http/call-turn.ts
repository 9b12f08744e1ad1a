import { OverloadError, type Place, type Requester, type Turns, waitFor } from '#domain/turns.ts';
import type { Endpoint } from './endpoint.ts';
import type { Prefetch } from './prefetch.ts';

const ENDED = 'the call has ended';

/**
 * Queue slot of a call to an endpoint with a `load`. A call enters the queue before it is charged, so that refusing it costs
 * no query. It stays in the queue during the charge, and starts its work once its turn has begun and it is charged.
 */
export class CallTurn implements Requester {
  readonly name: string;
  readonly #turns: Turns;
  readonly #charged = Promise.withResolvers<void>();
  readonly #queued = Promise.withResolvers<void>();
  #ended: AbortController | null = null;
  #hasEnded = false;
  #place: Place | null = null;

  constructor(turns: Turns, name: string) {
    this.#turns = turns;
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
   * @throws OverloadError if the queue is full: the call is refused
   */
  async enter({ load }: Endpoint, prefetch: Prefetch): Promise<void> {
    if (load === undefined) return;
    if (load !== 'shared') {
      this.#place = this.#turns.enter(load, this.name);
      return;
    }
    // Other failures are reported after the charge, and only to callers with access.
    const fetched = prefetch.start().catch((error: unknown) => {
      if (error instanceof OverloadError) throw error;
    });
    await Promise.race([this.#queued.promise, fetched]);
  }

  /** Whether the call can start: its turn has begun, or it has no queue slot. */
  get hasBegun(): boolean {
    return this.#place?.hasBegun ?? true;
  }

  /** Marks the call as charged, or certain to be charged, so that it may use its turn. */
  setCharged(): void {
    this.#charged.resolve();
  }

  /** Waits until a call with its own queue slot gets its turn. @throws StoreError at the deadline */
  async begin(deadline: number): Promise<void> {
    if (this.#place && !this.#place.hasBegun) await waitFor(this.#place.begun, this, deadline);
  }

  /** Leaves the queue after the client disconnected. Work in progress keeps its turn until it ends. */
  disconnect(): void {
    if (!this.#place?.hasBegun) this.end();
  }

  /** Ends the turn or leaves the queue after the call succeeded or failed. */
  end(): void {
    this.#hasEnded = true;
    this.#place?.leave();
    // With an explicit reason: the stack trace of the default error costs more than the abort.
    this.#ended?.abort(ENDED);
  }
}
