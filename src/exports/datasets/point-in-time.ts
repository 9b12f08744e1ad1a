import type { OpenSearch } from '#search/client.ts';

/** A point-in-time view of an index, unaffected by later writes. */
export interface PointInTime {
  /** The `pit` clause for a search body. Each search extends the lifetime of the view. */
  clause: { id: string; keep_alive: string };
  /** Closes the view. Never throws, because an unclosed point in time expires. */
  close(): Promise<void>;
}

/** @param keepAlive after the last search, for example `2m` */
export async function openPointInTime(client: OpenSearch, index: string, keepAlive: string): Promise<PointInTime> {
  const query = { keep_alive: keepAlive };
  const { pit_id: id } = await client.send<{ pit_id: string }>('POST', `/${index}/_search/point_in_time`, { query });
  return {
    clause: { id, keep_alive: keepAlive },
    close: async () => {
      await client.send('DELETE', '/_search/point_in_time', { body: { pit_id: [id] } }).catch(() => {});
    },
  };
}
