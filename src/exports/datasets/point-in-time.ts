import type { OpenSearch } from '#search/client.ts';

/** Unaffected by later writes. */
export interface PointInTime {
  /** Each search extends the lifetime. */
  clause: { id: string; keep_alive: string };
  /** Never throws: it would expire. */
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
