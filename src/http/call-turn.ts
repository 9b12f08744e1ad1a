import { OverloadError, type Place, type Requester, type Turns, waitFor } from '#domain/turns.ts';
import type { Endpoint } from './endpoint.ts';
import type { Prefetch } from './prefetch.ts';

const ENDED = 'the call has ended';

/**
 * The turn of a call to an endpoint with a `load`. A call takes its place in the queue before it is charged, so that a refusal
 * costs no query; it waits while it is charged, and causes work when it has both.
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
   * Takes a place for a call, where its endpoint needs one and its result is not cached.
   * @throws OverloadError when there is none: the call is refused
   */
  async enter({ load }: Endpoint, prefetch: Prefetch): Promise<void> {
    if (load === undefined) return;
    if (load !== 'shared') {
      this.#place = this.#turns.enter(load, this.name);
      return;
    }
    // Any other failure is for callers with access, which the charge decides.
    const fetched = prefetch.start().catch((error: unknown) => {
      if (error instanceof OverloadError) throw error;
    });
    await Promise.race([this.#queued.promise, fetched]);
  }

  /** Whether the call does not wait. */
  get hasBegun(): boolean {
    return this.#place?.hasBegun ?? true;
  }

  /** The call is charged, or certain to be: its turn may be used. */
  setCharged(): void {
    this.#charged.resolve();
  }

  /** Waits for the turn of a call that has a place of its own. @throws StoreError */
  async begin(deadline: number): Promise<void> {
    if (this.#place && !this.#place.hasBegun) await waitFor(this.#place.begun, this, deadline);
  }

  /** Leaves the queue, as the client has disconnected. What has begun keeps its turn until it is done. */
  disconnect(): void {
    if (!this.#place?.hasBegun) this.end();
  }

  /** Ends the turn, or leaves the queue: the call is done or has failed. */
  end(): void {
    this.#hasEnded = true;
    this.#place?.leave();
    // A reason of one's own: the default is an error whose stack costs more than the rest.
    this.#ended?.abort(ENDED);
  }
}
