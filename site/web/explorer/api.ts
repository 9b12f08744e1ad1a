import type { ExplorerData } from '#site/explorer-data.ts';

/** Units in the headers of a response. */
export interface Usage {
  units: number | null;
  leftMinute: number | null;
  leftMonth: number | null;
}

export interface Answer<Body> {
  body: Body;
  usage: Usage;
}

export class CallFailed extends Error {
  /** Seconds until a retry can succeed. Null if the request is not retried. */
  readonly retryAfter: number | null;

  constructor(message: string, retryAfter: number | null) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

interface CachedCall {
  promise: Promise<Answer<unknown>>;
  /** Set once the response has arrived. */
  answer: Answer<unknown> | null;
}

/** Maximum number of responses cached in the tab. */
const MAX_CACHED = 100;
/** Maximum wait in seconds before an automatic retry. The per-minute rate recovers within this time. */
const MAX_RETRY_SECONDS = 60;

/** Calls the API with the key of the visitor. Cached responses cost no request and no units. */
export class Api {
  readonly #data: ExplorerData;
  readonly #cached = new Map<string, CachedCall>();
  key: string;
  /** Called for every response from the network. */
  onUsage: (usage: Usage) => void = () => {};

  constructor(data: ExplorerData, key: string) {
    this.#data = data;
    this.key = key;
  }

  /** Returns the URL of an operation with the values that it accepts. */
  address(operationId: string, values: URLSearchParams, path: Readonly<Record<string, string>> = {}): string {
    const operation = this.#data.operations[operationId];
    if (!operation) throw new Error(`${operationId} is not described`);
    const query = new URLSearchParams([...values].filter(([name]) => operation.parameters.includes(name)));
    const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    // Commas and colons need no escapes in a query, and are more readable unescaped.
    const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
    return `${this.#data.baseUrl}${filled}${text === '' ? '' : `?${text}`}`;
  }

  /** Returns the cached response of a URL, if any. */
  peek<Body>(address: string): Answer<Body> | null {
    return (this.#cached.get(this.#nameOf(address))?.answer ?? null) as Answer<Body> | null;
  }

  /** @param signal aborts the request unless the response has arrived; only for requests with a single consumer */
  get<Body>(address: string, signal?: AbortSignal): Promise<Answer<Body>> {
    const name = this.#nameOf(address);
    const call = this.#cached.get(name) ?? this.#start(name, address, signal);
    // Cached calls are ordered by last use. The first one is evicted.
    this.#cached.delete(name);
    this.#cached.set(name, call);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > MAX_CACHED && oldest !== undefined) this.#cached.delete(oldest);
    return call.promise as Promise<Answer<Body>>;
  }

  #nameOf(address: string): string {
    return `${this.key} ${address}`;
  }

  #start(name: string, address: string, signal?: AbortSignal): CachedCall {
    const call: CachedCall = { promise: this.#fetch(address, signal), answer: null };
    // Removed at once, so that a repeated request does not receive the aborted one.
    signal?.addEventListener('abort', () => {
      if (!call.answer && this.#cached.get(name) === call) this.#cached.delete(name);
    });
    call.promise.then(
      (answer) => {
        call.answer = answer;
      },
      () => {
        if (this.#cached.get(name) === call) this.#cached.delete(name);
      },
    );
    return call;
  }

  async #fetch(address: string, signal?: AbortSignal): Promise<Answer<unknown>> {
    const { texts, errors } = this.#data;
    let response: Response;
    try {
      response = await fetch(address, {
        headers: { Authorization: `Bearer ${this.key}` },
        credentials: 'omit',
        signal: AbortSignal.any([AbortSignal.timeout(15_000), ...(signal ? [signal] : [])]),
      });
    } catch {
      throw new CallFailed(texts.offline, null);
    }
    const usage = usageOf(response.headers);
    this.onUsage(usage);
    const body: unknown = await response.json().catch(() => null);
    if (response.ok && body !== null) return { body, usage };
    const error = (body as { error?: { code: string; message: string } } | null)?.error;
    throw new CallFailed(
      error ? (errors[error.code]?.replaceAll('`', '') ?? error.message) : texts.failed,
      retryAfterOf(response.headers),
    );
  }
}

function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('Retry-After');
  return text !== null && /^\d+$/.test(text) && Number(text) <= MAX_RETRY_SECONDS ? Number(text) : null;
}

function usageOf(headers: Headers): Usage {
  const figure = (name: string): number | null => {
    const text = headers.get(name);
    return text === null ? null : Number(text);
  };
  return {
    units: figure('X-Request-Units'),
    leftMinute: figure('RateLimit-Remaining'),
    leftMonth: figure('X-Quota-Remaining'),
  };
}
