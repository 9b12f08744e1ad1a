import { derivedFields } from '#domain/listings/derived.ts';
import type { ListingDisplay } from '#domain/listings/schema.ts';
import { makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

const derived = (changes: Parameters<typeof makeListing>[0]) =>
  derivedFields(makeListing(changes).display, { advertiser_type: 'company', advertiser_ref: 'adv_1' });
const place = { city: 'riyadh', neighborhood_name_ar: 'الملقا' };

test('the Arabic headline states type, bedrooms, offer, place and area', (t) => {
  const headline = (changes: Partial<ListingDisplay>) =>
    derived({ property_type: 'apartment', listing_type: 'rent', area_sqm: 140, ...changes, location: place })
      .headline_ar;
  t.is(headline({ bedrooms: 3 }), 'شقة بـ3 غرف نوم للإيجار في الملقا، الرياض، 140 م²');
  t.is(headline({ bedrooms: 1 }), 'شقة بغرفة نوم واحدة للإيجار في الملقا، الرياض، 140 م²');
  t.is(headline({ bedrooms: 2 }), 'شقة بغرفتي نوم للإيجار في الملقا، الرياض، 140 م²');
  t.is(headline({ bedrooms: 12 }), 'شقة بـ12 غرفة نوم للإيجار في الملقا، الرياض، 140 م²');
  t.is(headline({ bedrooms: null, area_sqm: null, listing_type: 'sale' }), 'شقة للبيع في الملقا، الرياض');
  t.is(
    derived({
      property_type: 'studio',
      bedrooms: 1,
      area_sqm: 40,
      location: { city: 'jeddah', neighborhood_name_ar: null },
    }).headline_ar,
    'استوديو للإيجار في جدة، 40 م²',
  );
});

test('the price per square meter is rounded to halalas, and null without a price or an area', (t) => {
  const perSqm = (yearly_sar: number | null, area_sqm: number | null) =>
    derived({ area_sqm, price: { yearly_sar } }).price_per_sqm_sar;
  t.is(perSqm(65_000, 145), 448.28);
  t.is(perSqm(null, 145), null);
  t.is(perSqm(65_000, null), null);
  t.is(perSqm(65_000, 0), null);
});

test('a listing names its city in Arabic and the class of its advertiser', (t) => {
  const { location, advertiser } = derived({ location: place });
  t.like(location, { city: 'riyadh', city_name_ar: 'الرياض' });
  t.is(advertiser.class, 'company');
  t.is(advertiser.ref, 'adv_1');
  t.is(derived({ location: { city: 'nowhere' } }).location.city_name_ar, null);
});
