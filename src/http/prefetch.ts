import type { KeyedEndpoint, UnchargedCall } from './endpoint.ts';

/** What an endpoint fetches before it is handled; `start` does so once, however often it is called. */
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
      // A failure is seen by whoever awaits it; nobody may.
      this.#started.catch(() => {});
    }
    return this.#started;
  }

  /** Frees what was fetched, once it is there: nobody will read it. */
  discard(): void {
    this.#started?.then(free, () => {});
  }
}

/** Asynchronous, so that an error thrown at once rejects as a later one does. */
async function begin(endpoint: KeyedEndpoint, call: UnchargedCall): Promise<unknown> {
  return endpoint.prefetch?.(call);
}

function free(fetched: unknown): void {
  if (typeof fetched !== 'object' || fetched === null || !('free' in fetched)) return;
  if (typeof fetched.free === 'function') fetched.free();
}
