import { csv } from '../kinds/csv-file.ts';
import { contentId } from '../kinds/fields.ts';
import { renamed } from '../kinds/renamed.ts';
import { defineFileSource } from '../source.ts';

const COLUMNS = ['Price', 'Type', 'Beds', 'Baths', 'Area', 'Location'];

/** Sale ads for the whole country, without ids, texts, points or dates; `Page` is where a row was found. */
export default defineFileSource({
  name: 'bayut',
  file: 'listings/bayut_properties_ksa_17504.csv',
  maxAgeDays: null,
  read: csv({
    required: COLUMNS,
    map: renamed({
      source_listing_id: (row) => contentId(COLUMNS.map((column) => row[column] ?? '')),
      purpose: () => 'sale',
      property_type: 'Type',
      price: 'Price',
      area: 'Area',
      bedrooms: 'Beds',
      bathrooms: 'Baths',
      // City names that occur in several regions are followed by the region: `Buraydah Al Qassim Region`.
      city: (row) =>
        partsOf(row)
          .at(-1)
          ?.replace(/ (?:(?:Al )?[A-Z][a-z]+|Northern Borders) Region$/, '') ?? null,
      neighborhood: (row) => (partsOf(row).length > 1 ? (partsOf(row)[0] ?? null) : null),
      photos: () => [],
    }),
  }),
});

/** The part of the city in the middle of `Al Safa, North Jeddah, Jeddah` is optional. */
const partsOf = ({ Location = '' }: Readonly<Record<string, string>>): string[] =>
  Location.split(',').map((part) => part.trim());
