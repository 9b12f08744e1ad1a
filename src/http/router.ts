import type { Endpoint } from './endpoint.ts';

export type Method = Endpoint['method'];

interface Node {
  literal: Map<string, Node>;
  parameter: { name: string; node: Node } | null;
  endpoints: Map<string, Endpoint>;
}

export interface Route {
  endpoint: Endpoint | undefined;
  /** Methods the path takes. */
  allow: string[];
  path: Record<string, string>;
}

const node = (): Node => ({ literal: new Map(), parameter: null, endpoints: new Map() });

/** Finds the endpoint of a path; a literal segment goes before a parameter. Undefined when no endpoint has the path. */
export function createRouter(endpoints: readonly Endpoint[]): (method: string, path: string) => Route | undefined {
  const root = node();
  for (const endpoint of endpoints) {
    let at = root;
    for (const segment of endpoint.path.split('/').slice(1)) {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      if (name === undefined) {
        const next = at.literal.get(segment) ?? node();
        at.literal.set(segment, next);
        at = next;
      } else {
        at.parameter ??= { name, node: node() };
        if (at.parameter.name !== name)
          throw new Error(`${endpoint.path}: this segment is {${at.parameter.name}} elsewhere`);
        at = at.parameter.node;
      }
    }
    if (at.endpoints.has(endpoint.method)) throw new Error(`${endpoint.method} ${endpoint.path} is defined twice`);
    at.endpoints.set(endpoint.method, endpoint);
  }
  return (method, path) => {
    const parameters: Record<string, string> = {};
    let at = root;
    for (const segment of path.split('/').slice(1)) {
      const next = at.literal.get(segment);
      if (next) {
        at = next;
      } else if (at.parameter && segment !== '') {
        parameters[at.parameter.name] = segment;
        at = at.parameter.node;
      } else {
        return undefined;
      }
    }
    if (at.endpoints.size === 0) return undefined;
    const allow = [...at.endpoints.keys()].flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
    return {
      endpoint: at.endpoints.get(method === 'HEAD' ? 'GET' : method),
      allow: [...allow, 'OPTIONS'],
      path: parameters,
    };
  };
}
