import { unitNumberIn } from '../normalize/features.ts';
import type { NormalizeResult, RawListing, ReadSettings } from '../normalize/listing.ts';
import { textSignature } from '../normalize/signature.ts';
import type { OpenReader } from '../threads/task.ts';
import { readAd } from './read-ad.ts';

export interface AdContext {
  source: ReadSettings & { name: string };
  at: Date;
}

export type AdResult =
  | (Extract<NormalizeResult, { ok: true }> & { signature: string; unit: string | null })
  | Extract<NormalizeResult, { ok: false }>;

export default (({ source, at }, boundaries) =>
  (raw) => {
    const result = readAd(source, raw, at, boundaries);
    if (!result.ok) return result;
    const { title, description } = result.listing;
    const text = title === null ? description : `${title} ${description}`;
    return { ...result, signature: textSignature(text), unit: unitNumberIn(text) };
  }) satisfies OpenReader<AdContext, RawListing, AdResult>;
