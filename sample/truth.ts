import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ListingType, PropertyType } from '#domain/listings/vocabulary.ts';

/** The true facts about a sample ad. */
export interface TruthRow {
  source: string;
  source_listing_id: string;
  /** Equal for all ads for one property. */
  property: number;
  city: string;
  neighborhood_id: number;
  listing_type: ListingType;
  property_type: PropertyType;
  /** Day of the first feed that contains the ad, `YYYY-MM-DD`. */
  first_day: string;
  /** Day of the last feed that contains the ad; null if the newest feed does. */
  last_day: string | null;
  outlier: boolean;
  photos: number;
}

export const TRUTH_FILE = 'truth.ndjson';

/** Streams a sample folder's ground-truth file, in the order of generation. */
export async function* sampleTruth(dir: string): AsyncGenerator<TruthRow> {
  const lines = createInterface({
    input: createReadStream(join(dir, TRUTH_FILE)),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) if (line !== '') yield JSON.parse(line) as TruthRow;
}
