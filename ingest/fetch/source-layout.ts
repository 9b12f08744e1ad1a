import type { RawListing, ReadSettings } from '../normalize/listing.ts';
import { type FeedRow, mappedRows, type RowLayout } from '../sources/kinds/feed-row.ts';
import type { SourceDefinition } from '../sources/source.ts';

/** An offer of a row, which is mapped again when it is read: most rows are unchanged, and their ads need not be sent. */
export interface MappedOffer {
  row: unknown;
  offer: number;
}

/**
 * @param module its URL
 * @throws if the module has no source of that name with a layout
 */
export async function layoutOf(module: string, { name }: ReadSettings & { name: string }): Promise<RowLayout<unknown>> {
  const exported = Object.values((await import(module)) as object).flat() as Partial<SourceDefinition>[];
  const found = exported.find((each) => each.name === name && each.layout !== undefined);
  if (found === undefined) throw new Error(`${module} exports no source "${name}"`);
  return found.layout as unknown as RowLayout<unknown>;
}

export const rawOf = ({ row, offer }: MappedOffer, layout: RowLayout<unknown>): RawListing =>
  (Array.from(mappedRows(row, layout))[offer] as Extract<FeedRow, { ok: true }>).raw;
