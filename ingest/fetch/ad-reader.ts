import { unitNumberIn } from '../normalize/features.ts';
import type { NormalizeResult, RawListing, ReadSettings } from '../normalize/listing.ts';
import { textSignature } from '../normalize/signature.ts';
import type { OpenReader } from '../threads/task.ts';
import { layoutOf, type MappedOffer, rawOf } from './ad-mapper.ts';
import { readAd } from './read-ad.ts';

export interface AdContext {
  source: ReadSettings & { name: string };
  at: Date;
  /** If it is stated, the rows are offers of the unmapped rows of the source in the module. */
  module?: string | undefined;
}

export type AdResult =
  | (Extract<NormalizeResult, { ok: true }> & { signature: string; unit: string | null })
  | Extract<NormalizeResult, { ok: false }>;

export default (async ({ source, at, module }, boundaries) => {
  const layout = module === undefined ? null : await layoutOf({ module, source });
  return (ad) => {
    const raw = layout === null ? (ad as RawListing) : rawOf(ad as MappedOffer, layout);
    const result = readAd(source, raw, at, boundaries);
    if (!result.ok) return result;
    const { title, description } = result.listing;
    const text = title === null ? description : `${title} ${description}`;
    return { ...result, signature: textSignature(text), unit: unitNumberIn(text) };
  };
}) satisfies OpenReader<AdContext, RawListing | MappedOffer, AdResult>;
