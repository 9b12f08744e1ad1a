import { ADMIN_REQUEST, type OpenSearch } from './client.ts';

export async function deleteIndexes(client: OpenSearch, indexes: readonly string[]): Promise<void> {
  if (indexes.length === 0) return;
  await client.send('DELETE', `/${indexes.join(',')}`, { query: { ignore_unavailable: 'true' }, ...ADMIN_REQUEST });
}

/** Applies all actions atomically. */
export async function updateAliases(client: OpenSearch, actions: readonly object[]): Promise<void> {
  await client.send('POST', '/_aliases', { body: { actions }, ...ADMIN_REQUEST });
}

/** Returns null if the alias does not exist. */
export async function indexBehind(client: OpenSearch, alias: string): Promise<string | null> {
  // A request without a wildcard fails for a missing alias.
  const found = await client.send<Record<string, { aliases: object }>>('GET', `/_alias/${alias}*`);
  return Object.entries(found).find(([, { aliases }]) => alias in aliases)?.[0] ?? null;
}

/** Returns all indexes of an alias, also unfinished ones. Names end with the time of creation. */
export async function generationsOf(client: OpenSearch, alias: string): Promise<string[]> {
  const query = { filter_path: '*.settings.index.uuid' };
  const found = await client.send<object | undefined>('GET', `/${alias}-*`, { query });
  return Object.keys(found ?? {}).filter((index) => /^\d{8}t\d{9}$/.test(index.slice(alias.length + 1)));
}
