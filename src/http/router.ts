import { quote } from '#domain/text/visible.ts';
import type { Endpoint } from './endpoint.ts';
import { ApiError } from './errors/api-error.ts';
import { createPathSuggestions, type PathSuggestions } from './errors/suggest-path.ts';

/** Endpoints of a path by method. */
interface Resource {
  /** The groups are the path parameters. */
  pattern: RegExp;
  endpoints: ReadonlyMap<string, Endpoint>;
}

export interface Route {
  endpoint: Endpoint;
  path: Readonly<Record<string, string>>;
}

/**
 * find-my-way matches escaped literals (`/v1/%6Cistings`) and empty parameters, which would give resources several
 * URLs, and cannot list the methods of a path.
 */
export class Router {
  readonly #resources: readonly Resource[];
  readonly #suggest: PathSuggestions;

  constructor(endpoints: readonly Endpoint[]) {
    this.#suggest = createPathSuggestions(endpoints);
    // `{` sorts after letters: literal segments take precedence over parameters.
    const paths = [...Map.groupBy(endpoints, ({ path }) => path)].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#resources = paths.map(([path, own]) => ({
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      endpoints: new Map(own.map((endpoint) => [endpoint.method, endpoint])),
    }));
  }

  /** @throws ApiError route_not_found, method_not_allowed */
  route(method: string, path: string): Route {
    const found = this.#find(path);
    const endpoint = found?.endpoints.get(method === 'HEAD' ? 'GET' : method);
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
    const methods = [...(this.#find(path)?.endpoints.keys() ?? [])];
    if (methods.length === 0) return [];
    return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];
  }

  #find(path: string): { endpoints: Resource['endpoints']; parameters: Record<string, string> } | undefined {
    for (const { pattern, endpoints } of this.#resources) {
      const match = pattern.exec(path);
      const parameters = match && decodeAll(match.groups ?? {});
      if (parameters) return { endpoints, parameters };
    }
    return undefined;
  }
}

/** Null if an escape is malformed. */
function decodeAll(segments: Readonly<Record<string, string>>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(segments).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return null;
  }
}
