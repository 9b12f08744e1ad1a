import type { KeyedEndpoint, UnchargedCall } from './endpoint.ts';

/** Data that is fetched for the handler of an endpoint. Repeated calls of `start` fetch only once. */
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
      // The handler receives the error when it awaits the result. If the handler never runs, the failure must not
      // become an unhandled rejection.
      this.#started.catch(() => {});
    }
    return this.#started;
  }

  /** Frees the data of a failed call, even if the fetch is still in progress. */
  discard(): void {
    this.#started?.then(free, () => {});
  }
}

/** This function is async, so that synchronous errors become rejections. */
async function begin(endpoint: KeyedEndpoint, call: UnchargedCall): Promise<unknown> {
  return endpoint.prefetch?.(call);
}

function free(fetched: unknown): void {
  if (typeof fetched !== 'object' || fetched === null || !('free' in fetched)) return;
  if (typeof fetched.free === 'function') fetched.free();
}
