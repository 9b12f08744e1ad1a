import type { RawListing, ReadSettings } from '../normalize/listing.ts';
import { type ReaderSetup, readRows } from '../threads/row-pool.ts';
import type { AdContext, AdResult } from './ad-reader.ts';

const READER = new URL('./ad-reader.ts', import.meta.url);

/** Reads ads in another thread. An ad that takes too long is rejected, and does not affect others. */
export async function readAds<Ad extends { raw: RawListing }>(
  ads: readonly Ad[],
  { source: { name, timeZone, dateOrder }, at, ...reading }: AdContext & Pick<ReaderSetup, 'boundaries' | 'signal'>,
): Promise<ReadonlyMap<Ad, AdResult>> {
  // A source also has functions, which no thread accepts. Every setting is required here, so that none is left out.
  const settings: { [Setting in keyof Required<ReadSettings>]: ReadSettings[Setting] } = { timeZone, dateOrder };
  const context: AdContext = { source: { name, ...settings }, at };
  const results = await readRows<AdResult>(
    ads.map(({ raw }) => raw),
    { module: READER, context, ...reading },
  );
  return new Map(results.map((result, index) => [ads[index] as Ad, result]));
}
