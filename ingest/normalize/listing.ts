import type { AdvertiserType, QualityFlag } from '#domain/listing-vocabulary.ts';
import type { ListingDisplay, Timestamp } from '#domain/listings/listing.ts';
import type { DateOrder } from './ad-dates.ts';
import type { AdEnd } from './ad-words.ts';
import type { RawValue } from './plain-values.ts';
import type { NoPriceReason } from './price.ts';
import type { TextReading } from './text-price.ts';

/** Types of the fields of a row before normalization. Values are unparsed: words, Arabic digits, units. */
export const RAW_FIELDS = {
  source_listing_id: 'scalar',
  /** Whether the ad is still offered: the source's word, or `is_active`. By default, it is. */
  status: 'flag',
  url: 'text',
  title: 'text',
  description: 'text',
  description_en: 'text',
  purpose: 'text',
  property_type: 'text',
  price: 'scalar',
  /** Sale price of an ad for sale and rent, whose rent is `price`. */
  sale_price: 'scalar',
  /** The source's word for the rent period; ignored for sales. */
  price_period: 'text',
  /** The currency of `price`, for sources with a column for it; by default, the currency in the price, else riyals. */
  currency: 'text',
  area: 'scalar',
  /** The unit of `area`, for sources with a column for it; by default, the unit in the area, else square meters. */
  area_unit: 'text',
  bedrooms: 'scalar',
  bathrooms: 'scalar',
  livings: 'scalar',
  floor: 'scalar',
  age_years: 'scalar',
  furnished: 'flag',
  street_width: 'scalar',
  amenities: 'texts',
  city: 'text',
  neighborhood: 'text',
  lat: 'degrees',
  lng: 'degrees',
  compound_name: 'text',
  /** With the id in the source's project feed. */
  project: { id: 'scalar', name: 'text', developer: 'text' },
  photos: 'texts',
  advertiser_type: 'text',
  /** The source's key for the advertiser, never a name or a telephone number. */
  advertiser_key: 'text',
  verified: 'flag',
  financing: {
    rent_now_pay_later_monthly_sar: 'scalar',
    accepts_bank_financing: 'flag',
    landlord_payment_plans: { monthly: 'flag', quarterly: 'flag', semiannually: 'flag' },
  },
  /** Time in any format that `readDate` reads. Without an offset, it is of the source's time zone. */
  updated_at: 'scalar',
} as const;

export interface RawListing
  extends Omit<RawValue<typeof RAW_FIELDS>, 'source_listing_id' | 'purpose' | 'property_type'> {
  source_listing_id: string;
  purpose: string;
  property_type: string;
}

export interface ProjectReference {
  id: string | null;
  name: string | null;
  developer: string | null;
}

/** In riyals if `currency` is undefined. */
export type PriceAsPosted = NonNullable<ListingDisplay['price']['as_posted']>;

/** A normalized row: typed values from the service's vocabulary, with a location. */
export interface NormalizedListing
  extends Omit<
      ListingDisplay,
      | 'id'
      | 'headline'
      | 'description_en'
      | 'price'
      | 'location'
      | 'project_id'
      | 'image_count'
      | 'advertiser'
      | 'also_listed_on'
      | 'first_seen_at'
      | 'updated_at'
    >,
    Pick<ListingDisplay['location'], 'city' | 'neighborhood_id' | 'lat' | 'lng' | 'street_width_m'> {
  source: string;
  source_listing_id: string;
  url: string | null;
  /** The source's English text; if null, a description is composed later. */
  description_en: string | null;
  price_yearly_sar: number | null;
  price_as_posted: PriceAsPosted | null;
  /** Fields and amenities that are stated only in the advertiser's text. */
  from_text: string[];
  /** Passages of the text that give the ad a quality flag, such as a price that differs from the field. */
  text_readings: TextReading[];
  neighborhood_stated: boolean;
  /** Null for ads that are no unit of an off-plan project. */
  project: ProjectReference | null;
  photos: string[];
  advertiser_wording: string | null;
  advertiser_type: AdvertiserType | null;
  advertiser_key: string | null;
  /** The source's update time; null if the source publishes none. */
  source_updated_at: Timestamp | null;
}

/** Reasons for rejecting a row or one of its values, as stored in `ingest_rejects.reason`. */
export type RejectReason =
  | 'malformed_row'
  | 'missing_id'
  | 'duplicate_id'
  | 'unknown_purpose'
  | 'wanted'
  | 'not_offered'
  | 'unknown_property_type'
  | 'unknown_city'
  | 'too_large'
  | 'too_slow'
  | 'missing_name'
  | 'unknown_status'
  | 'refused_by_store'
  | `${UnreadValue['field'] | keyof RawListing}_unreadable`;

/** How the values of a source are read. */
export interface ReadSettings {
  /** For times without an offset. Defaults to `Asia/Riyadh`. */
  timeZone?: string | undefined;
  /** Order of dates such as `10/03/2026`. Defaults to `day_first`. */
  dateOrder?: DateOrder | undefined;
}

/** Requires every setting, so that none is left out. A source also has functions, which no thread accepts. */
export const settingsOf = ({
  timeZone,
  dateOrder,
}: ReadSettings): { [Setting in keyof Required<ReadSettings>]: ReadSettings[Setting] } => ({ timeZone, dateOrder });

/** A stated value that cannot be read. The ad is stored without it. */
export interface UnreadValue {
  /** As runs report it. */
  field: Exclude<keyof RawListing, keyof typeof REPORTED_AS> | (typeof REPORTED_AS)[keyof typeof REPORTED_AS];
  value: string;
  /** How the feed or its source can be corrected, if the value shows it. By default, as for its field. */
  remedy?: string;
}

/** Names under which fields are reported, where they differ. */
export const REPORTED_AS = { age_years: 'age', lat: 'point', lng: 'point', updated_at: 'date' } as const;

/** Areas in the text in square meters; null if none or several are stated. Used for matching ads. */
export interface AreasInText {
  home: number | null;
  plot: number | null;
}

export type NormalizeResult =
  | {
      ok: true;
      listing: NormalizedListing;
      doubt: NoPriceReason | null;
      implausible: QualityFlag | null;
      areas: AreasInText;
      unread: UnreadValue[];
    }
  | {
      ok: false;
      reason: RejectReason;
      detail: string;
      /** Why the ad is not offered any more. */
      ended?: AdEnd;
    };
