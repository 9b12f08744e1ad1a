import { split } from '../kinds/fields.ts';
import { defineCsvSnapshots } from '../snapshots.ts';

/** Rents and sales between tabs, without titles or update times; points in some. */
export default defineCsvSnapshots({
  name: 'souq_buyut',
  delimiter: '\t',
  required: ['ad', 'sell_or_rent', 'what', 'price', 'city'],
  map: (row) => {
    const [lat, lng] = split(row.point, ';');
    return {
      source_listing_id: row.ad ?? '',
      description: row.text,
      purpose: row.sell_or_rent ?? '',
      property_type: row.what ?? '',
      price: row.price,
      price_period: row.every,
      area: row.area,
      bedrooms: row.rooms,
      bathrooms: row.wc,
      city: row.city,
      neighborhood: row.district,
      lat,
      lng,
      photos: split(row.pics, ','),
      advertiser_type: row.who,
      advertiser_key: row.who_id,
    };
  },
});
