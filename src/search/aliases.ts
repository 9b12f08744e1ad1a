import { ADMIN_REQUEST, type OpenSearch } from './client.ts';

export async function deleteIndexes(client: OpenSearch, indexes: readonly string[]): Promise<void> {
  if (indexes.length === 0) return;
  await client.send('DELETE', `/${indexes.join(',')}`, { query: { ignore_unavailable: 'true' }, ...ADMIN_REQUEST });
}

/** Applies all actions atomically, in one change of the cluster state. */
export async function updateAliases(client: OpenSearch, actions: readonly object[]): Promise<void> {
  await client.send('POST', '/_aliases', { body: { actions }, ...ADMIN_REQUEST });
}

/** Returns the name of the index behind an alias, or null if the alias does not exist. */
export async function indexBehind(client: OpenSearch, alias: string): Promise<string | null> {
  // The request has a wildcard, because a request for a missing alias fails.
  const found = await client.send<Record<string, { aliases: object }>>('GET', `/_alias/${alias}*`);
  return Object.entries(found).find(([, { aliases }]) => alias in aliases)?.[0] ?? null;
}

/**
 * Returns all indexes that fills of an alias have created, also unfinished ones. Names end with the time of the
 * creation.
 */
export async function generationsOf(client: OpenSearch, alias: string): Promise<string[]> {
  const query = { filter_path: '*.settings.index.uuid' };
  const found = await client.send<object | undefined>('GET', `/${alias}-*`, { query });
  return Object.keys(found ?? {}).filter((index) => /^\d{8}t\d{9}$/.test(index.slice(alias.length + 1)));
}
