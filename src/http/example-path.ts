import type { Endpoint, Parameter } from './endpoint.ts';

/**
 * Returns a request with the examples of the required parameters, and of others that samples have.
 * @param values used instead of examples, by name
 */
export function examplePath(
  { path, pathParameters, parameters }: Pick<Endpoint, 'path' | 'pathParameters' | 'parameters'>,
  values: Readonly<Record<string, string>> = {},
): string {
  const textOf = ({ name, example, schema }: Parameter) => values[name] ?? String(example ?? schema.default ?? 1);
  const filled = pathParameters.reduce((url, each) => url.replace(`{${each.name}}`, textOf(each)), path);
  const sent = parameters.filter((each) => each.required || each.sampled || each.schema.default !== undefined);
  const query = Object.fromEntries(sent.map((each) => [each.name, textOf(each)]));
  return `${filled}?${new URLSearchParams(query)}`;
}
