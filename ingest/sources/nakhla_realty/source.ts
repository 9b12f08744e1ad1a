import { texts } from '../kinds/fields.ts';
import { defineCsvSnapshots } from '../snapshots.ts';

/** Rents and sales, English words with Arabic city names; lists are JSON inside a cell. */
export default defineCsvSnapshots({
  name: 'nakhla_realty',
  required: ['listing_no', 'for', 'property', 'price_sar', 'city'],
  map: (row) => ({
    source_listing_id: row.listing_no ?? '',
    title: row.title,
    description: row.description,
    purpose: row.for ?? '',
    property_type: row.property ?? '',
    price: row.price_sar,
    price_period: row.frequency,
    area: row.area_m2,
    bedrooms: row.bedrooms,
    bathrooms: row.bathrooms,
    livings: row.living_rooms,
    floor: row.floor,
    age_years: row.age,
    amenities: jsonTexts(row.features),
    city: row.city,
    neighborhood: row.district,
    lat: row.latitude,
    lng: row.longitude,
    street_width: row.street_m,
    photos: jsonTexts(row.photos),
    advertiser_type: row.advertiser,
    advertiser_key: row.advertiser_no,
    updated_at: row.modified_on,
  }),
});

function jsonTexts(cell: string | undefined): string[] {
  return cell === undefined || cell === '' ? [] : texts(JSON.parse(cell));
}
