import { csv } from '../kinds/csv-file.ts';
import { contentId, marked } from '../kinds/fields.ts';
import { renamed } from '../kinds/renamed.ts';
import { defineFileSource } from '../source.ts';

const AMENITY_COLUMNS = {
  kitchen: 'kitchen',
  garage: 'parking',
  driver_room: 'driver_room',
  maid_room: 'maid_room',
  ac: 'ac',
  roof: 'roof',
  pool: 'pool',
  frontyard: 'garden',
  basement: 'basement',
  stairs: 'internal_stairs',
  elevator: 'lift',
  fireplace: 'fireplace',
};

/** Yearly rents of villas and duplexes in four cities, 2021. The feed has no ids, texts, points or dates. */
export default defineFileSource({
  name: 'sa_aqar',
  file: 'listings/SA_Aqar.csv',
  maxAgeDays: null,
  read: csv({
    required: ['city', 'district', 'size', 'price', 'duplex'],
    map: renamed({
      source_listing_id: (row) => contentId(Object.values(row)),
      purpose: () => 'rent',
      property_type: (row) => (row.duplex === '1' ? 'duplex' : 'villa'),
      price: 'price',
      price_period: () => 'yearly',
      area: 'size',
      bedrooms: 'bedrooms',
      bathrooms: 'bathrooms',
      livings: 'livingrooms',
      age_years: 'property_age',
      furnished: 'furnished',
      amenities: (row) => marked(row, AMENITY_COLUMNS),
      city: (row) => row.city?.trim() ?? null,
      neighborhood: (row) => row.district?.trim() ?? null,
      photos: () => [],
    }),
  }),
});
