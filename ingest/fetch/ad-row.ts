import { isDeepStrictEqual } from 'node:util';
import { LAND_TYPES, PER_SQM, QUALITY_FLAGS, type QualityFlag } from '#domain/listing-vocabulary.ts';
import { advertiserHash, assumedKey, shortHash } from '../hash.ts';
import { featuresOf } from '../normalize/features.ts';
import type { AreasInText, NormalizedListing } from '../normalize/listing.ts';
import { copyNumber, copyText } from '../postgres/copy-in.ts';
import { contentOf, postedAmount, type StoredContent } from './content-check.ts';

/** An ad as it is stored. Another thread makes it: texts are faster to send than objects. */
export interface AdRow {
  /** The `AD_COLUMNS` after the hash, as in a COPY line. */
  values: string;
  url: string | null;
  /** JSON for `listing_records`. */
  record: string;
  content: StoredContent;
  /** Hash of an advertiser that is a company. */
  company: string | null;
}

interface AdValues {
  listing: NormalizedListing;
  areas: AreasInText;
  textImplausible: boolean;
  /** Signature of the title and the description. */
  signature: string;
  unit: string | null;
  /** Value for `updated_at` if the source states none. */
  seenAt: string;
  assumePhotos: boolean;
}

/** Columns of `listings`, each with its value in the COPY line. */
// biome-ignore format: a column is a line
const COLUMNS: readonly (readonly [column: string, value: (ad: AdValues) => string])[] = [
  ['city', ({ listing }) => listing.city],
  ['listing_type', ({ listing }) => listing.listing_type],
  ['property_type', ({ listing }) => listing.property_type],
  ['listing_category', ({ listing }) => listing.listing_category],
  ['neighborhood_id', ({ listing }) => copyNumber(listing.neighborhood_id)],
  ['neighborhood_stated', ({ listing }) => listing.neighborhood_stated ? 't' : 'f'],
  ['bedrooms', ({ listing }) => copyNumber(listing.bedrooms)],
  ['bathrooms', ({ listing }) => copyNumber(listing.bathrooms)],
  ['livings', ({ listing }) => copyNumber(listing.livings)],
  ['age_years', ({ listing }) => copyNumber(listing.age_years)],
  ['floor', ({ listing }) => copyText(listing.floor)],
  ['area_sqm', ({ listing }) => copyNumber(listing.area_sqm)],
  ['price', ({ listing }) => copyNumber(listing.price_yearly_sar)],
  ['posted_amount', ({ listing }) => copyNumber(postedAmount(listing))],
  ['per_sqm', ({ listing }) => listing.price_as_posted?.frequency === PER_SQM ? 't' : 'f'],
  ['priced', ({ listing }) => listing.price_yearly_sar === null ? 'f' : 't'],
  ['text_implausible', ({ textImplausible }) => textImplausible ? 't' : 'f'],
  ['text_flags', ({ listing }) => `{${textFlags(listing).join(',')}}`],
  ['lat', ({ listing }) => copyNumber(listing.lat)],
  ['lng', ({ listing }) => copyNumber(listing.lng)],
  ['signature', ({ signature }) => signature],
  ['unit', ({ unit }) => copyText(unit)],
  ['text_area', ({ areas }) => copyNumber(areas.home)],
  ['plot_area', ({ areas }) => copyNumber(areas.plot)],
  ['street_width', ({ listing }) => copyNumber(listing.street_width_m)],
  ['features', ({ listing }) => copyNumber(featuresOf(listing))],
  ['advertiser', ({ listing }) => copyText(advertiserOf(listing))],
  ['photos', ({ listing, assumePhotos }) => assumePhotos ? listing.photos.map(assumedKey).join(' ') : ''],
  ['photo_list', ({ listing }) => listing.photos.length > 0 ? shortHash(listing.photos.join(' ')) : ''],
  ['photos_pending', ({ listing, assumePhotos }) => listing.photos.length > 0 && !assumePhotos ? '1' : '0'],
  ['needs_photos', ({ listing }) => LAND_TYPES.has(listing.property_type) ? 'f' : 't'],
  // Host clocks differ: a timestamp slightly after the run is replaced by the run's time.
  ['updated_at', ({ listing, seenAt }) => listing.source_updated_at === null || listing.source_updated_at > seenAt ? seenAt : listing.source_updated_at],
  ['updated_by_source', ({ listing }) => listing.source_updated_at === null ? 'f' : 't'],
  ['project_ref', ({ listing }) => copyText(listing.project?.id)],
  ['project_name', ({ listing }) => copyText(listing.project?.name)],
  ['project_developer', ({ listing }) => copyText(listing.project?.developer)],
];

export const AD_COLUMNS = ['content_hash', ...COLUMNS.map(([column]) => column)];

export function adRow(ad: AdValues): AdRow {
  const { listing } = ad;
  return {
    values: COLUMNS.map(([, value]) => value(ad)).join('\t'),
    url: listing.url,
    record: recordJson(listing),
    content: contentOf(listing),
    company: listing.advertiser_type === 'company' ? advertiserOf(listing) : null,
  };
}

export const listingIn = ({ record, url }: AdRow): NormalizedListing => ({ ...JSON.parse(record), url });

const advertiserOf = ({ advertiser_key: key }: NormalizedListing): string | null =>
  key === null ? null : advertiserHash(key);

function textFlags({ text_readings }: NormalizedListing): QualityFlag[] {
  return QUALITY_FLAGS.filter((flag) => text_readings.some((reading) => reading.flag === flag));
}

/** For `listing_records`, without the URL and without empty facts of the text, as in earlier releases. */
export function recordJson(listing: NormalizedListing): string {
  const { text_readings: readings } = listing;
  return JSON.stringify({ ...listing, url: undefined, text_readings: readings.length === 0 ? undefined : readings });
}

/** Compares records without the source's update time. */
export function contentDiffers(before: string, after: string): boolean {
  return before !== after && !isDeepStrictEqual(withoutTime(before), withoutTime(after));
}

function withoutTime(record: string): object {
  return { ...(JSON.parse(record) as Partial<NormalizedListing>), source_updated_at: null };
}

export const recordLine = (id: number, { url, record }: AdRow): string =>
  `${id}\t${copyText(url)}\t${copyText(record)}`;
