import { ADMIN_REQUEST, type OpenSearch } from './client.ts';

/** Highest assigned ids. */
export interface LastIds {
  listing: number;
  project: number;
  developer: number;
  run: number;
}

/** The last run that wrote to a listings index. After a restore, it shows which ids were assigned. */
export interface RunRecord {
  /** Random, committed in Postgres before it is written to the index. */
  id: string;
  ids: LastIds;
}

/** `_meta` in the mapping of an index. */
export interface IndexMeta {
  /** Of the release that created the index. */
  version?: number;
  /** Of the template that the index was created from. */
  digest?: string;
  /** Only for the listings index. */
  watermark?: number;
  run?: Partial<RunRecord>;
}

/** The name may be an alias. */
export async function readMeta(client: OpenSearch, index: string): Promise<IndexMeta> {
  return (await readAllMeta(client, index))[0] ?? {};
}

/** Preserves other entries. */
export async function writeMeta(client: OpenSearch, index: string, entries: object): Promise<void> {
  const meta = { ...(await readMeta(client, index)), ...entries };
  await client.send('PUT', `/${index}/_mapping`, { body: { _meta: meta }, ...ADMIN_REQUEST });
}

/** Of all existing listings indexes, also of the previous one. */
export async function readRunRecords(client: OpenSearch): Promise<RunRecord[]> {
  const all = await readAllMeta(client, `${client.aliases.listings}-*`);
  // Indexes of earlier releases have records without an id.
  return all.flatMap(({ run: { id, ids } = {} }) => (id === undefined || ids === undefined ? [] : { id, ids }));
}

async function readAllMeta(client: OpenSearch, pattern: string): Promise<IndexMeta[]> {
  type Described = Record<string, { mappings: { _meta: IndexMeta } }>;
  const query = { filter_path: '*.mappings._meta' };
  const described = await client.send<Described | undefined>('GET', `/${pattern}/_mapping`, { query });
  return Object.values(described ?? {}).map(({ mappings }) => mappings._meta);
}
