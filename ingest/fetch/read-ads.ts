import { NO_BOUNDARIES } from '#domain/geography/boundaries.ts';
import { type RawListing, settingsOf } from '../normalize/listing.ts';
import { type FeedRow, mappedRows, type RowLayout } from '../sources/kinds/feed-row.ts';
import type { SourceDefinition } from '../sources/source.ts';
import { type ReaderSetup, type RowFault, readRows } from '../threads/row-pool.ts';
import type { MapContext, Mapped, MappedOffer } from './ad-mapper.ts';
import type { AdContext, AdResult } from './ad-reader.ts';

const READER = new URL('./ad-reader.ts', import.meta.url);
const MAPPER = new URL('./ad-mapper.ts', import.meta.url);

/** Reads ads in another thread. An ad that takes too long is rejected, and does not affect others. */
export async function readAds<Ad extends { raw: RawListing | MappedOffer }>(
  ads: readonly Ad[],
  { source, at, assumePhotos, module, ...reading }: AdContext & Pick<ReaderSetup, 'boundaries' | 'signal'>,
): Promise<ReadonlyMap<Ad, AdResult>> {
  const context: AdContext = { source: { name: source.name, ...settingsOf(source) }, at, assumePhotos, module };
  const results = await readRows<AdResult>(
    ads.map(({ raw }) => raw),
    { module: READER, context, ...reading },
  );
  return new Map(results.map((result, index) => [ads[index] as Ad, result]));
}

/** Maps the rows of a source in another thread. A mapping that takes too long is a fault, and does not affect others. */
export function mapRows(
  rows: readonly unknown[],
  { module, source, ...reading }: MapContext & Pick<ReaderSetup, 'boundaries' | 'signal'>,
): Promise<(readonly Mapped[] | RowFault)[]> {
  const context: MapContext = { module, source: { name: source.name, ...settingsOf(source) } };
  return readRows(rows, { module: MAPPER, context, ...reading });
}

/** Maps rows in this thread, if their mapping has ended in another one. Without a module of the source, they are mapped already. */
export async function mapTwice(
  source: SourceDefinition,
  rows: readonly FeedRow[],
  signal: AbortSignal,
): Promise<FeedRow[]> {
  const { module, layout } = source;
  if (module === undefined || layout === undefined) return [...rows];
  const parsed = rows.filter((row) => row.ok).map(({ row }) => row);
  const results = await mapRows(parsed, { module, source, boundaries: NO_BOUNDARIES, signal });
  const faults = new Map(parsed.map((row, at) => [row, results[at]]));
  return rows.flatMap((row) => {
    const fault = faults.get(row.row);
    if (!row.ok || fault === undefined) return row;
    return 'ok' in fault ? { ...fault, row: row.row } : Array.from(mappedRows(row.row, layout as RowLayout<unknown>));
  });
}
