import { ADMIN_REQUEST, type OpenSearch } from './client.ts';

/** Request body for a new index; its template supplies the remaining settings. */
export interface IndexBody {
  aliases?: Readonly<Record<string, object>>;
  mappings?: object;
  settings?: object;
}

/** Creates an index. @returns false if the index exists, for example because another process created it at the same time */
export async function createIndex(client: OpenSearch, index: string, body: IndexBody = {}): Promise<boolean> {
  try {
    await client.send('PUT', `/${index}`, { body, ...ADMIN_REQUEST });
    return true;
  } catch (error) {
    if (String(error).includes('resource_already_exists_exception')) return false;
    throw error;
  }
}

/** Deletes indexes. Missing indexes are ignored. */
export async function deleteIndexes(client: OpenSearch, indexes: readonly string[]): Promise<void> {
  if (indexes.length === 0) return;
  await client.send('DELETE', `/${indexes.join(',')}`, { query: { ignore_unavailable: 'true' }, ...ADMIN_REQUEST });
}

/** Applies all actions atomically, in one change of the cluster state. */
export async function updateAliases(
  client: OpenSearch,
  actions: readonly object[],
  options: { maxRetries?: number } = {},
): Promise<void> {
  await client.send('POST', '/_aliases', { body: { actions }, ...ADMIN_REQUEST, ...options });
}

/** Returns the aliases that start with one of the prefixes, by index, from one consistent read. */
export async function readAliases(
  client: OpenSearch,
  prefixes: readonly string[],
  options: { requestTimeout?: number } = {},
): Promise<Map<string, string[]>> {
  // Uses a wildcard, because a request for a missing alias fails.
  const path = `/_alias/${prefixes.map((prefix) => `${prefix}*`).join(',')}`;
  const found = await client.send<Record<string, { aliases: object }>>('GET', path, options);
  return new Map(Object.entries(found).map(([index, { aliases }]) => [index, Object.keys(aliases)]));
}

/** Returns the name of the index behind an alias, or null if the alias does not exist. */
export async function indexBehind(client: OpenSearch, alias: string): Promise<string | null> {
  for (const [index, aliases] of await readAliases(client, [alias])) if (aliases.includes(alias)) return index;
  return null;
}

/**
 * Returns the existing generations of an index, oldest first, and the name of the next generation. Not every existing
 * generation is behind the alias. Generation numbers count indexes and are unrelated to document versions.
 */
export async function listGenerations(
  client: OpenSearch,
  alias: string,
): Promise<{ existing: string[]; next: string }> {
  const stem = `${alias}-v`;
  const query = { filter_path: '*.settings.index.uuid' };
  const found = await client.send<Record<string, unknown> | undefined>('GET', `/${stem}*`, { query });
  const numbers = Object.keys(found ?? {})
    .map((index) => index.slice(stem.length))
    .filter((suffix) => /^\d+$/.test(suffix))
    .map(Number)
    .sort((a, b) => a - b);
  return {
    existing: numbers.map((number) => `${stem}${number}`),
    next: `${stem}${(numbers.at(-1) ?? 0) + 1}`,
  };
}
