import { split } from '../kinds/fields.ts';
import { defineCsvSnapshots } from '../snapshots.ts';

/** Rents and sales, Arabic; numbers in Arabic digits, local times. */
export default defineCsvSnapshots({
  name: 'aqarna',
  required: ['id', 'purpose', 'type', 'price', 'city'],
  map: (row) => ({
    source_listing_id: row.id ?? '',
    url: row.link,
    title: row.title,
    description: row.body,
    purpose: row.purpose ?? '',
    property_type: row.type ?? '',
    price: row.price,
    price_period: row.period,
    area: row.area,
    bedrooms: row.rooms,
    bathrooms: row.baths,
    livings: row.halls,
    floor: row.floor,
    age_years: row.age,
    amenities: split(row.features, '،'),
    city: row.city,
    neighborhood: row.district,
    lat: row.lat,
    lng: row.lng,
    street_width: row.street,
    photos: split(row.images, '|'),
    advertiser_type: row.advertiser,
    advertiser_key: row.advertiser_id,
    verified: row.verified,
    updated_at: row.updated,
  }),
});
