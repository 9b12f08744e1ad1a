import type { DemoSnapshot } from '#site/demo.ts';
import { readKey } from '../key.ts';
import { data, texts } from './page.ts';

/** Remaining units, from the headers of a response. Null without the header. */
export interface Usage {
  leftMinute: number | null;
  leftMonth: number | null;
}

/** A failed call, with a message for the visitor. */
export class CallFailed extends Error {
  /** HTTP status. Null if there is no response. */
  readonly status: number | null;
  /** The parameter that was refused. */
  readonly param: string | null;
  /** Time in epoch milliseconds from which a retry can succeed. Null if the request is not retried automatically. */
  readonly retryAt: number | null;

  constructor(
    message: string,
    { status = null, param = null, retryAt = null }: Partial<Pick<CallFailed, 'status' | 'param' | 'retryAt'>> = {},
  ) {
    super(message);
    this.status = status;
    this.param = param;
    this.retryAt = retryAt;
  }

  /** Returns any error as a failed call. */
  static of(reason: unknown): CallFailed {
    return reason instanceof CallFailed ? reason : new CallFailed(String(reason));
  }
}

interface CachedCall {
  promise: Promise<unknown>;
  /** The body of the response. Null until it has arrived. */
  body: unknown;
}

/** Maximum number of responses cached in the tab. */
const MAX_CACHED = 100;
/** Maximum wait in seconds before an automatic retry. The rate limit per minute refills within this time. */
const MAX_RETRY_SECONDS = 60;

/** Calls the API with the key of the visitor, or reads the demo without one. Cached responses cost no units. */
class Api {
  readonly #cached = new Map<string, CachedCall>();
  key = readKey(data.key);
  /** Called for every response from the network. */
  onUsage: (usage: Usage) => void = () => {};

  /** Whether responses come from the demo, which ignores most parameters. */
  get isDemo(): boolean {
    return this.key === '';
  }

  /** Returns the cached response of a URL, if any. */
  peek<Body>(address: string): Body | null {
    return (this.#cached.get(this.#nameOf(address))?.body ?? null) as Body | null;
  }

  /** @param signal aborts the request unless the response has arrived; only for requests with a single consumer */
  get<Body>(address: string, signal?: AbortSignal): Promise<Body> {
    const load = () =>
      this.isDemo ? this.#readDemo(address) : this.#fetch(address, { Authorization: `Bearer ${this.key}` }, signal);
    return this.#cache<Body>(address, load, signal);
  }

  #nameOf(address: string): string {
    return `${this.key} ${address}`;
  }

  #cache<Body>(address: string, load: () => Promise<unknown>, signal?: AbortSignal): Promise<Body> {
    const name = this.#nameOf(address);
    const call = this.#cached.get(name) ?? this.#start(name, load(), signal);
    // Cached calls are ordered by last use. The first one is evicted.
    this.#cached.delete(name);
    this.#cached.set(name, call);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > MAX_CACHED && oldest !== undefined) this.#cached.delete(oldest);
    return call.promise as Promise<Body>;
  }

  #start(name: string, promise: Promise<unknown>, signal?: AbortSignal): CachedCall {
    const call: CachedCall = { promise, body: null };
    const remove = (): void => {
      if (call.body === null && this.#cached.get(name) === call) this.#cached.delete(name);
    };
    // An aborted call is removed immediately, so that a repeated request starts a new one.
    signal?.addEventListener('abort', remove);
    promise.then((body) => {
      call.body = body;
    }, remove);
    return call;
  }

  /** Returns the demo's response for a URL of the API. All responses for a city are in one file. */
  async #readDemo(address: string): Promise<unknown> {
    const { pathname, searchParams } = new URL(address, location.href);
    const path = pathname.slice(new URL(data.baseUrl, location.href).pathname.length);
    const city = searchParams.get('city') ?? /^\/cities\/([^/]+)\//.exec(path)?.[1];
    const file = `/explorer/demo${city === undefined ? '' : `/${encodeURIComponent(city)}`}`;
    const { bodies, searches } = await this.#cache<DemoSnapshot>(file, () => this.#fetch(file, {}));
    const found = bodies[path] ?? searches?.[searchParams.get('listing_type') ?? '']?.[path];
    if (found === undefined) throw new CallFailed(texts.key_needed, { status: 200 });
    return found;
  }

  async #fetch(address: string, headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<unknown> {
    const signals = [AbortSignal.timeout(15_000), ...(signal ? [signal] : [])];
    const response = await fetch(address, { headers, credentials: 'omit', signal: AbortSignal.any(signals) }).catch(
      () => {
        throw new CallFailed(texts.offline);
      },
    );
    this.onUsage(usageOf(response.headers));
    const body: unknown = await response.json().catch(() => null);
    if (response.ok && body !== null) return body;
    const error = (body as { error?: { code: string; message: string; param: string | null } } | null)?.error;
    const message = error ? (data.errors[error.code] ?? error.message) : texts.failed;
    // Visitors know the labels in the form, not the names of parameters.
    const named = message.replaceAll(/`([^`]*)`/g, (_, name: string) => data.labels[name] ?? name);
    throw new CallFailed(error?.code === 'rate_limited' ? texts.rate_limited : named, {
      status: response.status,
      param: error?.param ?? null,
      retryAt: retryAtOf(response.headers),
    });
  }
}

export const api = new Api();

function retryAtOf(headers: Headers): number | null {
  const text = headers.get('Retry-After');
  const isSoon = text !== null && /^\d+$/.test(text) && Number(text) <= MAX_RETRY_SECONDS;
  return isSoon ? Date.now() + 1_000 * Number(text) : null;
}

function usageOf(headers: Headers): Usage {
  const figure = (name: string): number | null => {
    const text = headers.get(name);
    return text === null ? null : Number(text);
  };
  return {
    leftMinute: figure('RateLimit-Remaining'),
    leftMonth: figure('X-Quota-Remaining'),
  };
}
