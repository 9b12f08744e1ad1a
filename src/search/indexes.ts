import { SERVED_INDEXES, type ServedIndex, type ShownIndex } from '#domain/index-state.ts';
import { retrying } from './bulk.ts';
import type { OpenSearch } from './client.ts';
import type { IndexMeta } from './meta.ts';

export interface AliasedIndex extends ShownIndex {
  /** Digest of the template when the index was created. */
  digest: string | undefined;
}

type Described = Record<
  string,
  {
    aliases?: Record<string, unknown>;
    mappings?: { _meta?: IndexMeta };
    settings?: { index: { verified_before_close?: string } };
  }
>;

/** Returns null if the alias does not exist. Retries temporary failures. */
export async function readAliased(client: OpenSearch, name: ServedIndex): Promise<AliasedIndex | null> {
  return (await retrying(() => readAllAliased(client, { names: [name] }))).get(name) ?? null;
}

interface Counted {
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
  const lines = names.flatMap((name) => [
    JSON.stringify({
      index: aliases[name],
      ignore_unavailable: true,
      allow_partial_search_results: false,
      request_cache: false,
    }),
    JSON.stringify({ size: 0, track_total_hits: true }),
  ]);
  const options = { requestTimeout: limitMs, maxRetries: 0 };
  const [described = {}, { responses }] = await Promise.all([
    // A request without a wildcard fails for a missing alias.
    client.send<Described | undefined>('GET', `/${names.map((name) => `${aliases[name]}*`).join(',')}`, {
      query: {
        local: 'true',
        // A closed index, for example before a snapshot restore, is unavailable but not lost.
        expand_wildcards: 'open,closed',
        filter_path: '*.aliases,*.mappings._meta,*.settings.index.verified_before_close',
      },
      ...options,
    }),
    client.send<{ responses?: Counted[] }>('POST', '/_msearch', { bulkBody: `${lines.join('\n')}\n`, ...options }),
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
      const { digest, watermark = null } = mappings?._meta ?? {};
      return [[name, { index, digest, watermark, documents }]] as const;
    }),
  );
}
