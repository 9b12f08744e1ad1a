import { AMENITIES, PROPERTY_TYPES } from '#domain/listing-vocabulary.ts';
import { composeDescriptionEn, composeHeadline } from '#ingest/normalize/compose.ts';
import type { NormalizedListing } from '#ingest/normalize/listing.ts';
import { test } from '#test/test.ts';

const FLAT = {
  listing_type: 'rent',
  property_type: 'apartment',
  price_as_posted: { amount: 85_000, frequency: 'yearly' },
  bedrooms: 3,
  bathrooms: 2,
  livings: 1,
  area_sqm: 140,
  floor: '2',
  age_years: 5,
  furnished: false,
  amenities: ['ac', 'lift', 'pool'],
  street_width_m: 15,
  compound_name: 'Green Oasis',
} as NormalizedListing;
const YASMIN = { city: 'Riyadh', neighborhood: 'Al Yasmin' };

test('headline and description are composed from the stated fields', (t) => {
  t.is(composeHeadline(FLAT, YASMIN), '3-bedroom apartment for rent in Al Yasmin, Riyadh, 140 m²');
  t.is(
    composeDescriptionEn(FLAT, YASMIN),
    'A 3-bedroom apartment for rent in Al Yasmin, Riyadh. It is in the Green Oasis compound. ' +
      'It has 2 bathrooms and 1 living room. The area is 140 m². It is on the 2nd floor. ' +
      'The building is 5 years old. It is unfurnished. The street is 15 m wide. ' +
      'Amenities: air conditioning, lift and pool. The asking price is SAR 85,000 yearly.',
  );
  const empty = Object.fromEntries(Object.keys(FLAT).map((field) => [field, null])) as unknown as NormalizedListing;
  const land: NormalizedListing = { ...empty, listing_type: 'sale', property_type: 'land', amenities: [] };
  t.is(composeDescriptionEn(land, { city: 'Jeddah', neighborhood: null }), 'Land for sale in Jeddah.');
});

test('headline and description are in English for any listing', (t) => {
  for (const property_type of PROPERTY_TYPES)
    for (const floor of [null, 'ground', 'ground,upper', 'basement', '11', 'roof']) {
      const listing = { ...FLAT, property_type, floor, amenities: [...AMENITIES], compound_name: 'مجمع الواحة' };
      for (const text of [composeHeadline(listing, YASMIN), composeDescriptionEn(listing, YASMIN)]) {
        t.notRegex(text, /[\u0600-\u06ff]|undefined|null/);
        t.regex(text, /^[A-Z0-9]/);
      }
    }
});
