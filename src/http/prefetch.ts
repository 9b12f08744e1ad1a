import type { KeyedEndpoint, UnchargedCall } from './endpoint.ts';

/** What an endpoint fetches before its handler runs. `start` fetches once, however often it is called. */
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
      // The handler that awaits it sees a failure. If none does, the rejection must not count as unhandled.
      this.#started.catch(() => {});
    }
    return this.#started;
  }

  /** Frees what was fetched, or is being fetched, for a call that no handler will answer. */
  discard(): void {
    this.#started?.then(free, () => {});
  }
}

/** An async function, so that an error thrown synchronously becomes a rejection too. */
async function begin(endpoint: KeyedEndpoint, call: UnchargedCall): Promise<unknown> {
  return endpoint.prefetch?.(call);
}

function free(fetched: unknown): void {
  if (typeof fetched !== 'object' || fetched === null || !('free' in fetched)) return;
  if (typeof fetched.free === 'function') fetched.free();
}
