import { derivedFields } from '#domain/listings/derived.ts';
import { makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

test('the Arabic headline states type, bedrooms, offer, place and area', (t) => {
  const flat = { property_type: 'apartment', listing_type: 'rent', area_sqm: 140 } as const;
  for (const [headline, changes, neighborhood = 'الملقا'] of [
    ['شقة بـ3 غرف نوم للإيجار في الملقا، الرياض، 140 م²', { bedrooms: 3 }],
    ['شقة بغرفة نوم واحدة للإيجار في الملقا، الرياض، 140 م²', { bedrooms: 1 }],
    ['شقة بغرفتي نوم للإيجار في الملقا، الرياض، 140 م²', { bedrooms: 2 }],
    ['شقة بـ12 غرفة نوم للإيجار في الملقا، الرياض، 140 م²', { bedrooms: 12 }],
    ['شقة للبيع في الملقا، الرياض', { bedrooms: null, area_sqm: null, listing_type: 'sale' }],
    ['استوديو للإيجار في الرياض، 140 م²', { property_type: 'studio', bedrooms: 1 }, null],
  ] as const) {
    const location = { city: 'riyadh', neighborhood_name_ar: neighborhood };
    const { display, private: hidden } = makeListing({ ...flat, ...changes, location });
    t.is(derivedFields(display, hidden).headline_ar, headline);
  }
});

test('the price per square meter is rounded to halalas, and null without a price or an area', (t) => {
  for (const [expected, yearly_sar, area_sqm] of [
    [448.28, 65_000, 145],
    [null, null, 145],
    [null, 65_000, null],
    [null, 65_000, 0],
  ] as const) {
    const { display, private: hidden } = makeListing({ area_sqm, price: { yearly_sar } });
    t.is(derivedFields(display, hidden).price_per_sqm_sar, expected);
  }
});
