import { unitNumberIn } from '../normalize/features.ts';
import type { NormalizeResult, RawListing, ReadSettings } from '../normalize/listing.ts';
import { textSignature } from '../normalize/signature.ts';
import type { OpenReader } from '../threads/task.ts';
import { layoutOf, type MappedOffer, rawOf } from './ad-mapper.ts';
import { type AdRow, adRow } from './ad-row.ts';
import { readAd } from './read-ad.ts';

export interface AdContext {
  source: ReadSettings & { name: string };
  at: Date;
  /** Whether photos count as stored. */
  assumePhotos: boolean;
  /** If it is stated, the rows are offers of the unmapped rows of the source in the module. */
  module?: string | undefined;
}

export type AdResult =
  | (Pick<Extract<NormalizeResult, { ok: true }>, 'ok' | 'doubt' | 'implausible' | 'unread'> & { row: AdRow })
  | Extract<NormalizeResult, { ok: false }>;

export default (async ({ source, at, assumePhotos, module }, boundaries) => {
  const seenAt = at.toISOString();
  const layout = module === undefined ? null : await layoutOf({ module, source });
  return (ad) => {
    const raw = layout === null ? (ad as RawListing) : rawOf(ad as MappedOffer, layout);
    const result = readAd(source, raw, at, boundaries);
    if (!result.ok) return result;
    const { ok, listing, areas, doubt, implausible, unread } = result;
    const { title, description } = listing;
    const text = title === null ? description : `${title} ${description}`;
    const [signature, unit, textImplausible] = [textSignature(text), unitNumberIn(text), implausible !== null];
    const row = adRow({ listing, areas, textImplausible, signature, unit, seenAt, assumePhotos });
    return { ok, row, doubt, implausible, unread };
  };
}) satisfies OpenReader<AdContext, RawListing | MappedOffer, AdResult>;
