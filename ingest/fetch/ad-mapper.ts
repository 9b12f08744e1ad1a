import { type FeedRow, mappedRows } from '../sources/kinds/feed-row.ts';
import type { OpenReader } from '../threads/task.ts';
import openReader, { type AdContext, type AdResult } from './ad-reader.ts';
import { contentHash } from './content-hash.ts';
import { feedId } from './read-ad.ts';
import { layoutOf } from './source-layout.ts';

export interface MapContext extends Pick<AdContext, 'source'> {
  /** URL of the module of the source. */
  module: string;
  /** If it is stated, the ads are also read. */
  reading?: Pick<AdContext, 'at' | 'assumePhotos'> | undefined;
}

export type Mapped =
  | { ok: true; id: string; hash: string; result?: AdResult | undefined }
  | Omit<Extract<FeedRow, { ok: false }>, 'row'>;

/** Maps rows to the ids and hashes of their offers. */
export default (async ({ module, source, reading }, boundaries) => {
  const layout = await layoutOf(module, source);
  const read = reading && (await openReader({ source, ...reading }, boundaries));
  return (row) =>
    Array.from(mappedRows(row, layout), (each): Mapped => {
      if (!each.ok) return { ok: false, reason: each.reason, detail: each.detail };
      const hash = contentHash('ads', each.raw, boundaries, source);
      return { ok: true, id: feedId(each.raw.source_listing_id), hash, result: read?.(each.raw) };
    });
}) satisfies OpenReader<MapContext, unknown, Mapped[]>;
