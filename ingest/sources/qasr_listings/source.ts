import { split } from '../kinds/fields.ts';
import { defineCsvSnapshots } from '../snapshots.ts';

/** Rents and sales, English; rents are yearly. The place is one cell, `neighborhood, city`, and there are no points. */
export default defineCsvSnapshots({
  name: 'qasr_listings',
  required: ['Ref', 'Purpose', 'Type', 'Price', 'Location'],
  map: (row) => {
    const place = split(row.Location, ',');
    return {
      source_listing_id: row.Ref ?? '',
      title: row.Title,
      description: row.Description,
      purpose: row.Purpose ?? '',
      property_type: row.Type ?? '',
      price: row.Price,
      price_period: 'yearly',
      area: row.Area,
      bedrooms: row.Beds,
      bathrooms: row.Baths,
      floor: row.Floor,
      amenities: split(row.Amenities, ';'),
      city: place.at(-1),
      neighborhood: place.length > 1 ? place[0] : null,
      photos: split(row.Photos, '|'),
      advertiser_type: row['Agent Type'],
      advertiser_key: row['Agent Key'],
      updated_at: row.Updated,
    };
  },
});
