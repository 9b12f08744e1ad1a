import { type RawListing, settingsOf } from '../normalize/listing.ts';
import { type Reading, readRows } from '../threads/row-pool.ts';
import type { AdContext, AdResult } from './ad-reader.ts';

const READER = new URL('./ad-reader.ts', import.meta.url);

/** Reads ads in another thread. An ad that takes too long is rejected, and does not affect others. */
export async function readAds<Ad extends { raw: RawListing }>(
  ads: readonly Ad[],
  { source, at, ...reading }: AdContext & Pick<Reading, 'boundaries' | 'signal'>,
): Promise<ReadonlyMap<Ad, AdResult>> {
  const context: AdContext = { source: { name: source.name, ...settingsOf(source) }, at };
  const results = await readRows<AdResult>(
    ads.map(({ raw }) => raw),
    { module: READER, context, ...reading },
  );
  return new Map(results.map((result, index) => [ads[index] as Ad, result]));
}
