import { split } from '../kinds/fields.ts';
import { defineCsvSnapshots } from '../snapshots.ts';

/** Rents and sales of the coastal cities, Arabic; the point is one cell, `lat lng`. */
export default defineCsvSnapshots({
  name: 'sadaf_coast',
  required: ['id', 'purpose', 'type', 'price', 'city'],
  map: (row) => {
    const [lat, lng] = split(row.geo, ' ');
    return {
      source_listing_id: row.id ?? '',
      title: row.title,
      description: row.description,
      purpose: row.purpose ?? '',
      property_type: row.type ?? '',
      price: row.price,
      price_period: row.rent_period,
      area: row.size,
      bedrooms: row.bedrooms,
      bathrooms: row.bathrooms,
      amenities: split(row.features, '|'),
      city: row.city,
      neighborhood: row.district,
      lat,
      lng,
      photos: split(row.pictures, '|'),
      advertiser_type: row.advertiser_type,
      advertiser_key: row.advertiser_ref,
      updated_at: row.updated_epoch,
    };
  },
});
