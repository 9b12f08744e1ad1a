import type { DemoSnapshot, ExplorerData } from '#site/explorer-data.ts';

/** Charged and remaining units, from the headers of a response. Null without the header. */
export interface Usage {
  units: number | null;
  leftMinute: number | null;
  leftMonth: number | null;
}

export interface Answer<Body> {
  body: Body;
  usage: Usage;
}

/** A failed call, with a message for the visitor. */
export class CallFailed extends Error {
  /** HTTP status. Null if there is no response. */
  readonly status: number | null;
  /** The parameter that was refused. */
  readonly param: string | null;
  /** Time in epoch milliseconds from which a retry can succeed. Null if the request is not retried automatically. */
  readonly retryAt: number | null;

  constructor(message: string, { status, param, retryAt }: Partial<Pick<CallFailed, 'status' | 'param' | 'retryAt'>>) {
    super(message);
    this.status = status ?? null;
    this.param = param ?? null;
    this.retryAt = retryAt ?? null;
  }
}

interface CachedCall {
  promise: Promise<Answer<unknown>>;
  /** Set once the response has arrived. */
  answer: Answer<unknown> | null;
}

/** Maximum number of responses cached in the tab. */
const MAX_CACHED = 100;
/** Maximum wait in seconds before an automatic retry. The rate limit per minute refills within this time. */
const MAX_RETRY_SECONDS = 60;

const NO_USAGE: Usage = { units: null, leftMinute: null, leftMonth: null };

/** Calls the API with the key of the visitor, or reads the demo without one. Cached responses cost no units. */
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

  /** Whether responses come from the demo, which ignores most parameters. */
  get isDemo(): boolean {
    return this.key === '';
  }

  /** Returns the URL of an operation, without values for which the operation has no parameter. */
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
    const load = () =>
      this.isDemo ? this.#readDemo(address) : this.#fetch(address, { Authorization: `Bearer ${this.key}` }, signal);
    return this.#cache<Body>(address, load, signal);
  }

  #nameOf(address: string): string {
    return `${this.key} ${address}`;
  }

  #cache<Body>(address: string, load: () => Promise<Answer<unknown>>, signal?: AbortSignal): Promise<Answer<Body>> {
    const name = this.#nameOf(address);
    const call = this.#cached.get(name) ?? this.#start(name, load(), signal);
    // Cached calls are ordered by last use. The first one is evicted.
    this.#cached.delete(name);
    this.#cached.set(name, call);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > MAX_CACHED && oldest !== undefined) this.#cached.delete(oldest);
    return call.promise as Promise<Answer<Body>>;
  }

  #start(name: string, promise: Promise<Answer<unknown>>, signal?: AbortSignal): CachedCall {
    const call: CachedCall = { promise, answer: null };
    // An aborted call is removed immediately, so that a repeated request starts a new one.
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

  /** Returns the demo's response for a URL of the API. All responses for a city are in one file. */
  async #readDemo(address: string): Promise<Answer<unknown>> {
    const { baseUrl, texts } = this.#data;
    const { pathname, searchParams } = new URL(address, location.href);
    const path = pathname.slice(new URL(baseUrl, location.href).pathname.length);
    const city = searchParams.get('city') ?? /^\/cities\/([^/]+)\//.exec(path)?.[1];
    const file = `/explorer/demo${city === undefined ? '' : `/${encodeURIComponent(city)}`}`;
    const { body } = await this.#cache<DemoSnapshot>(file, () => this.#fetch(file, {}));
    const found = body.bodies[path] ?? body.searches?.[searchParams.get('listing_type') ?? '']?.[path];
    if (found === undefined) throw new CallFailed(texts.key_needed, { status: 200 });
    return { body: found, usage: NO_USAGE };
  }

  async #fetch(
    address: string,
    headers: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<Answer<unknown>> {
    const { texts, errors, labels } = this.#data;
    let response: Response;
    try {
      response = await fetch(address, {
        headers,
        credentials: 'omit',
        signal: AbortSignal.any([AbortSignal.timeout(15_000), ...(signal ? [signal] : [])]),
      });
    } catch {
      throw new CallFailed(texts.offline, {});
    }
    const usage = usageOf(response.headers);
    this.onUsage(usage);
    const body: unknown = await response.json().catch(() => null);
    if (response.ok && body !== null) return { body, usage };
    const error = (body as { error?: { code: string; message: string; param: string | null } } | null)?.error;
    const message = error ? (errors[error.code] ?? error.message) : texts.failed;
    // Visitors know the labels in the form, not the names of parameters.
    const named = message.replaceAll(/`([^`]*)`/g, (_, name: string) => labels[name] ?? name);
    throw new CallFailed(error?.code === 'rate_limited' ? texts.rate_limited : named, {
      status: response.status,
      param: error?.param ?? null,
      retryAt: retryAtOf(response.headers),
    });
  }
}

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
    units: figure('X-Request-Units'),
    leftMinute: figure('RateLimit-Remaining'),
    leftMonth: figure('X-Quota-Remaining'),
  };
}
