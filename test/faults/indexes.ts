import { until } from './until.ts';

/** Time in milliseconds within which a worker must rebuild a lost index, with a margin for busy machines. */
export const REBUILD_LIMIT = 60_000;

/** Sends a request directly to OpenSearch. @throws Error if the status is not 2xx */
export async function onOpenSearch(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${process.env.OPENSEARCH_URL}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  return response.json();
}

/** Deletes the index behind an alias. The index is deleted by name, because OpenSearch refuses wildcards. */
export async function deleteBehind(alias: string): Promise<void> {
  const found = (await onOpenSearch('GET', `/_alias/${alias}*`)) as Record<string, { aliases: object }>;
  for (const [index, { aliases }] of Object.entries(found))
    if (alias in aliases) await onOpenSearch('DELETE', `/${index}`);
}

/** Returns the status of an authenticated GET request. */
export async function statusOf(url: string, key: string): Promise<number> {
  const response = await fetch(url, {
    headers: { Authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(15_000),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Waits until requests for a path first fail with 503 and then, within a limit, succeed on every node. */
export async function lostAndRebuilt(
  origins: readonly string[],
  path: string,
  key: string,
  limit = REBUILD_LIMIT,
): Promise<void> {
  const statuses = () => Promise.all(origins.map((origin) => statusOf(origin + path, key)));
  await until('the first 503', REBUILD_LIMIT, async () => (await statuses()).some((status) => status === 503));
  await until('the rebuild', limit, async () => (await statuses()).every((status) => status === 200));
}
