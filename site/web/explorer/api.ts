import { readKey } from '../key.ts';
import { data, texts } from './page.ts';

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

/** Operations that the site calls for its visitors. */
const FREE_PATHS = Object.values(data.operations).flatMap(({ path, isFree }) =>
  isFree ? new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) : [],
);

/**
 * Calls the operations of the Free plan and estimates through the site, at no cost, so that a search shows the same to
 * all visitors, and others with the visitor's key.
 */
class Api {
  readonly #cached = new Map<string, CachedCall>();
  key = readKey(data.key);

  get hasKey(): boolean {
    return this.key !== '';
  }

  peek<Body>(address: string): Body | null {
    return (this.#cached.get(this.nameOf(address))?.body ?? null) as Body | null;
  }

  /** @param signal aborts the request unless the response has arrived; only for requests with a single consumer */
  get<Body>(address: string, signal?: AbortSignal): Promise<Body> {
    const path = sessionPath(address);
    const load = () =>
      path === null
        ? this.#fetch(address, { headers: { Authorization: `Bearer ${this.key}` }, credentials: 'omit' }, signal)
        : this.#fetch(path, { credentials: 'same-origin' }, signal);
    return this.#cache<Body>(address, load, signal);
  }

  /** Returns a name of the response, which depends on the key if the operation needs one. */
  nameOf(address: string): string {
    return sessionPath(address) ?? `${this.key} ${address}`;
  }

  #cache<Body>(address: string, load: () => Promise<unknown>, signal?: AbortSignal): Promise<Body> {
    const name = this.nameOf(address);
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

  async #fetch(address: string, options: RequestInit, signal?: AbortSignal): Promise<unknown> {
    const signals = [AbortSignal.timeout(15_000), ...(signal ? [signal] : [])];
    const response = await fetch(address, { ...options, signal: AbortSignal.any(signals) }).catch(() => {
      throw new CallFailed(texts.offline);
    });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok && body !== null) return body;
    const error = (body as { error?: { code: string; message: string; param: string | null } } | null)?.error;
    throw new CallFailed(messageOf(error), {
      status: response.status,
      param: error?.param ?? null,
      retryAt: retryAtOf(response.headers),
    });
  }
}

export const api = new Api();

const FAULTS: Readonly<Record<string, string>> = texts.faults;
const HOME_FIELDS: Readonly<Record<string, string>> = texts.home_fields;

/** Returns the text for a visitor, who knows the labels in the form and not the names of parameters. */
function messageOf(error: { code: string; param: string | null } | undefined): string {
  if (!error) return texts.failed;
  const label = error.param === null ? undefined : (data.labels[error.param] ?? HOME_FIELDS[error.param]);
  if (label !== undefined) return texts.fault_of_field.replace('{label}', label);
  return FAULTS[error.code] ?? texts.failed;
}

/** Returns the path of an operation without a key; null if it needs one. */
function sessionPath(address: string): string | null {
  const { pathname, search } = new URL(address, location.href);
  const path = pathname.slice(new URL(data.baseUrl, location.href).pathname.length);
  return FREE_PATHS.some((each) => each.test(path)) ? `${data.sessionUrl}${path}${search}` : null;
}

function retryAtOf(headers: Headers): number | null {
  const text = headers.get('Retry-After');
  const isSoon = text !== null && /^\d+$/.test(text) && Number(text) <= MAX_RETRY_SECONDS;
  return isSoon ? Date.now() + 1_000 * Number(text) : null;
}
