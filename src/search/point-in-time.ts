import type { Client } from '@opensearch-project/opensearch';

/** A point-in-time view of an index, unaffected by later writes. */
export interface PointInTime {
  /** The `pit` clause for a search body. Each search extends the lifetime of the view. */
  clause: { id: string; keep_alive: string };
  /** Never throws, because an unclosed point in time expires. */
  close(): Promise<void>;
}

/** @param keepAlive lifetime after the last search, for example `2m` */
export async function openPointInTime(client: Client, index: string, keepAlive: string): Promise<PointInTime> {
  const { body } = await client.transport.request({
    method: 'POST',
    path: `/${index}/_search/point_in_time`,
    querystring: { keep_alive: keepAlive },
  });
  const { pit_id: id } = body as { pit_id: string };
  return {
    clause: { id, keep_alive: keepAlive },
    close: async () => {
      await client.transport
        .request({ method: 'DELETE', path: '/_search/point_in_time', body: { pit_id: [id] } })
        .catch(() => {});
    },
  };
}
