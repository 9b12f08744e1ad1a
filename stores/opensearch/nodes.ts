import { Pool } from 'undici';

export interface Node {
  pool: Pool;
  /** Probes do not wait for the connections of searches. */
  probes: Pool;
  /** Path prefix; empty, or with a leading slash and no trailing slash. */
  prefix: string;
  /** Searches in progress, and the `performance.now()` timestamp since which it has sent no response to them. */
  searches: number;
  silentSince: number;
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
const PROBE_CONNECTIONS = 2;

/** Milliseconds without a response after which a node with searches in progress receives no others, if another node can. */
const SILENT_MS = 1_000;
/** Milliseconds without a response after which searches in progress are sent to another node, if one responds. */
const RESEND_MS = 2_000;

const isSilent = ({ searches, silentSince }: Node, ms: number): boolean =>
  searches > 0 && performance.now() - silentSince > ms;

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
      const open = (max: number) =>
        new Pool(origin, {
          connections: max,
          pipelining: 1,
          connect: { timeout },
          headersTimeout: timeout,
          bodyTimeout: timeout,
          keepAliveTimeout: 60_000,
        });
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      return {
        pool: open(connections),
        probes: open(PROBE_CONNECTIONS),
        prefix: pathname.replace(/\/+$/, ''),
        searches: 0,
        silentSince: 0,
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

  /** Skips excluded nodes, then silent ones, unless there are no others. */
  next(): Node {
    const turn = this.#turn++;
    const inTurn = this.#nodes.map((_, at) => this.#at(turn + at));
    const present = inTurn.filter((node) => !this.#away.has(node));
    return present.find((node) => !isSilent(node, SILENT_MS)) ?? present[0] ?? (inTurn[0] as Node);
  }

  /**
   * Milliseconds until a search in progress is sent to another node, unless its node responds to any search before. They
   * are infinite if no other node responds.
   */
  untilResent(node: Node): number {
    const isOther = (each: Node): boolean => each !== node && !this.#away.has(each) && !isSilent(each, SILENT_MS);
    if (!this.#nodes.some(isOther)) return Number.POSITIVE_INFINITY;
    return Math.max(0, node.silentSince + RESEND_MS - performance.now());
  }

  /** Counts a search of a node, which is silent until its first response. */
  async track<T>(node: Node, search: Promise<T>): Promise<T> {
    if (node.searches++ === 0) node.silentSince = performance.now();
    try {
      const response = await search;
      node.silentSince = performance.now();
      return response;
    } finally {
      node.searches--;
    }
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
    // Only searches whose caller no longer waits are in progress.
    await Promise.all(this.#nodes.flatMap(({ pool, probes }) => [pool.destroy(), probes.destroy()]));
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
    { probes, prefix, headers }: Node,
    path: string,
    timeout: number,
  ): Promise<{ status: number; text: string }> {
    const signal = AbortSignal.timeout(timeout);
    const { statusCode, body } = await probes.request({ method: 'GET', path: `${prefix}${path}`, headers, signal });
    return { status: statusCode, text: await body.text() };
  }
}
