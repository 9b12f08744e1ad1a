import { split } from '../kinds/fields.ts';
import { defineCsvSnapshots } from '../snapshots.ts';

/** Units of new developments from brokers, in Arabic, with the name and developer of the project. No update times. */
export default defineCsvSnapshots({
  name: 'bayt_jadid',
  required: ['id', 'offer', 'type', 'price', 'city', 'project'],
  map: (row) => ({
    source_listing_id: row.id ?? '',
    title: row.title,
    description: row.text,
    purpose: row.offer ?? '',
    property_type: row.type ?? '',
    price: row.price,
    price_period: 'yearly',
    area: row.area,
    bedrooms: row.rooms,
    bathrooms: row.baths,
    floor: row.floor,
    amenities: split(row.features, '،'),
    city: row.city,
    neighborhood: row.district,
    lat: row.lat,
    lng: row.lng,
    project: { name: row.project, developer: row.developer },
    photos: split(row.images, '|'),
    advertiser_type: row.advertiser,
  }),
});
