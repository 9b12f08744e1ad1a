import type { KeyedEndpoint, UnchargedCall } from './endpoint.ts';

/** Data fetched before the handler of an endpoint runs. `start` fetches only once. */
export class Prefetch {
  readonly #endpoint: KeyedEndpoint;
  readonly #call: UnchargedCall;
  #started: Promise<unknown> | null = null;

  constructor(endpoint: KeyedEndpoint, call: UnchargedCall) {
    this.#endpoint = endpoint;
    this.#call = call;
  }

  start(): Promise<unknown> {
    if (this.#started === null) {
      this.#started = begin(this.#endpoint, this.#call);
      // The handler that awaits the result receives the error. Without a handler, the rejection would be unhandled.
      this.#started.catch(() => {});
    }
    return this.#started;
  }

  /** Frees the data of a call that does not reach its handler, including data that is still being fetched. */
  discard(): void {
    this.#started?.then(free, () => {});
  }
}

/** Async, so that synchronous errors become rejections. */
async function begin(endpoint: KeyedEndpoint, call: UnchargedCall): Promise<unknown> {
  return endpoint.prefetch?.(call);
}

function free(fetched: unknown): void {
  if (typeof fetched !== 'object' || fetched === null || !('free' in fetched)) return;
  if (typeof fetched.free === 'function') fetched.free();
}
