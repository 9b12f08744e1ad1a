import { marked } from '../kinds/fields.ts';
import { ndjson } from '../kinds/ndjson-file.ts';
import { renamed } from '../kinds/renamed.ts';
import { defineFileSource } from '../source.ts';

/** Apartments for sale in Riyadh, 2022. The feed has the number of photos per row, but no photo URLs. */
export default defineFileSource({
  name: 'aqar',
  file: 'listings/aqar_riyadh_apartments_sale_2022.ndjson',
  maxAgeDays: null,
  read: ndjson({
    map: renamed({
      source_listing_id: 'id',
      title: 'title_ar',
      description: 'description_ar',
      purpose: 'purpose',
      property_type: 'property_type',
      price: 'price',
      area: 'area',
      bedrooms: 'beds',
      bathrooms: 'baths',
      livings: 'livings',
      age_years: 'age',
      furnished: 'furnished',
      amenities: (row) => marked(row, { kitchen: 'kitchen' }),
      city: 'city_ar',
      neighborhood: 'district_ar',
      lat: 'lat',
      lng: 'lng',
      street_width: 'street_width',
      photos: () => [],
      advertiser_type: 'advertiser_type',
      advertiser_key: 'advertiser_key',
      verified: 'advertiser_verified',
      updated_at: 'last_update',
    }),
  }),
});
