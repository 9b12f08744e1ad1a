import type { UnitProject } from '../off-plan/project.ts';
import type { ListingDisplay } from './schema.ts';
import type { AdvertiserType, QualityFlag } from './vocabulary.ts';

export type { Listing, ListingDisplay } from './schema.ts';

/** ISO 8601, UTC: `YYYY-MM-DDThh:mm:ssZ`. */
export type Timestamp = string;

export type Location = ListingDisplay['location'];
export type Financing = ListingDisplay['financing'];

export interface ListingPrivate {
  source: string;
  source_listing_id: string;
  /** In the CDN bucket, in order: letters, digits, `/`, `.`, `-`. */
  photos: string[];
  /** Epoch seconds. */
  first_seen: number;
  /** Epoch seconds, as of the time when the document was written. */
  last_seen: number;
  advertiser_type: AdvertiserType | null;
  /** Equal for all ads by one advertiser, without identifying it. */
  advertiser: string | null;
  /** Public id of the company, drawn at random. Undefined for individuals, and if the source states no key. */
  advertiser_ref?: string;
  /** By the bounds for the property type, and by pooled bounds, which also hold if the former do. */
  plausible_typed: boolean;
  plausible_pooled: boolean;
  /** Epoch microseconds. Documents of earlier versions lack it (`firstModified`). */
  modified?: number;
  quality?: QualityFlag[];
  /** For filters; undefined in documents of earlier versions. */
  project?: UnitProject | null;
}

export interface StoredListing {
  display: ListingDisplay;
  private: ListingPrivate;
}
