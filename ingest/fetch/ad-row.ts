import { isDeepStrictEqual } from 'node:util';
import { LAND_TYPES, PER_SQM, QUALITY_FLAGS, type QualityFlag } from '#domain/listings/vocabulary.ts';
import { shortHash } from '../hash.ts';
import { textSignature } from '../identity/signature.ts';
import { unitNumberIn } from '../identity/unit-number.ts';
import type { AreasInText, NormalizedListing } from '../normalize/listing.ts';
import { assumedKey } from '../photos/keys.ts';
import { copyJson, copyNumber, copyText } from '../postgres/copy-in.ts';

/** The columns of `listings` that come from the ad, in the order in which `adValues` writes them. */
export const AD_COLUMNS = [
  'content_hash',
  'city',
  'listing_type',
  'property_type',
  'listing_category',
  'neighborhood_id',
  'neighborhood_stated',
  'bedrooms',
  'bathrooms',
  'livings',
  'age_years',
  'floor',
  'area_sqm',
  'price',
  'posted_amount',
  'per_sqm',
  'text_flags',
  'lat',
  'lng',
  'signature',
  'unit',
  'text_area',
  'plot_area',
  'street_width',
  'advertiser',
  'photos',
  'photo_list',
  'photos_pending',
  'needs_photos',
  'updated_at',
  'updated_by_source',
  'project_ref',
  'project_name',
  'project_developer',
] as const;

/** An ad on its way into the tables. */
export interface AdRow {
  id: number;
  sourceListingId: string;
  contentHash: string;
  listing: NormalizedListing;
  areas: AreasInText;
}

/**
 * The values of `AD_COLUMNS` as a line of COPY.
 * @param seenAt `updated_at` where the source gives none
 */
export function adValues(row: AdRow, seenAt: string, assumePhotos: boolean): string {
  const { listing } = row;
  const withPhotos = listing.photos.length > 0;
  const text = listing.title === null ? listing.description : `${listing.title} ${listing.description}`;
  const updatedAt = listing.source_updated_at;
  return [
    row.contentHash,
    listing.city,
    listing.listing_type,
    listing.property_type,
    listing.listing_category,
    copyNumber(listing.neighborhood_id),
    listing.neighborhood_stated ? 't' : 'f',
    copyNumber(listing.bedrooms),
    copyNumber(listing.bathrooms),
    copyNumber(listing.livings),
    copyNumber(listing.age_years),
    copyText(listing.floor),
    copyNumber(listing.area_sqm),
    copyNumber(listing.price_yearly_sar),
    copyNumber(listing.price_as_posted?.amount ?? null),
    listing.price_as_posted?.frequency === PER_SQM ? 't' : 'f',
    `{${textFlags(listing).join(',')}}`,
    copyNumber(listing.lat),
    copyNumber(listing.lng),
    textSignature(text),
    copyText(unitNumberIn(text)),
    copyNumber(row.areas.home),
    copyNumber(row.areas.plot),
    copyNumber(listing.street_width_m),
    listing.advertiser_key === null ? '\\N' : shortHash(listing.advertiser_key).slice(0, 12),
    assumePhotos ? listing.photos.map(assumedKey).join(' ') : '',
    withPhotos ? shortHash(listing.photos.join(' ')) : '',
    withPhotos && !assumePhotos ? '1' : '0',
    LAND_TYPES.has(listing.property_type) ? 'f' : 't',
    // Clocks of hosts differ: a time a little after the run counts as the run's.
    updatedAt === null || updatedAt > seenAt ? seenAt : updatedAt,
    updatedAt === null ? 'f' : 't',
    copyText(listing.project?.id),
    copyText(listing.project?.name),
    copyText(listing.project?.developer),
  ].join('\t');
}

/** The flags of what was read from the ad's text, in the order of the vocabulary. */
export function textFlags({ text_readings }: NormalizedListing): QualityFlag[] {
  return QUALITY_FLAGS.filter((flag) => text_readings.some((reading) => reading.flag === flag));
}

/**
 * The ad as `listing_records` keeps it, without what has a column there. Without readings of its text it is the same as that
 * of a release that read none.
 */
export function recordJson(listing: NormalizedListing): string {
  const { text_readings: readings } = listing;
  return JSON.stringify({ ...listing, url: undefined, text_readings: readings.length === 0 ? undefined : readings });
}

/**
 * Whether two records of an ad state different content. The source's own update time is no content: a time that moves alone is
 * a statement that the ad was updated, and needs no other one.
 */
export function contentDiffers(before: string, after: string): boolean {
  return before !== after && !isDeepStrictEqual(contentOf(before), contentOf(after));
}

function contentOf(record: string): object {
  return { ...(JSON.parse(record) as Partial<NormalizedListing>), source_updated_at: null };
}

export function recordLine(row: AdRow, json: string): string {
  return `${row.id}\t${copyText(row.listing.url)}\t${copyJson(json)}`;
}
