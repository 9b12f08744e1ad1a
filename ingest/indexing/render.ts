import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { timestamp } from '#domain/listings/present.ts';
import type { QualityFlag } from '#domain/listings/vocabulary.ts';
import type { UnitProject } from '#domain/off-plan/project.ts';
import { shortHash } from '../hash.ts';
import { composeDescriptionEn, composeHeadline } from '../normalize/compose.ts';
import type { NormalizedListing } from '../normalize/listing.ts';

/** A listing's state beyond its ad. Timestamps are in epoch seconds, except `modified`. */
export interface ListingState {
  id: number;
  firstSeen: number;
  updated: number;
  previousPrice: number | null;
  priceChanged: number | null;
  photos: string[];
  alsoListedOn: string[];
  plausibleTyped: boolean;
  plausiblePooled: boolean;
  /** Epoch microseconds. */
  modified: number;
  project: UnitProject | null;
  quality: QualityFlag[];
}

const cities = new Map<string, City>(CITIES.map((city) => [city.slug, city]));
const neighborhoods = new Map<number, Neighborhood>(
  CITIES.flatMap((city) => neighborhoodsOf(city.slug).map((neighborhood) => [neighborhood.id, neighborhood] as const)),
);

/** Renders a listing for the index. Pure. @param lastSeen epoch seconds of the last run that confirmed the ad */
export function renderListing(ad: NormalizedListing, state: ListingState, lastSeen: number): StoredListing {
  const city = cities.get(ad.city);
  const neighborhood = ad.neighborhood_id === null ? undefined : neighborhoods.get(ad.neighborhood_id);
  const names = { city: city?.name_en ?? ad.city, neighborhood: neighborhood?.name_en ?? null };
  return {
    display: {
      id: state.id,
      title: ad.title,
      headline: composeHeadline(ad, names),
      description: ad.description,
      description_en: ad.description_en ?? composeDescriptionEn(ad, names),
      listing_type: ad.listing_type,
      listing_category: ad.listing_category,
      property_type: ad.property_type,
      price: {
        yearly_sar: ad.price_yearly_sar,
        as_posted: ad.price_as_posted,
        previous_yearly_sar: state.previousPrice,
        changed_at: state.priceChanged === null ? null : timestamp(state.priceChanged),
      },
      financing: ad.financing,
      bedrooms: ad.bedrooms,
      bathrooms: ad.bathrooms,
      livings: ad.livings,
      area_sqm: ad.area_sqm,
      floor: ad.floor,
      age_years: ad.age_years,
      furnished: ad.furnished,
      amenities: ad.amenities,
      location: {
        city: ad.city,
        city_name_en: names.city,
        neighborhood_id: ad.neighborhood_id,
        neighborhood_name_ar: neighborhood?.name_ar ?? null,
        neighborhood_name_en: names.neighborhood,
        lat: ad.lat,
        lng: ad.lng,
        street_width_m: ad.street_width_m,
      },
      compound_name: ad.compound_name,
      project_id: state.project?.id ?? null,
      image_count: state.photos.length,
      advertiser: { type: ad.advertiser_wording },
      verified_by_source: ad.verified_by_source,
      also_listed_on: state.alsoListedOn,
      first_seen_at: timestamp(state.firstSeen),
      updated_at: timestamp(state.updated),
    },
    private: {
      source: ad.source,
      source_listing_id: ad.source_listing_id,
      photos: state.photos,
      first_seen: state.firstSeen,
      last_seen: lastSeen,
      modified: state.modified,
      ...(state.quality.length === 0 ? {} : { quality: state.quality }),
      advertiser_type: ad.advertiser_type,
      advertiser: ad.advertiser_key === null ? null : shortHash(ad.advertiser_key).slice(0, 12),
      plausible_typed: state.plausibleTyped,
      plausible_pooled: state.plausiblePooled,
      project: state.project,
    },
  };
}
