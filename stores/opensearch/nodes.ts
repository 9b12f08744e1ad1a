import { Pool } from 'undici';

export interface Node {
  pool: Pool;
  /** Path prefix; empty, or with a leading slash and no trailing slash. */
  prefix: string;
  headers: Readonly<Record<string, string>>;
}

export interface NodesOptions {
  urls: readonly string[];
  connections: number;
  /** Timeout in milliseconds for a connection, for response headers, and between received bytes. */
  timeout: number;
}

/** First and longest delay between probes of an unresponsive node, in milliseconds. */
const FIRST_PROBE = 500;
const LAST_PROBE = 15_000;
const PROBE_TIMEOUT = 2_000;

/**
 * The nodes of a cluster, used in turn. An unresponsive node is excluded immediately and probed with exponential
 * backoff. If none is responsive, requests try all of them.
 */
export class Nodes {
  readonly #nodes: readonly Node[];
  readonly #away = new Map<Node, NodeJS.Timeout>();
  #turn = 0;
  #closed = false;

  constructor({ urls, connections, timeout }: NodesOptions) {
    this.#nodes = urls.map((url) => {
      const { origin, pathname, username, password } = new URL(url);
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      return {
        pool: new Pool(origin, {
          connections,
          pipelining: 1,
          connect: { timeout },
          headersTimeout: timeout,
          bodyTimeout: timeout,
          keepAliveTimeout: 60_000,
        }),
        prefix: pathname.replace(/\/+$/, ''),
        headers: {
          'content-type': 'application/json',
          ...(username ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {}),
        },
      };
    });
  }

  get size(): number {
    return this.#nodes.length;
  }

  /** Skips excluded nodes, unless all are excluded. */
  next(): Node {
    for (let tried = 0; tried < this.#nodes.length; tried++) {
      const node = this.#at(this.#turn++);
      if (!this.#away.has(node)) return node;
    }
    return this.#at(this.#turn++);
  }

  /** Returns whether any node, excluded ones included, responds with 200 and a text. */
  probe(path: string, timeout: number, text: string): Promise<boolean> {
    const probes = this.#nodes.map(async (node) => {
      const found = await this.#get(node, path, timeout);
      if (found.status !== 200 || !found.text.includes(text)) throw new Error(found.text);
    });
    return Promise.any(probes).then(
      () => true,
      () => false,
    );
  }

  /** The only node of a cluster is never excluded. */
  exclude(node: Node): void {
    if (this.#nodes.length === 1 || this.#away.has(node) || this.#closed) return;
    this.#probeIn(FIRST_PROBE, node);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#away.values()) clearTimeout(timer);
    await Promise.all(this.#nodes.map(({ pool }) => pool.close()));
  }

  #at(turn: number): Node {
    return this.#nodes[turn % this.#nodes.length] as Node;
  }

  #probeIn(delay: number, node: Node): void {
    const timer = setTimeout(() => void this.#probe(node, delay), delay);
    timer.unref();
    this.#away.set(node, timer);
  }

  async #probe(node: Node, delay: number): Promise<void> {
    const isBack = await this.#get(node, '/', PROBE_TIMEOUT).then(
      ({ status }) => status < 500 && status !== 408 && status !== 429,
      () => false,
    );
    if (this.#closed) return;
    if (isBack) this.#away.delete(node);
    else this.#probeIn(Math.min(delay * 2, LAST_PROBE), node);
  }

  /** @throws Error if the response is not complete before the timeout */
  async #get(
    { pool, prefix, headers }: Node,
    path: string,
    timeout: number,
  ): Promise<{ status: number; text: string }> {
    const signal = AbortSignal.timeout(timeout);
    const { statusCode, body } = await pool.request({ method: 'GET', path: `${prefix}${path}`, headers, signal });
    return { status: statusCode, text: await body.text() };
  }
}
