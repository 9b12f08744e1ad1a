import { csvFile } from '../kinds/csv-file.ts';
import { contentId, marked } from '../kinds/fields.ts';
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
  read: (file) =>
    csvFile({
      ...file,
      required: ['city', 'district', 'size', 'price', 'duplex'],
      map: (row) => ({
        source_listing_id: contentId(Object.values(row)),
        purpose: 'rent',
        property_type: row.duplex === '1' ? 'duplex' : 'villa',
        price: row.price ?? null,
        price_period: 'yearly',
        area: row.size ?? null,
        bedrooms: row.bedrooms ?? null,
        bathrooms: row.bathrooms ?? null,
        livings: row.livingrooms ?? null,
        age_years: row.property_age ?? null,
        furnished: row.furnished ?? null,
        amenities: marked(row, AMENITY_COLUMNS),
        city: row.city?.trim() ?? null,
        neighborhood: row.district?.trim() ?? null,
        photos: [],
      }),
    }),
});
