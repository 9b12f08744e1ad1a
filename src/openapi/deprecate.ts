import { startOfDay } from '#domain/timestamps.ts';
import type { Deprecation, Endpoint, Parameter } from '#http/endpoint.ts';
import type { ChangelogEntry } from './changelog.ts';

/**
 * Adds deprecations for responses, the OpenAPI document and MCP tools.
 * @throws Error if an entry contains an unknown operation or parameter
 */
export function deprecate(endpoints: readonly Endpoint[], changelog: readonly ChangelogEntry[]): readonly Endpoint[] {
  const changed = new Map<string, Endpoint>(endpoints.map((endpoint) => [endpoint.operationId, endpoint]));
  // Entries are applied oldest first, so that the latest one determines the sunset.
  for (const entry of changelog.toReversed()) {
    for (const { operation, parameter } of entry.deprecates ?? []) {
      const endpoint = changed.get(operation);
      if (!endpoint) throw new Error(`Invalid changelog: ${entry.id}: there is no operation ${operation}.`);
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
    throw new Error(`Invalid changelog: ${deprecated.entry}: there is no query parameter ${name}.`);
  return parameters.map((each) => (each.name === name ? { ...each, deprecated } : each));
}
