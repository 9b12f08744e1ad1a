import type { City, Neighborhood } from '#domain/geography/places.ts';
import type { Amenity, ListingType, PropertyType, RentFrequency } from '#domain/listings/vocabulary.ts';

export type AdvertiserKind = 'agency' | 'developer' | 'office' | 'owner' | 'agent';

/** A home, shop or plot in the generated market, with its true facts, which do not depend on advertisers. */
export interface Property {
  id: number;
  city: City;
  neighborhood: Neighborhood;
  lat: number;
  lng: number;
  listing_type: ListingType;
  property_type: PropertyType;
  /** Annual rent or sale price in SAR. */
  price: number;
  area: number;
  bedrooms: number | null;
  bathrooms: number | null;
  livings: number | null;
  floor: number | null;
  age: number | null;
  furnished: boolean | null;
  amenities: readonly Amenity[];
  street_width: number | null;
  compound: string | null;
  project_id: number | null;
  photos: number;
  bank: boolean | null;
  /** The advertiser who posted the property first. */
  advertiser: Advertiser;
}

export interface Advertiser {
  key: string;
  kind: AdvertiserKind;
}

/** A property as posted on one source on one day, before conversion to the source's words, units and field names. */
export interface Ad {
  id: string;
  property: Property;
  title: string;
  description: string;
  description_en: string | null;
  /** The posted amount per `frequency`; null if the advertiser states none. */
  price: number | null;
  /** Null for a sale. */
  frequency: RentFrequency | null;
  area: number;
  bedrooms: number | null;
  /** Null if the advertiser states no point. */
  point: { lat: number; lng: number } | null;
  /** Absolute URLs. */
  photos: readonly string[];
  advertiser: Advertiser;
  verified: boolean;
  pay_later_monthly: number | null;
  /** Epoch seconds. */
  created: number;
  updated: number;
}
