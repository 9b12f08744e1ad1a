import { SERVED_INDEXES, type ServedIndex, type ServingIndex } from '#domain/index-state.ts';
import { retrying } from './bulk.ts';
import { ADMIN_REQUEST, type OpenSearch } from './opensearch-client.ts';

export interface AliasedIndex extends ServingIndex {
  /** Digest of the template when the index was created. */
  digest: string | undefined;
  /** Document version of the release that created it. */
  version: number | undefined;
  /** Whether the engine refuses writes to it. */
  isBlocked: boolean;
}

type IndexDescriptions = Record<
  string,
  {
    aliases?: Record<string, unknown>;
    mappings?: { _meta?: IndexMeta };
    settings?: { index: { verified_before_close?: string; blocks?: Readonly<Record<string, string>> } };
  }
>;

const WRITE_BLOCKS = ['read_only_allow_delete', 'read_only', 'write'];

/** What an operator does about an index whose writes the engine refuses. */
export const BLOCKED_REMEDY =
  'OpenSearch refuses writes, as it does when a disk is filled above its flood-stage watermark. Free disk space or add a node: below the high watermark, it accepts writes again by itself. It does not remove a block that someone set: set `index.blocks.read_only_allow_delete` to null.';

/** Returns null if the alias does not exist. Retries temporary failures. */
export async function readAliased(client: OpenSearch, name: ServedIndex): Promise<AliasedIndex | null> {
  return (await retrying(() => readAllAliased(client, { names: [name] }))).get(name) ?? null;
}

interface CountResult {
  error?: { reason?: string };
  hits?: { total: { value: number } };
  _shards?: { total: number };
}

/**
 * Omits aliases without an index.
 * @throws Error if a shard does not respond, because its documents are then uncounted, not lost
 */
export async function readAllAliased(
  client: OpenSearch,
  { names = SERVED_INDEXES, limitMs = 30_000 }: { names?: readonly ServedIndex[]; limitMs?: number } = {},
): Promise<Map<ServedIndex, AliasedIndex>> {
  const { aliases } = client;
  const bulkBody = names.flatMap((name) => [
    { index: aliases[name], ignore_unavailable: true, allow_partial_search_results: false, request_cache: false },
    { size: 0, track_total_hits: true },
  ]);
  const options = { requestTimeout: limitMs, maxRetries: 0 };
  const [described = {}, { responses }] = await Promise.all([
    // A request without a wildcard fails for a missing alias.
    client.send<IndexDescriptions | undefined>('GET', `/${names.map((name) => `${aliases[name]}*`).join(',')}`, {
      query: {
        local: 'true',
        // A closed index, for example before a snapshot restore, is unavailable but not lost.
        expand_wildcards: 'open,closed',
        filter_path: '*.aliases,*.mappings._meta,*.settings.index.verified_before_close,*.settings.index.blocks',
      },
      ...options,
    }),
    client.send<{ responses?: CountResult[] }>('POST', '/_msearch', { bulkBody, ...options }),
  ]);
  // A proxy may return status 200 without these fields.
  if (!Array.isArray(responses) || responses.length !== names.length) throw new Error('no counts of documents');
  const entries = Object.entries(described);
  return new Map(
    names.flatMap((name, at) => {
      const entry = entries.find(([, { aliases: own = {} }]) => aliases[name] in own);
      const found = responses[at];
      if (!entry) {
        if (found?._shards?.total !== 0) throw new Error(`${aliases[name]} is searched and not described`);
        return [];
      }
      const [index, { mappings, settings }] = entry;
      const documents = found?.hits?.total.value;
      if (documents === undefined || settings?.index.verified_before_close === 'true')
        throw new Error(`documents of ${index} not counted: ${found?.error?.reason ?? 'it is closed'}`);
      const { digest, version, watermark = null } = mappings?._meta ?? {};
      const isBlocked = WRITE_BLOCKS.some((block) => settings?.index.blocks?.[block] === 'true');
      return [[name, { index, digest, version, watermark, documents, isBlocked }]] as const;
    }),
  );
}

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

/** Deletes documents of listings from all indexes that repeat an ad, also those that are not served. */
export async function deleteListings(client: OpenSearch, ids: readonly number[]): Promise<void> {
  const { listings, deals } = client.aliases;
  const indexes = (await Promise.all([listings, deals].map((alias) => generationsOf(client, alias)))).flat();
  if (indexes.length === 0) return;
  const query = { conflicts: 'proceed', refresh: 'true', ignore_unavailable: 'true' };
  const body = { query: { ids: { values: ids.map(String) } } };
  await client.send('POST', `/${indexes.join(',')}/_delete_by_query`, { query, body, ...ADMIN_REQUEST });
}

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

export interface PublishedRun extends RunRecord {
  /** Watermark of the index in epoch microseconds; 0 without one. */
  watermark: number;
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
export async function readRunRecords(client: OpenSearch): Promise<PublishedRun[]> {
  const found = await readAllMeta(client, `${client.aliases.listings}-*`);
  return found.flatMap(({ run, watermark = 0 }) => (run ? { ...run, watermark } : []));
}

/** Returns the finished indexes of an alias with their `_meta`, oldest first. */
export async function readGenerations(
  client: OpenSearch,
  alias: string,
): Promise<{ index: string; meta: IndexMeta }[]> {
  const query = { filter_path: '*.aliases,*.mappings._meta' };
  const found = await client.send<IndexDescriptions | undefined>('GET', `/${alias}-*`, { query });
  return Object.entries(found ?? {})
    .filter(([index, { aliases = {} }]) => !(fillAlias(index) in aliases))
    .map(([index, { mappings }]) => ({ index, meta: mappings?._meta ?? {} }))
    .sort((a, b) => (a.index < b.index ? -1 : 1));
}

/** Alias of an index while it is being filled. */
export const fillAlias = (index: string): string => `${index}-fill`;

async function readAllMeta(client: OpenSearch, pattern: string): Promise<IndexMeta[]> {
  type IndexDescriptions = Record<string, { mappings: { _meta: IndexMeta } }>;
  const query = { filter_path: '*.mappings._meta' };
  const described = await client.send<IndexDescriptions | undefined>('GET', `/${pattern}/_mapping`, { query });
  return Object.values(described ?? {}).map(({ mappings }) => mappings._meta);
}
