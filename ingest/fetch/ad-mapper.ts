import type { RawListing, ReadSettings } from '../normalize/listing.ts';
import { feedId } from '../normalize/plain-values.ts';
import { type FeedRow, mappedRows, type RowLayout } from '../sources/kinds/feed-row.ts';
import type { SourceDefinition } from '../sources/source.ts';
import type { OpenReader } from '../threads/task.ts';
import { contentHash } from './content-hash.ts';

export interface MapContext {
  /** URL of the module of the source. */
  module: string;
  source: ReadSettings & { name: string };
}

/** An offer of a row, which is mapped again when it is read: most rows are unchanged, and their ads need not be sent. */
export interface MappedOffer {
  row: unknown;
  offer: number;
}

export type Mapped = { ok: true; id: string; hash: string } | Omit<Extract<FeedRow, { ok: false }>, 'row'>;

/** @throws if the module has no source of that name with a layout */
export async function layoutOf({ module, source: { name } }: MapContext): Promise<RowLayout<unknown>> {
  const exported = Object.values((await import(module)) as object).flat() as Partial<SourceDefinition>[];
  const found = exported.find((each) => each.name === name && each.layout !== undefined);
  if (found === undefined) throw new Error(`${module} exports no source "${name}"`);
  return found.layout as unknown as RowLayout<unknown>;
}

/** Maps rows to the ids and hashes of their offers. */
export default (async (context, boundaries) => {
  const layout = await layoutOf(context);
  return (row) =>
    Array.from(mappedRows(row, layout), (each): Mapped => {
      if (!each.ok) return { ok: false, reason: each.reason, detail: each.detail };
      const hash = contentHash('ads', each.raw, boundaries, context.source);
      return { ok: true, id: feedId(each.raw.source_listing_id), hash };
    });
}) satisfies OpenReader<MapContext, unknown, Mapped[]>;

export const rawOf = ({ row, offer }: MappedOffer, layout: RowLayout<unknown>): RawListing =>
  (Array.from(mappedRows(row, layout))[offer] as Extract<FeedRow, { ok: true }>).raw;
