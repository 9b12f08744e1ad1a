import type { LatLng } from '#domain/geography/places.ts';
import { PER_SQM } from '#domain/listing-vocabulary.ts';
import { assumedKey, shortHash } from '#ingest/hash.ts';
import { type Ad, adSet, type ComparableAd, kindOf, photoHash } from '#ingest/identity/ads.ts';
import { findDuplicates } from '#ingest/identity/cluster.ts';
import { PhotoCounter } from '#ingest/identity/sharing.ts';
import { featuresOf, unitNumberIn } from '#ingest/normalize/features.ts';
import type { AreasInText, NormalizedListing, RawListing } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { textSignature } from '#ingest/normalize/signature.ts';
import { NeighborhoodVote } from '#ingest/places/neighborhood-vote.ts';
import type { SourceDefinition } from '#ingest/sources/source.ts';

/** An ad as stated by its source. Its photo URLs identify the photos. */
export interface OfflineAd {
  source: string;
  raw: RawListing;
}

/** Returns the ads of a source; none if the folder does not have its feed. */
export async function readAds(source: SourceDefinition, dataDir: string): Promise<OfflineAd[]> {
  const ads: OfflineAd[] = [];
  if (!source.isOffered({ dataDir })) return ads;
  for await (const row of source.rows({ dataDir }, { at: new Date(), signal: new AbortController().signal }))
    if (row.ok) ads.push({ source: source.name, raw: row.raw });
  return ads;
}

/** Prepares ads for matching in memory, as an ingest run does. An ad's id is its index plus one. */
function adSetsOf(ads: readonly OfflineAd[]): ComparableAd[][] {
  const accepted: {
    id: number;
    source: string;
    listing: NormalizedListing;
    areas: AreasInText;
    photos: readonly string[];
  }[] = [];
  for (const [at, { source, raw }] of ads.entries()) {
    const result = normalize({ name: source }, raw);
    if (!result.ok) continue;
    accepted.push({
      id: at + 1,
      source,
      listing: result.listing,
      areas: result.areas,
      photos: result.listing.photos.map(assumedKey),
    });
  }
  const votes = new Map<string, NeighborhoodVote>();
  for (const { listing } of accepted) {
    const { city, lat, lng, neighborhood_id: id } = listing;
    if (id === null || lat === null || lng === null || !listing.neighborhood_stated) continue;
    if (!votes.has(city)) votes.set(city, new NeighborhoodVote());
    votes.get(city)?.add({ lat, lng }, id);
  }
  const counter = new PhotoCounter();
  for (const { listing, photos } of accepted)
    for (const photo of photos) counter.add(photoHash(photo), photoHash(listing.city));
  const sets = Map.groupBy(
    accepted,
    ({ listing }) => `${listing.city}/${listing.listing_type}/${kindOf(listing.property_type)}`,
  );
  return [...sets.values()].map((set) => {
    const city = photoHash(set[0]?.listing.city ?? '');
    const ads = set.map(({ id, source, listing, areas, photos }): Ad => {
      const text = listing.title === null ? listing.description : `${listing.title} ${listing.description}`;
      return {
        id,
        source,
        type: listing.property_type,
        neighborhood: neighborhoodOf(listing, votes.get(listing.city)) ?? 0,
        bedrooms: listing.bedrooms ?? Number.NaN,
        bathrooms: listing.bathrooms ?? Number.NaN,
        livings: listing.livings ?? Number.NaN,
        age: listing.age_years ?? Number.NaN,
        floor: listing.floor,
        unit: unitNumberIn(text),
        area: listing.area_sqm ?? Number.NaN,
        price: listing.price_yearly_sar ?? Number.NaN,
        textArea: areas.home ?? Number.NaN,
        plotArea: areas.plot ?? Number.NaN,
        streetWidth: listing.street_width_m ?? Number.NaN,
        features: featuresOf(listing),
        payments: paymentsOf(listing),
        previousPrice: Number.NaN,
        lat: listing.lat ?? Number.NaN,
        lng: listing.lng ?? Number.NaN,
        advertiser: listing.advertiser_key === null ? null : shortHash(listing.advertiser_key).slice(0, 12),
        servable: true,
        leader: id,
        photos,
        signature: textSignature(text),
      };
    });
    return adSet(ads, { isCommon: (photo) => counter.isCommon(photo, city) });
  });
}

/** Returns each ad's cluster by index; null for a rejected ad. */
export function matchOffline(ads: readonly OfflineAd[]): (number | null)[] {
  const clusters: (number | null)[] = ads.map(() => null);
  for (const set of adSetsOf(ads)) {
    const leaders = findDuplicates(set);
    for (const { at, id } of set) clusters[id - 1] = (leaders[at] as ComparableAd).id - 1;
  }
  return clusters;
}

function paymentsOf({
  listing_type: type,
  price_as_posted: posted,
  price_yearly_sar: yearly,
}: NormalizedListing): number {
  return type === 'rent' && posted !== null && posted.frequency !== PER_SQM
    ? Math.round((yearly ?? Number.NaN) / posted.amount)
    : 1;
}

function neighborhoodOf(listing: NormalizedListing, vote: NeighborhoodVote | undefined): number | null {
  const { lat, lng, neighborhood_id: id } = listing;
  if (listing.neighborhood_stated || lat === null || lng === null || vote === undefined) return id;
  const point: LatLng = { lat, lng };
  const voted = vote.of(point);
  return voted === undefined ? id : voted;
}
