import { foldText } from '../fold.ts';
import { NEIGHBORHOODS_BY_ID } from '../geography/gazetteer.ts';
import { type FloorClass, PER_SQM } from '../listing-vocabulary.ts';
import { searchedText } from '../text/searched-text.ts';
import type { ListingPrivate, StoredListing } from './listing.ts';

/** Equals `_meta.version` in `index-templates/listings.json`. Raise both together. */
export const LISTING_DOCUMENT_VERSION = 10;

/**
 * The oldest version that this release can serve during a reindex. Raise it when responses or searches need fields that
 * earlier versions lack.
 */
export const OLDEST_READABLE_VERSION = 1;

export type ListingDocument = ReturnType<typeof toDocument>;

/**
 * Builds the indexed document. `display` and `private` are stored; the other blocks are derived from them at each
 * write.
 */
export function toDocument({ display, private: hidden }: StoredListing) {
  const price = display.price.yearly_sar;
  const previous = display.price.previous_yearly_sar;
  const { lat, lng } = display.location;
  const { project } = hidden;
  return {
    display,
    private: hidden,
    filter: {
      id: display.id,
      city: display.location.city,
      listing_type: display.listing_type,
      listing_category: display.listing_category,
      property_type: display.property_type,
      neighborhood_id: display.location.neighborhood_id,
      direction_id: NEIGHBORHOODS_BY_ID.get(display.location.neighborhood_id ?? 0)?.direction_id ?? null,
      // The point is for distances. Two range clauses over `lat` and `lng` are faster for boxes.
      location: lat === null || lng === null ? null : ([lng, lat] as const),
      lat,
      lng,
      // Folded, so that all spellings match.
      compound: display.compound_name === null ? null : foldText(display.compound_name),
      project_id: display.project_id,
      project_developer: project?.developer_id ?? null,
      project_status: project?.status ?? null,
      project_features: project?.features ?? [],
      project_banks: project?.banks ?? [],
      price,
      rent_frequency: rentFrequency(display),
      area: display.area_sqm,
      beds: display.bedrooms,
      bathrooms: display.bathrooms,
      livings: display.livings,
      amenities: display.amenities,
      furnished: display.furnished,
      floor: floorClasses(display.floor),
      age: display.age_years,
      verified: display.verified_by_source,
      // Epoch milliseconds.
      first_seen_at: Date.parse(display.first_seen_at),
      updated_at: Date.parse(display.updated_at),
      // Epoch microseconds.
      modified: hidden.modified,
      source: [hidden.source, ...display.also_listed_on],
      advertiser: hidden.advertiser_ref ?? null,
      advertiser_type: hidden.advertiser_type,
      quality: hidden.quality ?? [],
      price_drop_pct:
        price !== null && previous !== null && previous > price ? ((previous - price) / previous) * 100 : null,
    },
    // The words of a query may be in either, but a phrase must be within one.
    text: searchedText(display.title === null ? [display.description] : [display.title, display.description]),
    stats: {
      price_per_sqm: price !== null && display.area_sqm ? price / display.area_sqm : null,
      // The advertiser is indexed for statistics: prices of one advertiser are not independent observations.
      advertiser: hidden.advertiser,
      plausible_typed: hidden.plausible_typed && price !== null,
      plausible_pooled: hidden.plausible_pooled && price !== null,
      recommended: recommendedScore(display, hidden),
    },
  };
}

function rentFrequency({ listing_type, price }: StoredListing['display']): string | null {
  if (listing_type !== 'rent' || price.as_posted === null) return null;
  return price.as_posted.frequency === PER_SQM ? 'yearly' : price.as_posted.frequency;
}

/**
 * `ground` and `upper` overlap: a listing may have both (`ground,upper`), and one without a stated floor has none. A
 * number is a floor, 0 the ground floor.
 */
function floorClasses(floor: string | null): FloorClass[] {
  if (floor === null) return [];
  const classes = new Set<FloorClass>();
  for (const part of floor.split(',')) {
    const word = part.trim();
    if (word === '') continue;
    const number = Number(word);
    if (Number.isFinite(number)) classes.add(number < 0 ? 'basement' : number === 0 ? 'ground' : 'upper');
    else if (word === 'roof') classes.add('roof').add('upper');
    else if (word === 'ground' || word === 'upper' || word === 'basement') classes.add(word);
  }
  return [...classes];
}

const DAY_SECONDS = 86_400;

/**
 * Score for `sort=recommended`: newer listings rank higher, and completeness counts as much as about three weeks of age.
 * It uses `first_seen_at` and not the current time, so that it can be indexed.
 */
function recommendedScore(display: StoredListing['display'], hidden: ListingPrivate): number {
  let days = 0;
  days += Math.min(display.image_count, 8);
  days += Math.min(display.description.length / 100, 5);
  if (display.verified_by_source) days += 4;
  if (display.location.neighborhood_id !== null) days += 2;
  if (display.area_sqm !== null) days += 2;
  if (display.title !== null) days += 1;
  return hidden.first_seen / DAY_SECONDS + days;
}
