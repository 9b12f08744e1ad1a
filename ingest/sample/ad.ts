import type { City, Neighborhood } from '#domain/geography/places.ts';
import type { Amenity, ListingType, PropertyType, RentFrequency } from '#domain/listings/vocabulary.ts';

export type AdvertiserKind = 'agency' | 'developer' | 'office' | 'owner' | 'agent';

/** A home, shop or plot of the invented market: its true facts, regardless of advertisers. */
export interface Property {
  id: number;
  city: City;
  neighborhood: Neighborhood;
  lat: number;
  lng: number;
  listing_type: ListingType;
  property_type: PropertyType;
  /** SAR; the yearly rent, or the total of a sale. */
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
  /** The advertiser who posted it first. */
  advertiser: Advertiser;
}

export interface Advertiser {
  key: string;
  kind: AdvertiserKind;
}

/** A property as one source shows it on one day, before the source's own words, units and field names. */
export interface Ad {
  id: string;
  property: Property;
  title: string;
  description: string;
  description_en: string | null;
  /** The posted amount for `frequency`; null when the advertiser states none. */
  price: number | null;
  /** Null for a sale. */
  frequency: RentFrequency | null;
  area: number;
  bedrooms: number | null;
  /** Null where this advertiser gave no point. */
  point: { lat: number; lng: number } | null;
  /** Absolute addresses. */
  photos: readonly string[];
  advertiser: Advertiser;
  verified: boolean;
  pay_later_monthly: number | null;
  /** Epoch seconds. */
  created: number;
  updated: number;
}
