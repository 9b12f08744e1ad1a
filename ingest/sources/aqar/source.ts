import { flag, marked, scalar, text } from '../kinds/fields.ts';
import { ndjsonFile } from '../kinds/ndjson-file.ts';
import { defineFileSource } from '../source.ts';

/** Apartments for sale in Riyadh, 2022. The feed has the number of photos per row, but no photo URLs. */
export default defineFileSource({
  name: 'aqar',
  file: 'listings/aqar_riyadh_apartments_sale_2022.ndjson',
  maxAgeDays: null,
  read: (file) =>
    ndjsonFile({
      ...file,
      map: (row) => ({
        source_listing_id: text(row.id) ?? '',
        title: text(row.title_ar),
        description: text(row.description_ar),
        purpose: text(row.purpose) ?? '',
        property_type: text(row.property_type) ?? '',
        price: scalar(row.price),
        area: scalar(row.area),
        bedrooms: scalar(row.beds),
        bathrooms: scalar(row.baths),
        livings: scalar(row.livings),
        age_years: scalar(row.age),
        furnished: flag(row.furnished),
        amenities: marked(row, { kitchen: 'kitchen' }),
        city: text(row.city_ar),
        neighborhood: text(row.district_ar),
        lat: scalar(row.lat),
        lng: scalar(row.lng),
        street_width: scalar(row.street_width),
        photos: [],
        advertiser_type: text(row.advertiser_type),
        advertiser_key: text(row.advertiser_key),
        verified: flag(row.advertiser_verified),
        updated_at: scalar(row.last_update),
      }),
    }),
});
