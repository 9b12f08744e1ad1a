import { ADMIN_REQUEST, type OpenSearch } from './client.ts';

/** The highest assigned id for each type of resource. */
export interface LastIds {
  listing: number;
  project: number;
  developer: number;
  run: number;
}

/** The last run that wrote to a listings index. After a restore, it shows which ids were assigned. */
export interface RunRecord {
  /** Random id, which is committed in Postgres first. */
  id: string;
  ids: LastIds;
}

/** `_meta` in the mapping of an index. */
export interface IndexMeta {
  /** Document version of the release that created the index. */
  version?: number;
  /** Digest of the template that the index was created from. */
  digest?: string;
  /** Watermark of a listings index in epoch microseconds; undefined for others. */
  watermark?: number;
  run?: RunRecord;
}

/** @param index name or alias */
export async function readMeta(client: OpenSearch, index: string): Promise<IndexMeta> {
  return (await readAllMeta(client, index))[0] ?? {};
}

/** Preserves other entries. */
export async function writeMeta(client: OpenSearch, index: string, entries: object): Promise<void> {
  const meta = { ...(await readMeta(client, index)), ...entries };
  await client.send('PUT', `/${index}/_mapping`, { body: { _meta: meta }, ...ADMIN_REQUEST });
}

/** Includes the previous index. */
export async function readRunRecords(client: OpenSearch): Promise<RunRecord[]> {
  return (await readAllMeta(client, `${client.aliases.listings}-*`)).flatMap(({ run }) => run ?? []);
}

async function readAllMeta(client: OpenSearch, pattern: string): Promise<IndexMeta[]> {
  type Described = Record<string, { mappings: { _meta: IndexMeta } }>;
  const query = { filter_path: '*.mappings._meta' };
  const described = await client.send<Described | undefined>('GET', `/${pattern}/_mapping`, { query });
  return Object.values(described ?? {}).map(({ mappings }) => mappings._meta);
}
