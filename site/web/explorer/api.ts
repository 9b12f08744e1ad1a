import type { ExplorerData } from '#site/explorer-data.ts';

/** What an answer's headers say of units. */
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
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

/** Answers kept in the tab: as many as a visitor goes back to. */
const KEPT = 60;

/** Calls the API with the visitor's key. What was answered once is not asked for, and not paid for, again. */
export class Api {
  readonly #data: ExplorerData;
  readonly #kept = new Map<string, Promise<Answer<unknown>>>();
  key: string;
  /** Told of every answer that came over the network. */
  onUsage: (usage: Usage) => void = () => {};

  constructor(data: ExplorerData, key: string) {
    this.#data = data;
    this.key = key;
  }

  /** The address of an operation with those of the values that it takes. */
  address(operationId: string, values: URLSearchParams, path: Readonly<Record<string, string>> = {}): string {
    const operation = this.#data.operations[operationId];
    if (!operation) throw new Error(`${operationId} is not described`);
    const query = new URLSearchParams([...values].filter(([name]) => operation.parameters.includes(name)));
    const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    // Commas and colons mean themselves in a query, and are easier to read so.
    const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
    return `${this.#data.baseUrl}${filled}${text === '' ? '' : `?${text}`}`;
  }

  get<Body>(address: string): Promise<Answer<Body>> {
    const name = `${this.key} ${address}`;
    const kept = this.#kept.get(name);
    if (kept) return kept as Promise<Answer<Body>>;
    const answer = this.#fetch(address);
    this.#kept.set(name, answer);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    answer.catch(() => this.#kept.delete(name));
    return answer as Promise<Answer<Body>>;
  }

  async #fetch(address: string): Promise<Answer<unknown>> {
    const { texts, errors } = this.#data;
    let response: Response;
    try {
      response = await fetch(address, {
        headers: { Authorization: `Bearer ${this.key}` },
        credentials: 'omit',
        signal: AbortSignal.timeout(15_000),
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
      error?.code ?? null,
    );
  }
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
