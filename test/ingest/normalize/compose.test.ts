import { AMENITIES, PROPERTY_TYPES } from '#domain/listings/vocabulary.ts';
import { type Composable, composeDescriptionEn, composeHeadline } from '#ingest/normalize/compose.ts';
import { test } from '#test/test.ts';

const BARE: Composable = {
  listing_type: 'rent',
  property_type: 'apartment',
  price_as_posted: null,
  bedrooms: null,
  bathrooms: null,
  livings: null,
  area_sqm: null,
  floor: null,
  age_years: null,
  furnished: null,
  amenities: [],
  street_width_m: null,
  compound_name: null,
};
const YASMIN = { city: 'Riyadh', neighborhood: 'Al Yasmin' };

test('a headline states type, purpose and location', (t) => {
  const headline = (listing: Partial<Composable>, names = YASMIN) => composeHeadline({ ...BARE, ...listing }, names);
  t.is(headline({ bedrooms: 3, area_sqm: 140 }), '3-bedroom apartment for rent in Al Yasmin, Riyadh, 140 m²');
  t.is(headline({ property_type: 'studio', bedrooms: 0 }), 'Studio for rent in Al Yasmin, Riyadh');
  t.is(
    headline({ property_type: 'commercial_land', listing_type: 'sale', bedrooms: 2, area_sqm: 1200.5 }),
    'Commercial land for sale in Al Yasmin, Riyadh, 1,200.5 m²',
  );
  t.is(composeHeadline(BARE, { city: 'Jeddah', neighborhood: null }), 'Apartment for rent in Jeddah');
});

test('a description is composed from the fields', (t) => {
  t.is(
    composeDescriptionEn(
      {
        ...BARE,
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
        price_as_posted: { amount: 85_000, frequency: 'yearly' },
      },
      YASMIN,
    ),
    'A 3-bedroom apartment for rent in Al Yasmin, Riyadh. It is in the Green Oasis compound. ' +
      'It has 2 bathrooms and 1 living room. The area is 140 m². It is on the 2nd floor. ' +
      'The building is 5 years old. It is unfurnished. The street is 15 m wide. ' +
      'Amenities: air conditioning, lift and pool. The asking price is SAR 85,000 yearly.',
  );
  t.is(
    composeDescriptionEn(
      {
        ...BARE,
        property_type: 'land',
        listing_type: 'sale',
        price_as_posted: { amount: 1_200_000, frequency: 'total' },
      },
      YASMIN,
    ),
    'Land for sale in Al Yasmin, Riyadh. The asking price is SAR 1,200,000.',
  );
});

test('headline and description are in English for any listing', (t) => {
  for (const property_type of PROPERTY_TYPES) {
    for (const floor of [null, 'ground', 'ground,upper', 'basement', '11', 'roof']) {
      const listing = {
        ...BARE,
        property_type,
        floor,
        amenities: [...AMENITIES],
        compound_name: 'مجمع الواحة',
        age_years: 0,
      };
      const texts = [composeHeadline(listing, YASMIN), composeDescriptionEn(listing, YASMIN)];
      for (const text of texts) {
        t.notRegex(text, /[\u0600-\u06ff]|undefined|null/);
        t.regex(text, /^[A-Z0-9]/);
      }
    }
  }
});
