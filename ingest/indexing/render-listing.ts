import { NEIGHBORHOODS_BY_ID } from '#domain/geography/gazetteer.ts';
import { findCity } from '#domain/geography/locate.ts';
import { PER_SQM, QUALITY_FLAGS, type QualityFlag } from '#domain/listing-vocabulary.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { firstModified } from '#domain/listings/modified.ts';
import { timestamp } from '#domain/listings/present.ts';
import type { UnitProject } from '#domain/off-plan/project.ts';
import { advertiserHash } from '../hash.ts';
import { composeDescriptionEn, composeHeadline } from '../normalize/compose.ts';
import type { NormalizedListing } from '../normalize/listing.ts';
import type { ListingRow } from './listing-rows.ts';

/** @param lastSeen epoch seconds at which the ad was confirmed */
export function storedListing(row: ListingRow, lastSeen: number): StoredListing {
  const ad = current(JSON.parse(row.record as string) as NormalizedListing, row);
  const neighborhood = ad.neighborhood_id === null ? undefined : NEIGHBORHOODS_BY_ID.get(ad.neighborhood_id);
  const names = { city: findCity(ad.city)?.name_en ?? ad.city, neighborhood: neighborhood?.name_en ?? null };
  const photos = row.photos === '' ? [] : row.photos.split(' ');
  const project = row.project === null ? null : (JSON.parse(row.project) as UnitProject);
  const quality = qualityOf(row);
  return {
    display: {
      id: row.id,
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
        previous_yearly_sar: row.previousPrice,
        changed_at: row.priceChanged === null ? null : timestamp(row.priceChanged),
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
      project_id: project?.id ?? null,
      image_count: photos.length,
      advertiser: { type: ad.advertiser_wording },
      verified_by_source: ad.verified_by_source,
      also_listed_on: row.alsoListedOn === '' ? [] : row.alsoListedOn.split(','),
      first_seen_at: timestamp(row.firstSeen),
      updated_at: timestamp(row.updated),
    },
    private: {
      source: ad.source,
      source_listing_id: ad.source_listing_id,
      photos,
      first_seen: row.firstSeen,
      last_seen: lastSeen,
      modified: row.modified ?? firstModified(row.firstSeen, row.id),
      ...(quality.length === 0 ? {} : { quality }),
      advertiser_type: ad.advertiser_type,
      advertiser: ad.advertiser_key === null ? null : advertiserHash(ad.advertiser_key),
      ...(ad.advertiser_type === 'company' && row.advertiserRef !== null ? { advertiser_ref: row.advertiserRef } : {}),
      plausible_typed: row.plausibleTyped,
      plausible_pooled: row.plausiblePooled,
      project,
    },
  };
}

function qualityOf({ textFlags, sharedPhotos, perSqm, relisted, farBelow }: ListingRow): QualityFlag[] {
  const found: Partial<Record<QualityFlag, boolean>> = {
    shared_photos: sharedPhotos,
    price_per_sqm_converted: perSqm,
    relisted,
    far_below_comparables: farBelow,
  };
  return QUALITY_FLAGS.filter((flag) => found[flag] ?? textFlags.includes(flag));
}

function current(ad: NormalizedListing, { price, perSqm, neighborhood }: ListingRow): NormalizedListing {
  const placed = ad.neighborhood_id === neighborhood ? ad : { ...ad, neighborhood_id: neighborhood };
  if (placed.price_yearly_sar === price || placed.price_as_posted === null) return placed;
  const { frequency } = placed.price_as_posted;
  return {
    ...placed,
    price_yearly_sar: price,
    price_as_posted: { ...placed.price_as_posted, frequency: perSqm ? PER_SQM : frequency },
  };
}
