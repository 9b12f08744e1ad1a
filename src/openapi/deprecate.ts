import type { Deprecation, Endpoint, Parameter } from '#http/endpoint.ts';
import { type ChangelogEntry, startOfDay } from './changelog.ts';

/**
 * Endpoints with what a changelog says is deprecated of them. Answers, the OpenAPI document and the tools of assistants
 * read it from the endpoint. Pure.
 * @throws Error where an entry names an operation or a parameter that there is not
 */
export function deprecate(endpoints: readonly Endpoint[], changelog: readonly ChangelogEntry[]): readonly Endpoint[] {
  const changed = new Map<string, Endpoint>(endpoints.map((endpoint) => [endpoint.operationId, endpoint]));
  // Oldest first: what is deprecated twice has the later sunset.
  for (const entry of changelog.toReversed()) {
    for (const { operation, parameter } of entry.deprecates ?? []) {
      const endpoint = changed.get(operation);
      if (!endpoint) throw new Error(`The changelog is wrong: ${entry.id}: there is no operation ${operation}.`);
      const deprecated = deprecationOf(entry);
      changed.set(
        operation,
        parameter === undefined
          ? { ...endpoint, deprecated }
          : { ...endpoint, parameters: withDeprecated(endpoint.parameters, parameter, deprecated) },
      );
    }
  }
  return endpoints.map((endpoint) => changed.get(endpoint.operationId) ?? endpoint);
}

function deprecationOf({ id, date, sunset }: ChangelogEntry): Deprecation {
  return { entry: id, since: startOfDay(date), sunset: sunset === undefined ? null : startOfDay(sunset) };
}

function withDeprecated(parameters: readonly Parameter[], name: string, deprecated: Deprecation): Parameter[] {
  if (!parameters.some((each) => each.name === name))
    throw new Error(`The changelog is wrong: ${deprecated.entry}: there is no query parameter ${name}.`);
  return parameters.map((each) => (each.name === name ? { ...each, deprecated } : each));
}
