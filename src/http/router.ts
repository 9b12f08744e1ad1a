import { quote } from '#domain/text/visible.ts';
import type { Endpoint } from './endpoint.ts';
import { ApiError } from './errors/api-error.ts';
import { createPathSuggestions, type PathSuggestions } from './errors/suggest-path.ts';

interface Node {
  literal: Map<string, Node>;
  parameter: { name: string; node: Node } | null;
  endpoints: Map<string, Endpoint>;
}

export interface Route {
  endpoint: Endpoint;
  path: Readonly<Record<string, string>>;
}

/**
 * find-my-way matches escaped literals (`/v1/%6Cistings`) and empty parameters, which would give resources several
 * URLs, and cannot list the methods of a path. It is as fast (0.15 µs per request); @koa/router takes 0.9 µs.
 */
export class Router {
  readonly #root = emptyNode();
  readonly #suggest: PathSuggestions;

  constructor(endpoints: readonly Endpoint[]) {
    this.#suggest = createPathSuggestions(endpoints);
    for (const endpoint of endpoints) this.#add(endpoint);
  }

  /** @throws ApiError route_not_found, method_not_allowed */
  route(method: string, path: string): Route {
    const found = this.#walk(path);
    const endpoint = found?.node.endpoints.get(method === 'HEAD' ? 'GET' : method);
    if (found && endpoint) return { endpoint, path: found.parameters };
    const methods = this.methodsOf(path);
    const near = this.#suggest(method, path).map((each) => `\`${each}\``);
    const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'GET /v1/openapi.json lists all endpoints.';
    if (methods.length === 0) throw new ApiError('route_not_found', { message: `No endpoint has this path. ${hint}` });
    const message = `This path does not support ${quote(method)}. ${hint}`;
    throw new ApiError('method_not_allowed', { message, headers: { Allow: methods.join(', ') } });
  }

  /** Empty if the path is unknown. */
  methodsOf(path: string): readonly string[] {
    const methods = [...(this.#walk(path)?.node.endpoints.keys() ?? [])];
    if (methods.length === 0) return [];
    return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];
  }

  #add(endpoint: Endpoint): void {
    let at = this.#root;
    for (const segment of endpoint.path.split('/').slice(1)) {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      if (name === undefined) {
        const next = at.literal.get(segment) ?? emptyNode();
        at.literal.set(segment, next);
        at = next;
      } else {
        at.parameter ??= { name, node: emptyNode() };
        if (at.parameter.name !== name)
          throw new Error(`${endpoint.path}: other endpoints name this segment {${at.parameter.name}}`);
        at = at.parameter.node;
      }
    }
    if (at.endpoints.has(endpoint.method)) throw new Error(`${endpoint.method} ${endpoint.path} is defined twice`);
    at.endpoints.set(endpoint.method, endpoint);
  }

  /** Literal segments take precedence over parameters. */
  #walk(path: string): { node: Node; parameters: Record<string, string> } | undefined {
    const parameters: Record<string, string> = {};
    let at = this.#root;
    for (const segment of path.split('/').slice(1)) {
      const next = at.literal.get(segment);
      if (next) {
        at = next;
        continue;
      }
      const value = decoded(segment);
      if (!at.parameter || !value) return undefined;
      parameters[at.parameter.name] = value;
      at = at.parameter.node;
    }
    return { node: at, parameters };
  }
}

const emptyNode = (): Node => ({ literal: new Map(), parameter: null, endpoints: new Map() });

/** Null if an escape is malformed. */
function decoded(segment: string): string | null {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
