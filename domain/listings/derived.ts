import { CITIES } from '../geography/gazetteer.ts';
import { LAND_TYPES, NAMES } from '../listing-vocabulary.ts';
import { MAX_AMOUNT, toAmount } from '../money.ts';
import type { ListingPrivate } from './listing.ts';
import type { ListingDisplay } from './listing-schema.ts';

const CITY_NAMES_AR = new Map(CITIES.map(({ slug, name_ar }) => [slug, name_ar]));

/** Returns the fields of a listing that follow from its stored fields, so that they need no new index. Pure. */
export function derivedFields(
  display: ListingDisplay,
  { advertiser_type, advertiser_ref }: Pick<ListingPrivate, 'advertiser_type' | 'advertiser_ref'>,
) {
  const { location, advertiser, price, area_sqm: area } = display;
  return {
    location: { ...location, city_name_ar: CITY_NAMES_AR.get(location.city) ?? null },
    advertiser: { ...advertiser, class: advertiser_type, ref: advertiser_ref ?? null },
    headline_ar: composeHeadlineAr(display),
    price_per_sqm_sar: pricePerSqm(price.yearly_sar, area),
  };
}

function pricePerSqm(price: number | null, area: number | null): number | null {
  if (price === null || !area) return null;
  const perSqm = price / area;
  return perSqm > MAX_AMOUNT ? null : toAmount(perSqm);
}

type Composable = Pick<ListingDisplay, 'property_type' | 'listing_type' | 'bedrooms' | 'area_sqm' | 'location'>;

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** Returns a headline: `شقة بـ3 غرف نوم للإيجار في الياسمين، الرياض، 140 م²`. */
function composeHeadlineAr(listing: Composable): string {
  const { property_type: type, listing_type, bedrooms, area_sqm, location } = listing;
  const rooms = namesBedrooms(listing) ? ` ${bedroomsAr(bedrooms ?? 0)}` : '';
  const city = CITY_NAMES_AR.get(location.city) ?? location.city_name_en;
  const place = location.neighborhood_name_ar === null ? city : `${location.neighborhood_name_ar}، ${city}`;
  const area = area_sqm === null ? '' : `، ${number.format(area_sqm)} م²`;
  return `${NAMES.property_types[type].name_ar}${rooms} ${NAMES.listing_types[listing_type].name_ar} في ${place}${area}`;
}

function bedroomsAr(count: number): string {
  if (count === 1) return 'بغرفة نوم واحدة';
  if (count === 2) return 'بغرفتي نوم';
  return `بـ${count} ${count <= 10 ? 'غرف' : 'غرفة'} نوم`;
}

/** Returns whether a headline states the bedrooms, which do not apply to land, a studio or a single room. */
export function namesBedrooms({
  property_type: type,
  bedrooms,
}: Pick<Composable, 'property_type' | 'bedrooms'>): boolean {
  return bedrooms !== null && bedrooms > 0 && !LAND_TYPES.has(type) && type !== 'studio' && type !== 'room';
}
