import { csvFile } from '../kinds/csv-file.ts';
import { contentId } from '../kinds/fields.ts';
import { defineFileSource } from '../source.ts';

/** Sale ads for the whole country, without ids, texts, points or dates; `Page` is where a row was found. */
export default defineFileSource({
  name: 'bayut',
  file: 'listings/bayut_properties_ksa_17504.csv',
  maxAgeDays: null,
  read: (file) =>
    csvFile({
      ...file,
      required: ['Price', 'Type', 'Beds', 'Baths', 'Area', 'Location'],
      map: ({ Price = '', Type = '', Beds = '', Baths = '', Area = '', Location = '' }) => ({
        source_listing_id: contentId([Price, Type, Beds, Baths, Area, Location]),
        purpose: 'sale',
        property_type: Type,
        price: Price,
        area: Area,
        bedrooms: Beds,
        bathrooms: Baths,
        ...placeFrom(Location),
        photos: [],
      }),
    }),
});

/** Reads a location such as `Al Safa, North Jeddah, Jeddah`. The part of the city in the middle is optional. */
function placeFrom(location: string): { city: string | null; neighborhood: string | null } {
  const parts = location.split(',').map((part) => part.trim());
  // City names that occur in several regions are followed by the region: `Buraydah Al Qassim Region`.
  const city = parts.at(-1)?.replace(/ (?:(?:Al )?[A-Z][a-z]+|Northern Borders) Region$/, '') ?? null;
  return { city, neighborhood: parts.length > 1 ? (parts[0] ?? null) : null };
}
